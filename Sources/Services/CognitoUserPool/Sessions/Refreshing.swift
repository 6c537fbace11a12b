internal import Records
internal import TokenLifetime
package import TokenSecurityBase

/// A request for new tokens with a refresh token.
package struct RefreshRequest: Sendable {
  package var pool: UserPool
  package var client: UserPoolClient
  package var token: String
  package var deviceKey: String?
  /// The request's `SECRET_HASH`; nil where the client's secret was checked.
  package var secretHash: SecretHash
  /// True where the operation replaces refresh tokens of clients that rotate them.
  package var replaces: Bool
  package var clientMetadata: [ExactString: String]

  /// How the client proves its secret.
  package enum SecretHash: Sendable {
    /// The secret itself was checked.
    case checked
    /// By a hash over one of the user's names, which are not in the request.
    case hash(String?)
  }

  package init(
    pool: UserPool, client: UserPoolClient, token: String, deviceKey: String? = nil,
    secretHash: SecretHash, replaces: Bool, clientMetadata: [ExactString: String] = [:]
  ) {
    self.pool = pool
    self.client = client
    self.token = token
    self.deviceKey = deviceKey
    self.secretHash = secretHash
    self.replaces = replaces
    self.clientMetadata = clientMetadata
  }
}

/// New tokens for refresh tokens.
extension Sessions {
  /// Issues tokens for a refresh token. `auth_time` and `origin_jti` stay.
  ///
  /// - Parameters:
  ///   - request: the request, whose client may use the operation.
  ///   - context: the call.
  /// - Returns: the tokens; with a refresh token where the given one was replaced.
  /// - Throws: `refreshTokenInvalid`, `refreshTokenExpired`, `refreshTokenRevoked`, `refreshTokenReused`,
  ///   `flowNotEnabled`, `secretHashMissing`, `refreshSecretHashMismatch`, `userUnknown`, `userDisabled`,
  ///   `passwordResetRequired`, errors of the hook.
  package nonisolated(nonsending) func refresh(
    _ request: RefreshRequest, context: CallContext
  ) async throws(UserPoolError) -> IssuedTokens {
    let (pool, client) = (request.pool, request.client)
    let grace = client.replacementGrace
    guard request.replaces || grace == nil else {
      throw .flowNotEnabled("REFRESH_TOKEN_AUTH is not enabled for the client.")
    }
    guard let token = try RefreshToken(request.token, poolID: pool.id, secrets: secrets) else {
      throw .refreshTokenInvalid
    }
    let now = context.time.wholeSecond
    let check = RefreshCheck(token: token, client: client, grace: grace ?? .zero, secrets: secrets, now: now)
    let deviceKey = request.deviceKey
    let found = try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
      let found = try check.signIn(rows, in: pool)
      try rows.checkDevice(deviceKey, of: found.row, found.user, in: pool)
      return (row: found.row, user: found.user, groups: try rows.groups(of: found.user))
    }
    context.subject.isUser(found.user)
    try checkSecretHash(request.secretHash, of: found.user, client)
    let facts = SignInFacts(
      pool: pool, client: client, user: found.user, deviceKey: found.row.deviceKey,
      authTime: found.row.signedIn, clientMetadata: request.clientMetadata)
    var tokens = try await tokens(of: found.row, facts, TokenGroups(found.groups), .refresh, at: now)
    let kept = Self.kept(found.row, client, at: now)
    let isReplaced = request.replaces && grace != nil
    if isReplaced {
      let secrets = secrets
      var again = check
      again.now = context.time.wholeSecond
      let check = again
      tokens.refreshToken = try await store.write(at: context.time) { rows throws(UserPoolError) in
        // Other calls may have replaced or revoked the token.
        var row = try check.signIn(rows, in: pool).row
        let current = try check.replace(token, in: &row)
        row.kept = max(row.kept, kept)
        try rows.put(row)
        return try current.text(secrets: secrets)
      }
    } else if found.row.kept < kept {
      // The checks of the new access token need the row for longer than the refresh token lives.
      try await store.write(at: context.time) { rows throws(UserPoolError) in
        guard var row = try rows.signIn(token.signInID, in: pool.id), row.kept < kept else { return }
        row.kept = kept
        try rows.put(row)
      }
    }
    return tokens
  }

  /// Checks a refresh's hash, which is over the user name, the `sub` or an alias.
  private func checkSecretHash(
    _ hash: RefreshRequest.SecretHash, of user: User, _ client: UserPoolClient
  ) throws(UserPoolError) {
    guard case .hash(let hash) = hash else { return }
    let names =
      [user.name, user.sub]
      + AliasAttribute.allCases.compactMap { user.attribute($0.name) }
    guard try client.isSecretHash(hash, of: names, secrets) else {
      throw .refreshSecretHashMismatch(clientID: client.id)
    }
  }
}

extension ReadTransaction<UserPoolError> {
  /// Checks that a sign-in on a device goes on with this device, confirmed and not forgotten.
  ///
  /// - Throws: `refreshTokenInvalid`.
  fileprivate func checkDevice(
    _ deviceKey: String?, of signIn: SignIn, _ user: User, in pool: UserPool
  ) throws(UserPoolError) {
    guard pool.devices != nil, let expected = signIn.deviceKey else { return }
    guard let deviceKey, deviceKey.isIdentical(to: expected), let device = try device(expected, of: user),
      device.isConfirmed
    else { throw .refreshTokenInvalid }
  }
}
