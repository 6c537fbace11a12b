/// Points of small order. With such a key, a signature can be valid for every message.
///
/// RFC 8032 does not require their refusal, and libcrypto accepts them. No honest key is one.
extension EdwardsCurve {
  /// True if `key`, which must have the length of a key, is not an encoding of a point of small order. Ed25519:
  /// it must be canonical, too. Ed448: libcrypto refuses the other encodings that are not canonical, when it
  /// verifies a signature.
  func isAcceptable(_ key: [UInt8]) -> Bool {
    switch self {
    case .ed25519: return Ed25519Encoding.isAcceptable(point: key.span)
    case .ed448:
      var point = key
      // Ignore the sign of x: a point and its negative have the same order.
      point[point.count - 1] &= 0x7F
      return !Self.smallOrder448.contains(point)
    }
  }

  // The y coordinates 0, 1 and -1, and the unreduced encodings of the first two: the curve of
  // RFC 8032 section 5.2 has cofactor 4 and p = 2^448 - 2^224 - 1.
  private static let smallOrder448: Set<[UInt8]> = [
    [UInt8](repeating: 0, count: 57),
    [1] + [UInt8](repeating: 0, count: 56),
    [UInt8](repeating: 0xFF, count: 28) + [0xFE] + [UInt8](repeating: 0xFF, count: 27) + [0x00],
    [UInt8](repeating: 0, count: 28) + [UInt8](repeating: 0xFF, count: 28) + [0x00],
    [0xFE] + [UInt8](repeating: 0xFF, count: 27) + [0xFE] + [UInt8](repeating: 0xFF, count: 27)
      + [0x00],
  ]
}
