/// A client's proof of a password: `TIMESTAMP`, `PASSWORD_CLAIM_SECRET_BLOCK` and `PASSWORD_CLAIM_SIGNATURE`.
public struct CognitoPasswordClaim: Sendable, Hashable {
  /// The signature's bytes; a right one has 32.
  public let signature: [UInt8]
  /// The secret block's bytes, which are signed.
  public let secretBlock: [UInt8]
  /// The time of the response, by the client's clock.
  public let timestamp: Timestamp
  /// The timestamp as it was signed.
  let text: String

  /// Creates a claim, before the secret block is redeemed: the form of a timestamp is public, so that its error is
  /// the same for all users and signatures. It is not an attempt at a password and is not to be counted.
  ///
  /// - Parameters:
  ///   - signature: `PASSWORD_CLAIM_SIGNATURE`, decoded from base64.
  ///   - secretBlock: `PASSWORD_CLAIM_SECRET_BLOCK`, decoded from base64. Bound its size before.
  ///   - timestamp: `TIMESTAMP`.
  /// - Throws: `timestampMalformed`.
  public init(signature: [UInt8], secretBlock: [UInt8], timestamp: String) throws(SRPError) {
    self.timestamp = try Timestamp(cognitoText: timestamp)
    self.signature = signature
    self.secretBlock = secretBlock
    text = timestamp
  }
}
