/// A user's record in a pool's store.
public struct CognitoUserRecord: ~Copyable, Sendable {
  /// `USERNAME` of the challenge: the user's name in the pool, not an alias.
  public let username: String
  /// `USER_ID_FOR_SRP`: the id that the verifier was computed with.
  public let userIDForSRP: String
  /// Salt and verifier.
  public let verifier: CognitoVerifier

  /// Creates a record.
  public init(username: String, userIDForSRP: String, verifier: consuming CognitoVerifier) {
    self.username = username
    self.userIDForSRP = userIDForSRP
    self.verifier = verifier
  }
}
