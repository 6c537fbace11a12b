internal import Records
internal import TokenLifetime
internal import TokenSecurityEncodings

/// Tokens of sign-ins.
extension UserPoolService {
  /// Issues the tokens of a new sign-in and stores it.
  ///
  /// - Parameters:
  ///   - facts: who has signed in.
  ///   - source: what PreTokenGeneration is called for.
  ///   - context: the call.
  ///   - settlement: the answer that has signed the user in, which is used up in the same transaction. Default: it
  ///     was settled before.
  /// - Returns: the tokens.
  /// - Throws: `poolUnknown`, `userUnknown` where pool or user were deleted meanwhile, errors of the hook,
  ///   `storeFailed`, `cryptoFailed`; `sessionUsed`, `passwordAttemptsExceeded` for the answer.
  package nonisolated(nonsending) func issueTokens(
    _ facts: SignInFacts, source: TokenGenerationSource, context: CallContext,
    settling settlement: Settlement? = nil
  ) async throws(UserPoolError) -> IssuedTokens {
    let prepared = try await prepareSignIn(facts, source: source, context: context, settling: settlement)
    let refused: UserPoolError? = try await store.write(at: context.time) { rows throws(UserPoolError) in
      // First: an answer that is refused stores no sign-in.
      if let settlement, let refused = try rows.settle(settlement, isRight: true) { return refused }
      // Rows of a user who was deleted while a hook ran would stay.
      let pool = try rows.existingPool(facts.pool.id)
      guard try rows.user(sub: facts.user.sub, in: pool) != nil else { throw .userUnknown }
      try rows.put(prepared.row)
      return nil
    }
    if let refused { throw refused }
    return prepared.tokens
  }

  /// Makes the tokens of a new sign-in, which are valid once its row is stored.
  private nonisolated(nonsending) func prepareSignIn(
    _ facts: SignInFacts, source: TokenGenerationSource, context: CallContext,
    settling settlement: Settlement?
  ) async throws(UserPoolError) -> PreparedSignIn {
    context.subject.isUser(facts.user)
    let now = context.time.wholeSecond
    var row = SignIn()
    row.id = try UUIDText.new()
    row.poolID = facts.pool.id
    row.clientID = facts.client.id
    row.sub = facts.user.sub
    row.canonicalName = facts.user.canonicalName
    row.deviceKey = facts.deviceKey
    row.signedIn = facts.authTime.wholeSecond
    row.epoch = facts.user.epoch
    row.end = now + facts.client.refreshTokenLifetime
    row.kept = Self.kept(row, facts.client, at: now)
    let refreshToken = try RefreshToken.first(signInID: row.id, poolID: row.poolID)
    row.refreshDigest = try refreshToken.digest(secrets: secrets)
    let user = facts.user
    let groups = try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
      if let settlement { try rows.checkUnused(settlement) }
      return try rows.groups(of: user)
    }
    var tokens = try await tokens(of: row, facts, TokenGroups(groups), source, at: now)
    tokens.refreshToken = try refreshToken.text(secrets: secrets)
    return PreparedSignIn(tokens: tokens, row: row)
  }

  /// Until when a row is needed: its refresh token, and access tokens issued now, whose checks read it.
  static func kept(_ row: SignIn, _ client: UserPoolClient, at now: Timestamp) -> Timestamp {
    max(row.end, now + client.accessTokenLifetime, now + client.idTokenLifetime) + .seconds(300)
  }

  /// Makes the ID token and the access token of a sign-in, as PreTokenGeneration changes them.
  nonisolated(nonsending) func tokens(
    of row: SignIn, _ facts: SignInFacts, _ groups: TokenGroups, _ source: TokenGenerationSource,
    at now: Timestamp
  ) async throws(UserPoolError) -> IssuedTokens {
    let keys = try await keyRings.keys(of: facts.pool.id)
    let changes = try await hooks.preTokenGeneration(
      HookUser(
        facts.user, in: facts.pool, clientID: facts.client.id, clientMetadata: facts.clientMetadata),
      source, groups: groups, scopes: [TokenContents.ownScope])
    let contents = TokenContents(
      pool: facts.pool, client: facts.client, user: facts.user, groups: groups, changes: changes,
      issuer: settings.issuer(of: facts.pool.id), signInID: row.id, deviceKey: row.deviceKey,
      signedIn: row.signedIn, eventID: try UUIDText.new(), now: now)
    let access = contents.accessToken(tokenID: try UUIDText.new())
    let id = contents.idToken(tokenID: try UUIDText.new())
    return IssuedTokens(
      accessToken: try Self.sign(access, with: keys.access, at: now),
      idToken: try Self.sign(id, with: keys.id, at: now), refreshToken: nil,
      lifetime: facts.client.accessTokenLifetime)
  }

  private static func sign(
    _ claims: JSONObject, with ring: PoolKeys.Ring, at now: Timestamp
  ) throws(UserPoolError) -> String {
    let signer = try ring.signer(at: now)
    do throws(JOSEError) { return try signer.sign(TokenClaims(claims)) } catch { throw UserPoolError(error) }
  }
}
