public import TokenSecurityEncodings

/// The signatures of AWS.
public enum SigningAlgorithm: ExactString, Sendable, Hashable, CaseIterable {
  /// Signature Version 4: HMAC with a key made of the secret.
  case hmacSHA256 = "AWS4-HMAC-SHA256"
  /// Signature Version 4A: ECDSA on P-256 with a key pair made of the secret; for several regions at once.
  case ecdsaP256SHA256 = "AWS4-ECDSA-P256-SHA256"
}
