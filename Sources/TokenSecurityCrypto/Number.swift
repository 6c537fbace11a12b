internal import CTokenSecurityOpenSSL

/// A whole number of any size that is treated as a secret: wiped at its end, its value never decides a branch of
/// libcrypto's.
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

  /// The number that `bytes` are, the first the most significant. No bytes are zero.
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

  /// The same for an array.
  package init(_ bytes: [UInt8]) throws(CryptoError) {
    let span = bytes.span
    try self.init(span)
  }

  /// The same for secret bytes.
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

  /// The number in `count` bytes, zeros in front. The time it takes depends on `count` alone.
  package borrowing func secretBytes(count: Int) throws(CryptoError) -> SecretBytes {
    try SecretBytes(count: count) { span throws(CryptoError) in
      let written = unsafe span.withUnsafeMutableBufferPointer {
        unsafe BN_bn2binpad(pointer, $0.baseAddress, Int32($0.count))
      }
      guard written == count else { throw .library("BN_bn2binpad") }
    }
  }

  /// The number in `count` bytes, zeros in front, for whoever asks: it is no secret any more.
  package borrowing func publicBytes(count: Int) throws(CryptoError) -> [UInt8] {
    try secretBytes(count: count).withBytes { bytes in
      Declassification.of([UInt8](unwipedCopy: bytes))
    }
  }

  /// This number and the product of two others; no modulus is taken.
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
  /// Where the shortest form of the big-endian number begins that these bytes are; with `signed`, a byte of zero stays
  /// in front of one whose top bit is set, which needs at least one byte of zero to be there.
  ///
  /// All bytes are looked at, without a branch, and the answer is still a secret: it goes on to what hashes from there.
  package borrowing func numberStart(signed: Bool) -> Int {
    withBytes { bytes in
      var count: UInt = 0
      var first: UInt = 0
      // All ones as long as nothing but zeros were seen.
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
