/// The Weierstrass curves of JOSE (RFC 7518 section 6.2.1.1, RFC 8812 section 3.1).
package enum EllipticCurve: Sendable, Hashable, CaseIterable {
  case p256
  case p384
  case p521
  case secp256k1

  /// The group's name in libcrypto.
  var groupName: String {
    switch self {
    case .p256: "prime256v1"
    case .p384: "secp384r1"
    case .p521: "secp521r1"
    case .secp256k1: "secp256k1"
    }
  }

  init?(groupName: String) {
    guard let curve = Self.allCases.first(where: { $0.groupName.utf8.elementsEqual(groupName.utf8) }) else {
      return nil
    }
    self = curve
  }

  /// The length of a coordinate, and of the order, in bytes.
  package var coordinateSize: Int {
    switch self {
    case .p256, .secp256k1: 32
    case .p384: 48
    case .p521: 66
    }
  }

  /// The order n of the base point, big-endian (SEC 2 version 2.0, sections 2.4 to 2.6).
  var order: [UInt8] {
    switch self {
    case .p256: Self.p256Order
    case .p384: Self.p384Order
    case .p521: Self.p521Order
    case .secp256k1: Self.secp256k1Order
    }
  }

  private static let p256Order = bytes([
    0xffff_ffff_0000_0000, 0xffff_ffff_ffff_ffff, 0xbce6_faad_a717_9e84, 0xf3b9_cac2_fc63_2551,
  ])
  private static let p384Order = bytes([
    0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xc763_4d81_f437_2ddf,
    0x581a_0db2_48b0_a77a, 0xecec_196a_ccc5_2973,
  ])
  private static let p521Order =
    [0x01, 0xff]
    + bytes([
      0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_fffa,
      0x5186_8783_bf2f_966b, 0x7fcc_0148_f709_a5d0, 0x3bb5_c9b8_899c_47ae, 0xbb6f_b71e_9138_6409,
    ])
  private static let secp256k1Order = bytes([
    0xffff_ffff_ffff_ffff, 0xffff_ffff_ffff_fffe, 0xbaae_dce6_af48_a03b, 0xbfd2_5e8c_d036_4141,
  ])

  private static func bytes(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
  }
}

/// The Edwards curves of EdDSA (RFC 8032).
package enum EdwardsCurve: Sendable, Hashable, CaseIterable {
  case ed25519
  case ed448

  var name: String {
    switch self {
    case .ed25519: "ED25519"
    case .ed448: "ED448"
    }
  }

  /// The length of a public or private key in bytes.
  package var keySize: Int {
    switch self {
    case .ed25519: 32
    case .ed448: 57
    }
  }

  /// The length of a signature in bytes.
  package var signatureSize: Int { keySize * 2 }
}
