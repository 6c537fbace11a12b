public import TokenSecurityEncodings
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
      throw ClaimError.profileMismatch(name: "token_use", actual: name, expected: ["id", "access"]).error
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
    token.claims["scope"]?.string.map(AccessTokenRules.ScopeClaim.divided) ?? []
  }
  /// `cognito:roles`, an array or a string divided by commas.
  public var roles: [String] {
    guard let value = token.claims["cognito:roles"] else { return [] }
    return value.strings
      ?? value.string?.utf8.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
      ?? []
  }
  /// `cognito:preferred_role`.
  public var preferredRole: String? { token.claims["cognito:preferred_role"]?.string }
  /// When the user signed in. It stays when a token is refreshed.
  public var signedInAt: NumericDate? { token.claims.authenticationTime }
  /// `origin_jti`: the sign-in that the token comes from, by which it can be revoked.
  public var originTokenID: String? { token.claims["origin_jti"]?.string }

  /// The `custom:` attributes, by their names without that word.
  ///
  /// The pool's own attributes are strings. A pre token generation trigger can make arrays, objects and numbers of them:
  /// read those from the token's claims.
  ///
  /// - Throws: `claim_invalid` where one of them is not a string.
  public var customAttributes: [ExactString: String] {
    get throws(OpenIDError) {
      var all: [ExactString: String] = [:]
      for member in token.claims.object.members where member.name.hasPrefix(Self.custom) {
        all[ExactString(String(member.name.unicodeScalars.dropFirst(7)))] = try Self.text(
          member.value, member.name)
      }
      return all
    }
  }

  /// The `custom:` attribute called `name`, without that word, or nil where it is not there.
  ///
  /// - Throws: `claim_invalid` where it is not a string.
  public func customAttribute(_ name: String) throws(OpenIDError) -> String? {
    guard let value = token.claims[Self.custom + name] else { return nil }
    return try Self.text(value, Self.custom + name)
  }

  private static let custom = "custom:"

  private static func text(_ value: JSONValue, _ name: String) throws(OpenIDError) -> String {
    guard let text = value.string else {
      throw ClaimError.claimInvalid(name: name, rule: "must be a string").error
    }
    return text
  }
}
