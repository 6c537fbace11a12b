/// A payload whose signature a ``JWSVerifier`` has accepted. There is no other way to have one.
public struct VerifiedPayload: Sendable, Hashable {
  /// The payload's bytes, decoded.
  public let payload: [UInt8]
  /// The signatures that hold, in their order.
  public let signatures: [Signature]

  /// A signature that holds.
  public struct Signature: Sendable, Hashable {
    /// The header: the protected and, in a JSON serialisation, the unprotected parameters together.
    public let header: JOSEHeader
    /// The algorithm that the signature was verified with.
    public let algorithm: Algorithm
    /// The `kid` of the key that the signature was verified with, where the key has one.
    public let keyID: String?
  }

  init(payload: [UInt8], signatures: [Signature]) {
    self.payload = payload
    self.signatures = signatures
  }
}
