#if canImport(CMemcheck)
  internal import CMemcheck
#endif

/// Marks values computed from secrets that may become public: a result, a length that the protocol shows, a
/// public number.
///
/// Returns its argument. In the build that traces secrets (`Tests/SecretFlow`) branches on the value are
/// allowed afterwards, so each use must be reviewed.
package enum Declassification {
  /// Returns `value`, public from here on.
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

  /// Returns `bytes`, public from here on.
  @inline(__always)
  package static func of(_ bytes: consuming [UInt8]) -> [UInt8] {
    #if canImport(CMemcheck)
      unsafe bytes.withUnsafeMutableBytes { unsafe memcheck_make_defined($0.baseAddress, $0.count) }
    #endif
    return bytes
  }
}
