internal import CTokenSecurityOpenSSL

/// Comparison in constant time.
package enum ConstantTime {
  /// True if both have the same bytes. Lengths are not secret.
  package static func areEqual(_ a: borrowing Span<UInt8>, _ b: borrowing Span<UInt8>) -> Bool {
    guard a.count == b.count else { return false }
    guard a.count > 0 else { return true }
    return unsafe a.withUnsafeBufferPointer { left in
      unsafe b.withUnsafeBufferPointer { right in
        unsafe Declassification.of(CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count)) == 0
      }
    }
  }
}
