public import TokenSecurityBase

/// The signature algorithms of AWS.
public enum SigningAlgorithm: ExactString, Sendable, Hashable, CaseIterable {
  /// Signature Version 4: HMAC with a key derived from the secret.
  case hmacSHA256 = "AWS4-HMAC-SHA256"
  /// Signature Version 4A: ECDSA on P-256 with a key pair derived from the secret, for several regions at
  /// once.
  case ecdsaP256SHA256 = "AWS4-ECDSA-P256-SHA256"
}
