internal import TokenSecurityEncodings

/// A payload whose signature a ``JWSVerifier`` has accepted. There is no other way to have one.
public struct VerifiedPayload: Sendable, Hashable {
  /// The payload's bytes, decoded.
  public let payload: [UInt8]
  /// The signatures that hold, in their order.
  public let signatures: [Signature]

  /// A signature that holds.
  public struct Signature: Sendable, Hashable {
    /// The header that the signature covers; nil for a JSON serialisation whose entry has none.
    public let protectedHeader: JOSEHeader?
    /// The header that the signature does not cover, which only a JSON serialisation has: anyone on the way can change
    /// it.
    public let unprotectedHeader: JOSEHeader?
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
