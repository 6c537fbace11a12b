internal import ServiceOperations
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The tokens of a response, not verified.
///
/// `UserPoolSessions` verifies them before it gives them out.
struct IssuedTokens: Sendable {
  var idToken: String
  var accessToken: String
  /// Nil where the service gave none: at a refresh without rotation, and to clients that may not refresh.
  var refreshToken: SecretText?

  init(idToken: String, accessToken: String, refreshToken: SecretText?) {
    self.idToken = idToken
    self.accessToken = accessToken
    self.refreshToken = refreshToken
  }

  /// The tokens of `AuthenticationResult`.
  ///
  /// - Throws: `responseMalformed`.
  init(_ result: AuthenticationResultType?) throws(UserPoolClientError) {
    guard let result else { throw .responseMalformed(rule: "it has no AuthenticationResult") }
    guard let idToken = result.idToken else { throw .responseMalformed(rule: "it has no IdToken") }
    guard let accessToken = result.accessToken else {
      throw .responseMalformed(rule: "it has no AccessToken")
    }
    self.idToken = idToken
    self.accessToken = accessToken
    refreshToken = result.refreshToken
  }

  /// True if both have the same refresh token, or none.
  func hasRefreshToken(of other: IssuedTokens) -> Bool {
    switch (refreshToken, other.refreshToken) {
    case (nil, nil): true
    case (let mine?, let theirs?):
      mine.withBytes { mine in theirs.withBytes { ConstantTime.areEqual($0, mine) } }
    default: false
    }
  }
}
