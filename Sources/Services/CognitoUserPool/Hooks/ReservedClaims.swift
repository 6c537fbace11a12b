internal import TokenSecurityBase

/// Claims that PreTokenGeneration can neither change nor suppress.
package enum ReservedClaims {
  /// In both tokens.
  private static let always: Set<ExactString> = [
    "acr", "amr", "aud", "at_hash", "auth_time", "azp", "cognito:username", "exp", "iat", "identities", "iss",
    "jti", "nbf", "nonce", "origin_jti", "sub", "token_use",
  ]
  private static let access: Set<ExactString> = [
    "client_id", "username", "scope", "version", "device_key", "event_id", "cognito:groups",
  ]

  /// Returns whether a hook cannot change a claim.
  package static func contains(_ name: String, isAccessToken: Bool) -> Bool {
    let name = ExactString(name)
    // `cognito:groups` and the roles have a member of their own in the response.
    return always.contains(name) || (isAccessToken && access.contains(name))
  }
}
