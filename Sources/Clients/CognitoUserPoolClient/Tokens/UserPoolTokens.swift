public import OpenIDConnect
public import TokenLifetime
internal import TokenSecurityBase

/// The verified tokens of a signed-in user.
///
/// Only ``UserPoolSessions`` makes them. The refresh token stays with it.
public struct UserPoolTokens: Sendable, CustomStringConvertible, CustomReflectable {
  /// The ID token: who the user is, for the application and for identity pools.
  public let idToken: String
  /// The access token: what the user may call.
  public let accessToken: String
  /// The claims of the ID token: the user's attributes and groups.
  public let user: CognitoUser
  /// The claims of the access token.
  public let access: CognitoUser
  /// The user's name, the same in both tokens.
  public let username: String
  /// The user's permanent id (`sub`), the same in both tokens.
  public let subject: String
  /// The time from which one of the tokens is refused.
  public let expiration: Timestamp

  /// Puts two verified tokens together.
  ///
  /// - Throws: `tokenRefused` unless both are the same user's.
  init(id: VerifiedToken, access: VerifiedToken) throws(UserPoolClientError) {
    do {
      user = try CognitoUser(id)
      self.access = try CognitoUser(access)
    } catch {
      throw .tokenRefused("\(error)")
    }
    guard user.use == .id, self.access.use == .access else {
      throw .tokenRefused("ID token and access token are interchanged")
    }
    guard let username = user.username, let subject = user.subject, !username.isEmpty,
      self.access.username == username, self.access.subject == subject
    else { throw .tokenRefused("ID token and access token are not of one user") }
    self.username = username
    self.subject = subject
    idToken = id.compact
    accessToken = access.compact
    // Both have `exp`: the policy requires it.
    expiration = min(id.claims.expiration ?? .earliest, access.claims.expiration ?? .earliest)
  }

  /// The user's name, without the tokens.
  public var description: String { "tokens of \(username.quoted)" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
