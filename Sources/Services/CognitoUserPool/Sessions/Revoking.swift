internal import JOSE
internal import Records
internal import TokenSecurityBase

/// The end of sign-ins.
extension Sessions {
  /// Revokes a refresh token with all tokens of its sign-in (`RevokeToken`, RFC 7009). An unknown token is not an
  /// error.
  ///
  /// - Parameters:
  ///   - token: the refresh token.
  ///   - client: the client, whose secret was checked.
  ///   - context: the call.
  /// - Throws: `operationNotSupported`, `tokenTypeNotSupported`, `clientNotAuthorized`, `storeFailed`.
  package nonisolated(nonsending) func revoke(
    _ token: String, client: UserPoolClient, context: CallContext
  ) async throws(UserPoolError) {
    context.subject.isPool(client.poolID)
    guard client.isRevocationEnabled else {
      throw .operationNotSupported(rule: "Token revocation is not enabled for the client.")
    }
    guard let refreshToken = try RefreshToken(token, poolID: client.poolID, secrets: secrets) else {
      let limits = TokenLimits(token: AccessToken.sizeLimit)
      guard (try? UnverifiedToken(token, limits: limits)) == nil else { throw .tokenTypeNotSupported }
      return
    }
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      guard var row = try rows.signIn(refreshToken.signInID, in: client.poolID) else { return }
      guard row.clientID.isIdentical(to: client.id) else { throw .clientNotAuthorized }
      guard !row.isRevoked else { return }
      row.isRevoked = true
      try rows.put(row)
    }
  }

  /// Ends all sign-ins of an access token's user (`GlobalSignOut`).
  ///
  /// - Throws: as ``Callers/tokenCaller(_:context:)``.
  package nonisolated(nonsending) func signOut(
    _ accessToken: String, context: CallContext
  ) async throws(UserPoolError) {
    let caller = try await callers.tokenCaller(accessToken, context: context)
    let (sub, pool) = (caller.user.sub, caller.pool)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      let user = try rows.existingUser(sub: sub, in: pool)
      try rows.endSignIns(of: user)
    }
  }

  /// Ends all sign-ins of a user, for an administrator (`AdminUserGlobalSignOut`).
  ///
  /// - Throws: `poolUnknown`, `userUnknown`, `storeFailed`.
  package nonisolated(nonsending) func signOut(
    userNamed name: String, poolID: String, context: CallContext
  ) async throws(UserPoolError) {
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      let user = try rows.existingUser(named: name, inPool: poolID, naming: context.subject).user
      try rows.endSignIns(of: user)
    }
  }
}

extension WriteTransaction<UserPoolError> {
  /// Ends all sign-ins of a user: refresh tokens and access tokens.
  ///
  /// - Parameter user: the user, as read in this transaction.
  /// - Throws: `storeFailed`.
  package func endSignIns(of user: User) throws(UserPoolError) {
    var user = user
    user.endSignIns()
    try put(user)
  }
}
