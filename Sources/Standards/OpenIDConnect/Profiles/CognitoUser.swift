public import JOSE
public import TokenSecurityBase

/// The claims of a user pool's verified token.
public struct CognitoUser: Sendable, Hashable {
  /// The token.
  public let token: VerifiedToken
  /// The kind of token: `id` or `access`.
  public let use: CognitoUserPoolIssuer.Use

  /// Reads a verified token. Throws `token` with the code `profile_mismatch` if it is not a user pool's.
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

  /// `sub`: the user's permanent id.
  public var subject: String? { token.claims.subject }
  /// The user's name: `cognito:username` in an ID token, `username` in an access token. Nil for a client
  /// without a user.
  public var username: String? {
    token.claims[use == .id ? "cognito:username" : "username"]?.string
  }
  /// The app client: `aud` in an ID token, `client_id` in an access token.
  public var clientID: String? {
    use == .id ? token.claims.audience?.first : token.claims["client_id"]?.string
  }
  /// `cognito:groups`.
  public var groups: [String] { token.claims["cognito:groups"]?.strings ?? [] }
  /// `scope`, split at spaces. An ID token has none.
  public var scopes: [String] { AccessTokenRules.ScopeClaim.text("scope").scopes(in: token.claims) }
  /// `cognito:roles`, an array or a comma-separated string.
  public var roles: [String] {
    guard let value = token.claims["cognito:roles"] else { return [] }
    return value.strings
      ?? value.string?.utf8.split(separator: UInt8(ascii: ",")).map { String(decoding: $0, as: UTF8.self) }
      ?? []
  }
  /// `cognito:preferred_role`.
  public var preferredRole: String? { token.claims["cognito:preferred_role"]?.string }
  /// When the user signed in. A refresh does not change it.
  public var signedInAt: NumericDate? { token.claims.authenticationTime }
  /// `origin_jti`: the id of the sign-in that the token comes from. It can be revoked.
  public var originTokenID: String? { token.claims["origin_jti"]?.string }

  /// The `custom:` attributes by name, without the prefix.
  ///
  /// The pool's own attributes are strings. A pre token generation trigger can add arrays, objects and
  /// numbers: read those from the token's claims.
  ///
  /// - Throws: `token` with the code `claim_invalid` if one of them is not a string.
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

  /// The value of a `custom:` attribute, or nil.
  ///
  /// - Parameter name: the attribute's name without the prefix.
  /// - Returns: the value.
  /// - Throws: `token` with the code `claim_invalid` if it is not a string.
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
