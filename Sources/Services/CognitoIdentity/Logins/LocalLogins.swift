internal import OpenIDConnect
internal import TokenSecurityBase

/// Logins with tokens of user pools of the same process.
extension LoginVerifier {
  /// Selects the keys of a pool of this process.
  ///
  /// - Returns: true for such a pool.
  func trustLocal(_ key: inout CacheKey, _ name: String) async throws(IdentityError) -> Bool {
    guard case .userPool(let id) = key.provider, let userPools else { return false }
    switch try await userPools.trust(inUserPool: id) {
    case .foreign: return false
    case .removed:
      throw .loginRefused(provider: name, code: "user_pool_unknown", reason: "its user pool does not exist")
    case .local(let issuer, let keySet):
      key.issuer = issuer
      key.keySet = keySet
      return true
    }
  }

  /// Checks that the sign-in of a token goes on (`ServerSideTokenCheck`).
  func checkSignIn(
    _ claims: TokenClaims, _ subject: String, userPool id: String, _ name: String, isLocal: Bool
  ) async throws(IdentityError) {
    guard isLocal, let userPools else {
      throw .loginNotVerified(provider: name, reason: "its user pool is not one of this service")
    }
    guard let origin = claims["origin_jti"]?.string,
      try await userPools.isSignedIn(originTokenID: origin, subject: subject, userPool: id)
    else {
      throw .loginRefused(
        provider: name, code: "token_revoked", reason: "its sign-in was ended, or its user is disabled")
    }
  }

  /// Checks that the sign-ins of clients can be asked for (`ServerSideTokenCheck`): their user pools are those of
  /// this process.
  func check(_ clients: [IdentityPool.UserPoolClient]) async throws(IdentityError) {
    for client in clients where client.checksSignIns {
      var isLocal = false
      if let userPools, case .userPool(let id)? = LoginProvider(publicName: client.providerName),
        case .local = try await userPools.trust(inUserPool: id)
      {
        isLocal = true
      }
      guard isLocal else {
        throw .parameterRefused(
          "CognitoIdentityProviders.ServerSideTokenCheck",
          rule: "the user pool is not one of this service, which could not ask it for revoked tokens")
      }
    }
  }
}
