/// The record that a pool stores of a user or a device for SRP.
public struct CognitoSRPRecord: ~Copyable, Sendable {
  /// The identity that the verifier was computed with. A user's ``CognitoSRPIdentity/name`` is `USER_ID_FOR_SRP`.
  public let identity: CognitoSRPIdentity
  /// Salt and verifier.
  public let verifier: CognitoVerifier

  /// Creates a record.
  public init(identity: CognitoSRPIdentity, verifier: consuming CognitoVerifier) {
    self.identity = identity
    self.verifier = verifier
  }
}
