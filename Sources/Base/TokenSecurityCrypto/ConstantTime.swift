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

  /// True if the secret big-endian number `a` is less than `b`. Both have as many bytes.
  static func isLess(_ a: borrowing Span<UInt8>, than b: [UInt8]) -> Bool {
    var borrow: UInt = 0
    for index in b.indices.reversed() {
      let difference = UInt(a[index]) &- UInt(b[index]) &- borrow
      borrow = difference >> (UInt.bitWidth - 1)
    }
    return Declassification.of(borrow) == 1
  }
}
