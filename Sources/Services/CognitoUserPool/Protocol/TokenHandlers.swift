internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

// The handlers of tokens.

extension Sessions {
  func addHandlers(to table: inout Handlers) {
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
