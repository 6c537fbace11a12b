/// A user as a pool knows one.
public struct CognitoUserRecord: ~Copyable, Sendable {
  /// `USERNAME` of the challenge: the user's name in the pool, not the alias that was typed.
  public let username: String
  /// `USER_ID_FOR_SRP`: what the verifier was made with.
  public let userIDForSRP: String
  /// Salt and verifier.
  public let verifier: CognitoVerifier

  public init(username: String, userIDForSRP: String, verifier: consuming CognitoVerifier) {
    self.username = username
    self.userIDForSRP = userIDForSRP
    self.verifier = verifier
  }
}
