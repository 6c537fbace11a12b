internal import TokenSecurityBase

/// The rules for the bytes of Ed25519 keys and signatures, checked before any library receives them, so that
/// verdicts do not depend on the library.
///
/// RFC 8032 requires reduced numbers (sections 5.1.3 and 5.1.7). It does not require the refusal of points of
/// small order. With such a key, a signature can be valid for every message; with such an R, libraries
/// disagree. No honest signer makes either.
enum Ed25519Encoding {
  /// True if R is a canonical point that has no small order and S is below the order of the base point.
  static func isAcceptable(signature: borrowing Span<UInt8>) -> Bool {
    guard signature.count == 64 else { return false }
    return isBelow(number(signature, at: 32), order) && isAcceptable(point: signature)
  }

  /// True if the first 32 bytes are a canonical encoding of y, and y is not that of a point of small order.
  ///
  /// A point with x = 0 has small order, so its encoding with the sign of x set is refused, too.
  static func isAcceptable(point: borrowing Span<UInt8>) -> Bool {
    guard point.count >= 32 else { return false }
    var y = number(point, at: 0)
    y[3] &= UInt64.max >> 1
    let hasSmallOrder =
      y == number(0) || y == number(1) || y == minusOne || y == firstOfOrder8 || y == secondOfOrder8
    return isBelow(y, prime) && !hasSmallOrder
  }

  /// A number of four words, the least significant first.
  private typealias Number = SIMD4<UInt64>

  private static func number(_ word: UInt64) -> Number { Number(word, 0, 0, 0) }

  /// p = 2^255 - 19.
  private static var prime: Number {
    Number(0xFFFF_FFFF_FFFF_FFED, .max, .max, 0x7FFF_FFFF_FFFF_FFFF)
  }

  private static var minusOne: Number {
    Number(0xFFFF_FFFF_FFFF_FFEC, .max, .max, 0x7FFF_FFFF_FFFF_FFFF)
  }

  /// L = 2^252 + 27742317777372353535851937790883648493.
  private static var order: Number {
    Number(0x5812_631A_5CF5_D3ED, 0x14DE_F9DE_A2F7_9CD6, 0, 0x1000_0000_0000_0000)
  }

  /// The y coordinates of the points of order 8.
  private static var firstOfOrder8: Number {
    Number(0xB027_B2C2_8F95_E826, 0xF098_EFF2_89F4_C345, 0x3933_C6D3_05AC_DFD5, 0x05FC_536D_8802_38B1)
  }

  private static var secondOfOrder8: Number {
    Number(0x4FD8_4D3D_706A_17C7, 0x0F67_100D_760B_3CBA, 0xC6CC_392C_FA53_202A, 0x7A03_AC92_77FD_C74E)
  }

  @inline(__always)
  private static func number(_ bytes: borrowing Span<UInt8>, at start: Int) -> Number {
    var number = Number.zero
    for word in 0..<4 { number[word] = ByteWords.load(bytes, at: start + word * 8) }
    return number
  }

  /// Subtracts, and returns whether the result is negative.
  @inline(__always)
  private static func isBelow(_ number: Number, _ limit: Number) -> Bool {
    var borrow: UInt64 = 0
    for word in 0..<4 {
      let (difference, first) = number[word].subtractingReportingOverflow(limit[word])
      let second = difference.subtractingReportingOverflow(borrow).overflow
      borrow = (first ? 1 : 0) | (second ? 1 : 0)
    }
    return borrow == 1
  }
}
