internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

// The handlers of tokens.

extension UserPoolService {
  func addTokenHandlers(to table: inout Handlers) {
    table.on(GetTokensFromRefreshToken.self) { (input, context) throws(UserPoolError) in
      let (client, pool) = try await client(input.clientID, secret: input.clientSecret, context)
      let tokens = try await refresh(
        RefreshRequest(
          pool: pool, client: client, token: input.refreshToken.unwipedCopy, deviceKey: input.deviceKey,
          secretHash: .checked, replaces: true, clientMetadata: input.clientMetadata ?? [:]),
        context: context)
      return GetTokensFromRefreshToken.Output { $0.authenticationResult = AuthenticationResultType(tokens) }
    }
    table.on(RevokeToken.self) { (input, context) throws(UserPoolError) in
      let (client, _) = try await client(input.clientID, secret: input.clientSecret, context)
      try await revoke(input.token.unwipedCopy, client: client, context: context)
      return RevokeToken.Output()
    }
    table.on(GlobalSignOut.self) { (input, context) throws(UserPoolError) in
      try await signOut(input.accessToken, context: context)
      return GlobalSignOut.Output()
    }
    table.on(AdminUserGlobalSignOut.self) { (input, context) throws(UserPoolError) in
      try await signOut(userNamed: input.username, poolID: input.userPoolID, context: context)
      return AdminUserGlobalSignOut.Output()
    }
  }

  /// Returns a client that proved its secret, and its pool.
  private nonisolated(nonsending) func client(
    _ id: String, secret given: SecretText?, _ context: CallContext
  ) async throws(UserPoolError) -> (client: UserPoolClient, pool: UserPool) {
    let found = try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
      try rows.existingClient(id)
    }
    guard try found.client.isSecret(given, secrets) else { throw .clientSecretRefused }
    return found
  }
}

extension UserPoolClient {
  /// True for the client's secret, and for no secret of a public client.
  fileprivate func isSecret(
    _ given: SecretText?, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> Bool {
    guard let secret = try secret(secrets) else { return given == nil }
    guard let given else { return false }
    return given.withBytes { given in secret.withBytes { ConstantTime.areEqual($0, given) } }
  }
}

extension AuthenticationResultType {
  /// The tokens in a response.
  init(_ tokens: IssuedTokens, newDevice: UserDevice? = nil) {
    self.init()
    accessToken = tokens.accessToken
    idToken = tokens.idToken
    refreshToken = tokens.refreshToken.map { SecretText($0) }
    expiresIn = tokens.lifetime.wholeSeconds
    tokenType = "Bearer"
    guard let newDevice else { return }
    var metadata = NewDeviceMetadataType()
    metadata.deviceKey = newDevice.key
    metadata.deviceGroupKey = newDevice.groupKey
    newDeviceMetadata = metadata
  }
}
