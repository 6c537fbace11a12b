internal import TokenSecurityBase

/// A payload whose signature a ``JWSVerifier`` has verified. Only a verifier makes one.
public struct VerifiedPayload: Sendable, Hashable {
  /// The decoded payload.
  public let payload: [UInt8]
  /// The valid signatures, in their order.
  public let signatures: [Signature]

  /// A valid signature.
  public struct Signature: Sendable, Hashable {
    /// The header that the signature covers; nil if an entry of a JSON serialisation has none.
    public let protectedHeader: JOSEHeader?
    /// The header that the signature does not cover, of a JSON serialisation. Anyone can have changed it.
    public let unprotectedHeader: JOSEHeader?
    /// The algorithm of the signature.
    public let algorithm: Algorithm
    /// The `kid` of the key that verified the signature.
    public let keyID: String?
  }

  init(payload: [UInt8], signatures: [Signature]) {
    self.payload = payload
    self.signatures = signatures
  }
}
