/// A signature scheme with its parameters.
package enum SignatureScheme: Sendable, Hashable {
  /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2).
  case rsaPKCS1(DigestAlgorithm)
  /// RSASSA-PSS with MGF1 of the same digest and a salt of the digest's length (RFC 8017 section 8.1).
  case rsaPSS(DigestAlgorithm)
  /// ECDSA, the signature as R‖S (RFC 7518 section 3.4).
  case ecdsa(EllipticCurve, DigestAlgorithm)
  /// EdDSA without a context (RFC 8032).
  case eddsa(EdwardsCurve)

  var digest: DigestAlgorithm? {
    switch self {
    case .rsaPKCS1(let digest), .rsaPSS(let digest), .ecdsa(_, let digest): digest
    case .eddsa: nil
    }
  }

  /// True if a key of these components fits this scheme.
  func fits(_ components: PublicKey.Components) -> Bool {
    switch (self, components) {
    case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa): true
    case (.ecdsa(let curve, _), .ellipticCurve(let other, _, _)): curve == other
    case (.eddsa(let curve), .edwards(let other, _)): curve == other
    default: false
    }
  }
}
