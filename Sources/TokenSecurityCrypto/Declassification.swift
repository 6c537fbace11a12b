#if canImport(CMemcheck)
  internal import CMemcheck
#endif

/// Where what was computed from secrets becomes known: a verdict, a length that the protocol shows anyway, a public
/// number.
///
/// It gives back what it is given. In the build that follows secrets through the program (`Tests/SecretFlow`) it also
/// tells the follower that branches on the value are meant; so each use is a claim to be looked at.
package enum Declassification {
  /// `value`, which may be known from here on.
  @inline(__always)
  package static func of<Value: BitwiseCopyable>(_ value: Value) -> Value {
    #if canImport(CMemcheck)
      var copy = value
      unsafe withUnsafeMutableBytes(of: &copy) { unsafe memcheck_make_defined($0.baseAddress, $0.count) }
      return copy
    #else
      return value
    #endif
  }

  /// `bytes`, which may be known from here on.
  @inline(__always)
  package static func of(_ bytes: consuming [UInt8]) -> [UInt8] {
    #if canImport(CMemcheck)
      unsafe bytes.withUnsafeMutableBytes { unsafe memcheck_make_defined($0.baseAddress, $0.count) }
    #endif
    return bytes
  }
}
