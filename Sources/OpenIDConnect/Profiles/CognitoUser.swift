public import JOSE

/// A user pool's verified token, with names for what it says.
public struct CognitoUser: Sendable, Hashable {
  /// The token.
  public let token: VerifiedToken
  /// Whether it is an ID or an access token.
  public let use: CognitoUserPool.Use

  /// Reads a verified token. Throws `profile_mismatch` where it is none of a user pool's.
  public init(_ token: VerifiedToken) throws(OpenIDError) {
    let name = token.claims["token_use"]?.string
    switch name {
    case "id": use = .id
    case "access": use = .access
    default:
      throw ClaimFault.profileMismatch(name: "token_use", found: name, expected: ["id", "access"]).error
    }
    self.token = token
  }

  /// `sub`: the user, for ever.
  public var subject: String? { token.claims.subject }
  /// The user's name: `cognito:username` in an ID token, `username` in an access token. A machine's has none.
  public var username: String? {
    token.claims[use == .id ? "cognito:username" : "username"]?.string
  }
  /// The app client: `aud` in an ID token, `client_id` in an access token.
  public var clientID: String? {
    use == .id ? token.claims.audience?.first : token.claims["client_id"]?.string
  }
  /// `cognito:groups`.
  public var groups: [String] { token.claims["cognito:groups"]?.strings ?? [] }
  /// `scope`, divided by spaces; an ID token has none.
  public var scopes: [String] {
    token.claims["scope"]?.string?.split(separator: " ").map(String.init) ?? []
  }
  /// `cognito:roles`, an array or a string divided by commas.
  public var roles: [String] {
    guard let value = token.claims["cognito:roles"] else { return [] }
    return value.strings ?? value.string?.split(separator: ",").map(String.init) ?? []
  }
  /// `cognito:preferred_role`.
  public var preferredRole: String? { token.claims["cognito:preferred_role"]?.string }
  /// When the user signed in. It stays when a token is refreshed.
  public var signedInAt: NumericDate? { token.claims.authenticationTime }
  /// `origin_jti`: the sign-in that the token comes from, by which it can be revoked.
  public var originTokenID: String? { token.claims["origin_jti"]?.string }
  /// The `custom:` attributes, by their names without that word. All of them are strings.
  public var customAttributes: [String: String] {
    token.claims.object.members.reduce(into: [:]) { all, member in
      if member.name.hasPrefix("custom:"), let text = member.value.string {
        all[String(member.name.dropFirst(7))] = text
      }
    }
  }
}
