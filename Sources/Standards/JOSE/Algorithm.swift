public import TokenSecurityBase
package import TokenSecurityCrypto

/// A signature algorithm of JOSE, by its registered name (RFC 7518 section 3.1, RFC 8037, RFC 8812,
/// RFC 9864).
///
/// `none` is not one of the cases.
public enum Algorithm: ExactString, Sendable, Hashable, CaseIterable {
  /// HMAC with SHA-256; keys of at least 256 bits.
  case hs256 = "HS256"
  /// HMAC with SHA-384; keys of at least 384 bits.
  case hs384 = "HS384"
  /// HMAC with SHA-512; keys of at least 512 bits.
  case hs512 = "HS512"
  /// RSASSA-PKCS1-v1_5 with SHA-256; moduli of at least 2,048 bits.
  case rs256 = "RS256"
  /// RSASSA-PKCS1-v1_5 with SHA-384.
  case rs384 = "RS384"
  /// RSASSA-PKCS1-v1_5 with SHA-512.
  case rs512 = "RS512"
  /// RSASSA-PSS with SHA-256 and a salt of 32 bytes.
  case ps256 = "PS256"
  /// RSASSA-PSS with SHA-384 and a salt of 48 bytes.
  case ps384 = "PS384"
  /// RSASSA-PSS with SHA-512 and a salt of 64 bytes.
  case ps512 = "PS512"
  /// ECDSA on P-256 with SHA-256.
  case es256 = "ES256"
  /// ECDSA on P-384 with SHA-384.
  case es384 = "ES384"
  /// ECDSA on P-521 with SHA-512.
  case es512 = "ES512"
  /// ECDSA on secp256k1 with SHA-256 (RFC 8812).
  case es256k = "ES256K"
  /// EdDSA on the curve of the key, Ed25519 or Ed448 (RFC 8037). RFC 9864 prefers the names with a curve.
  case edDSA = "EdDSA"
  /// EdDSA on Ed25519 (RFC 9864).
  case ed25519 = "Ed25519"
  /// EdDSA on Ed448 (RFC 9864).
  case ed448 = "Ed448"

  /// The algorithms with a shared secret.
  public static let symmetric: Set<Algorithm> = [.hs256, .hs384, .hs512]
  /// The algorithms with a key pair.
  public static let asymmetric: Set<Algorithm> = Set(allCases).subtracting(symmetric)

  /// The digest of HMAC; nil for algorithms with a key pair.
  package var hmacDigest: DigestAlgorithm? {
    switch self {
    case .hs256: .sha256
    case .hs384: .sha384
    case .hs512: .sha512
    default: nil
    }
  }

  /// The digest in the algorithm's name, which `at_hash` and `c_hash` use. EdDSA counts as Ed25519; nil for
  /// Ed448, for which no such digest is defined.
  package var namedDigest: DigestAlgorithm? {
    switch self {
    case .hs256, .rs256, .ps256, .es256, .es256k: .sha256
    case .hs384, .rs384, .ps384, .es384: .sha384
    case .hs512, .rs512, .ps512, .es512, .edDSA, .ed25519: .sha512
    case .ed448: nil
    }
  }

  /// The scheme for a key of these components; nil if the key does not fit the algorithm.
  package func scheme(for components: PublicKey.Components) -> SignatureScheme? {
    switch (self, components) {
    case (.rs256, .rsa): .rsaPKCS1(.sha256)
    case (.rs384, .rsa): .rsaPKCS1(.sha384)
    case (.rs512, .rsa): .rsaPKCS1(.sha512)
    case (.ps256, .rsa): .rsaPSS(.sha256)
    case (.ps384, .rsa): .rsaPSS(.sha384)
    case (.ps512, .rsa): .rsaPSS(.sha512)
    case (.es256, .ellipticCurve(.p256, _, _)): .ecdsa(.p256, .sha256)
    case (.es384, .ellipticCurve(.p384, _, _)): .ecdsa(.p384, .sha384)
    case (.es512, .ellipticCurve(.p521, _, _)): .ecdsa(.p521, .sha512)
    case (.es256k, .ellipticCurve(.secp256k1, _, _)): .ecdsa(.secp256k1, .sha256)
    case (.edDSA, .edwards(let curve, _)): .eddsa(curve)
    case (.ed25519, .edwards(.ed25519, _)): .eddsa(.ed25519)
    case (.ed448, .edwards(.ed448, _)): .eddsa(.ed448)
    default: nil
    }
  }
}
