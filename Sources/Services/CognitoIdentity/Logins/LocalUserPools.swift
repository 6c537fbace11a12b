internal import TokenSecurityBase

/// User pools of the same process. Their tokens are logins without the network.
///
///     struct ServedPools: LocalUserPools {
///       func trust(inUserPool id: String) async throws(IdentityError) -> UserPoolTrust { .foreign }
///
///       func isSignedIn(
///         originTokenID: String, subject: String, userPool id: String
///       ) async throws(IdentityError) -> Bool { false }
///     }
///     let logins = LoginVerifier(userPools: ServedPools())
public protocol LocalUserPools: Sendable {
  /// Returns whose keys verify the tokens of a pool. It is asked for each login, so that a removed pool is no
  /// longer trusted.
  ///
  /// - Parameter id: the pool's id.
  /// - Returns: the pool's issuer and keys, or that it is not one of this process.
  /// - Throws: `storeFailed`.
  func trust(inUserPool id: String) async throws(IdentityError) -> UserPoolTrust

  /// Returns whether a sign-in goes on: it was not revoked, and the user is there and enabled.
  ///
  /// - Parameters:
  ///   - originTokenID: `origin_jti` of the sign-in's tokens.
  ///   - subject: `sub` of the tokens.
  ///   - id: the pool's id.
  /// - Returns: whether it goes on.
  /// - Throws: `storeFailed`.
  func isSignedIn(
    originTokenID: String, subject: String, userPool id: String
  ) async throws(IdentityError) -> Bool
}

/// Whose keys verify a user pool's tokens.
public enum UserPoolTrust: Sendable, Hashable {
  /// The pool is one of this process: the issuer of its tokens, nil for Cognito's own in both forms, and its JWK set as
  /// JSON.
  case local(issuer: String?, keySet: String)
  /// The pool was one of this process and was removed.
  case removed
  /// The pool is another service's, which publishes the keys.
  case foreign
}
