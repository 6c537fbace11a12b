/// Points of small order. With such a key, a signature can be valid for every message.
///
/// RFC 8032 does not require their refusal, and libcrypto accepts them. No honest key is one.
extension EdwardsCurve {
  /// True for the encodings of points whose order divides the cofactor, canonical or not.
  func isSmallOrder(_ key: [UInt8]) -> Bool {
    var point = key
    // Ignore the sign of x: a point and its negative have the same order.
    point[point.count - 1] &= 0x7F
    switch self {
    case .ed25519: return Self.smallOrder25519.contains(point)
    case .ed448: return Self.smallOrder448.contains(point)
    }
  }

  // The y coordinates 0, 1, -1 and the two of order 8, and the unreduced encodings of 0 and 1: p = 2^255 - 19
  // and p + 1.
  private static let smallOrder25519: Set<[UInt8]> = [
    [UInt8](repeating: 0, count: 32),
    [1] + [UInt8](repeating: 0, count: 31),
    [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
    [
      0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98,
      0xF0, 0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53,
      0xFC, 0x05,
    ],
    [
      0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67,
      0x0F, 0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC,
      0x03, 0x7A,
    ],
  ]

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
