/// The AlgorithmIdentifier of a key (RFC 5280 section 4.1.1.2), read before the key.
///
/// libcrypto computes with the numbers of some key types while it parses them. Such keys never reach it.
enum KeyAlgorithmIdentifier {
  case rsa
  case ellipticCurve(EllipticCurve)
  case edwards(EdwardsCurve)

  private static let rsaEncryption: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
  private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]

  /// The errors of unsupported types that occur in files.
  private static let others: [(identifier: [UInt8], error: CryptoError)] = [
    ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0A], .onlyForPSS),
    ([0x2A, 0x86, 0x48, 0xCE, 0x38, 0x04, 0x01], .unsupportedKeyType("DSA")),
    ([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x03, 0x01], .unsupportedKeyType("DH")),
    ([0x2B, 0x65, 0x6E], .unsupportedKeyType("X25519")), ([0x2B, 0x65, 0x6F], .unsupportedKeyType("X448")),
  ]

  /// Reads the identifier in `value`. Throws `unsupportedKeyType` or `unsupportedCurve` for all types but the
  /// three.
  init(_ value: DERValue, _ bytes: borrowing Span<UInt8>) throws(CryptoError) {
    let parts = try value.children(bytes)
    guard value.tag == DERValue.sequence, let type = parts.first, type.tag == DERValue.objectIdentifier,
      parts.count <= 2
    else { throw .malformedKey }
    let identifier = [UInt8](unwipedCopy: bytes.extracting(type.contents))
    if identifier == Self.rsaEncryption {
      self = .rsa
    } else if identifier == Self.ecPublicKey {
      guard parts.count == 2 else { throw .malformedKey }
      self = .ellipticCurve(try Self.curve(parts[1], bytes))
    } else if let curve = EdwardsCurve.allCases.first(where: { $0.objectIdentifier == identifier }) {
      self = .edwards(curve)
    } else {
      let known = Self.others.first { $0.identifier == identifier }
      throw known?.error ?? .unsupportedKeyType(Self.dotted(identifier))
    }
  }

  /// The curve that ECParameters name (RFC 5480 section 2.1.1).
  static func curve(_ value: DERValue, _ bytes: borrowing Span<UInt8>) throws(CryptoError) -> EllipticCurve {
    guard value.tag == DERValue.objectIdentifier else {
      throw .explicitCurve
    }
    let identifier = [UInt8](unwipedCopy: bytes.extracting(value.contents))
    guard let curve = EllipticCurve.allCases.first(where: { $0.objectIdentifier == identifier }) else {
      throw .unsupportedCurve(dotted(identifier))
    }
    return curve
  }

  /// An object identifier in dotted form.
  private static func dotted(_ identifier: [UInt8]) -> String {
    var arcs: [UInt64] = []
    var arc: UInt64 = 0
    for byte in identifier.prefix(32) {
      arc = arc << 7 | UInt64(byte & 0x7F)
      guard byte & 0x80 == 0 else { continue }
      arcs += arcs.isEmpty ? [min(arc / 40, 2), arc - min(arc / 40, 2) * 40] : [arc]
      arc = 0
    }
    return arcs.isEmpty ? "unknown" : arcs.map { String($0) }.joined(separator: ".")
  }
}

extension EllipticCurve {
  /// The name of the curve in DER (SEC 2 appendix A.2, RFC 5480 section 2.1.1.1).
  var objectIdentifier: [UInt8] {
    switch self {
    case .p256: [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
    case .p384: [0x2B, 0x81, 0x04, 0x00, 0x22]
    case .p521: [0x2B, 0x81, 0x04, 0x00, 0x23]
    case .secp256k1: [0x2B, 0x81, 0x04, 0x00, 0x0A]
    }
  }
}

extension EdwardsCurve {
  /// The name of the algorithm in DER (RFC 8410 section 3).
  var objectIdentifier: [UInt8] {
    switch self {
    case .ed25519: [0x2B, 0x65, 0x70]
    case .ed448: [0x2B, 0x65, 0x71]
    }
  }
}
