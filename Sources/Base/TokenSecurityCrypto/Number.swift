internal import CTokenSecurityOpenSSL

/// A non-negative integer of any size that is treated as a secret: it is wiped at its end, and libcrypto
/// computes with it in constant time.
@safe
package struct Number: ~Copyable, @unchecked Sendable {
  let pointer: OpaquePointer

  /// Zero.
  init() throws(CryptoError) {
    unsafe pointer = try unsafe Self.make()
  }

  private static func make() throws(CryptoError) -> OpaquePointer {
    guard let pointer = unsafe BN_secure_new() else { throw .library("BN_secure_new") }
    unsafe BN_set_flags(pointer, BN_FLG_CONSTTIME)
    return unsafe pointer
  }

  /// The number in big-endian `bytes`. Empty bytes are zero.
  package init(_ bytes: borrowing Span<UInt8>) throws(CryptoError) {
    let number = try unsafe Self.make()
    let read = unsafe bytes.withUnsafeBufferPointer {
      unsafe BN_bin2bn($0.baseAddress, Int32($0.count), number)
    }
    guard unsafe read != nil else {
      unsafe BN_clear_free(number)
      throw .library("BN_bin2bn")
    }
    unsafe pointer = unsafe number
  }

  /// The number in an array of big-endian bytes.
  package init(_ bytes: [UInt8]) throws(CryptoError) {
    let span = bytes.span
    try self.init(span)
  }

  /// The number in secret big-endian bytes.
  package init(_ bytes: borrowing SecretBytes) throws(CryptoError) {
    self = try bytes.withBytes { bytes throws(CryptoError) in try Number(bytes) }
  }

  deinit {
    unsafe BN_clear_free(pointer)
  }

  /// A random number of `bits` bits, a multiple of eight.
  package static func random(bits: Int) throws(CryptoError) -> Number {
    try Number(Random.secretBytes(count: bits / 8))
  }

  /// The number in `count` big-endian bytes. The time depends only on `count`.
  package borrowing func secretBytes(count: Int) throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: count) { span throws(CryptoError) in
      let written = unsafe span.withUnsafeMutableBufferPointer {
        unsafe BN_bn2binpad(pointer, $0.baseAddress, Int32($0.count))
      }
      guard written == count else { throw .library("BN_bn2binpad") }
    }
  }

  /// The number in `count` big-endian bytes, no longer secret.
  package borrowing func publicBytes(count: Int) throws(CryptoError) -> [UInt8] {
    try secretBytes(count: count).withBytes { bytes in
      Declassification.of([UInt8](unwipedCopy: bytes))
    }
  }

  /// The sum of this number and the product of two others, without a modulus.
  package borrowing func adding(
    productOf left: borrowing Number, _ right: borrowing Number
  ) throws(CryptoError) -> Number {
    let result = try Number()
    guard let context = unsafe BN_CTX_secure_new() else { throw .library("BN_CTX_secure_new") }
    defer { unsafe BN_CTX_free(context) }
    guard unsafe BN_mul(result.pointer, left.pointer, right.pointer, context) == 1,
      unsafe BN_add(result.pointer, result.pointer, pointer) == 1
    else { throw .library("BN_mul") }
    return result
  }
}

extension SecretBytes {
  /// The index at which the shortest form of the big-endian number begins. With `signed`, one leading zero
  /// byte is kept before a set top bit; there must be at least one.
  ///
  /// Reads all bytes without a branch. The result is still a secret.
  package borrowing func numberStart(signed: Bool) -> Int {
    withBytes { bytes in
      var count: UInt = 0
      var first: UInt = 0
      // All ones until the first byte that is not zero.
      var open: UInt = .max
      for index in bytes.indices {
        let byte = UInt(bytes[index])
        let isZero = (byte &- 1) >> (UInt.bitWidth - 1)
        first |= byte & open & (isZero &- 1)
        open &= 0 &- isZero
        count &+= open & 1
      }
      return Int(bitPattern: signed ? count &- (first >> 7) : count)
    }
  }
}
