internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// Tokens of sign-ins.
extension Sessions {
  /// Issues the tokens of a new sign-in and stores it.
  ///
  /// - Parameters:
  ///   - facts: who has signed in.
  ///   - source: what PreTokenGeneration is called for.
  ///   - context: the call.
  ///   - settlement: the answer that has signed the user in, in a pool without PreTokenGeneration. It is used up in
  ///     the transaction that stores the sign-in. Default: it was settled before.
  /// - Returns: the tokens.
  /// - Throws: `poolUnknown`, `userUnknown` where pool or user were deleted meanwhile, errors of the hook,
  ///   `storeFailed`, `cryptoFailed`; `sessionUsed`, `passwordAttemptsExceeded` for the answer.
  package nonisolated(nonsending) func issueTokens(
    _ facts: SignInFacts, source: TokenGenerationSource, context: CallContext,
    settling settlement: Settlement? = nil
  ) async throws(UserPoolError) -> IssuedTokens {
    context.subject.isUser(facts.user)
    let new = try NewSignIn(facts, at: context.time, secrets)
    let groups: [UserGroup]
    if let settlement {
      // Before the tokens are signed: an answer that was used up costs no signatures.
      let stored = try await store.write(at: context.time) { rows throws(UserPoolError) -> StoredSignIn in
        if let refused = try rows.settle(settlement, isRight: true, storesSignIn: true) {
          return .refused(refused)
        }
        // A refusal does not take the settlement back: that the answer was right is told after a commit alone.
        do throws(UserPoolError) { try rows.add(new.row) } catch { return .refused(error) }
        return .stored(try rows.groups(of: facts.user))
      }
      switch stored {
      case .refused(let error): throw error
      case .stored(let found): groups = found
      }
    } else {
      groups = try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
        try rows.groups(of: facts.user)
      }
    }
    var tokens = try await tokens(
      of: new.row, facts, TokenGroups(groups), source, at: context.time.wholeSecond)
    tokens.refreshToken = try new.refreshToken.text(secrets: secrets)
    if settlement == nil {
      try await store.write(at: context.time) { rows throws(UserPoolError) in try rows.add(new.row) }
    }
    return tokens
  }

  /// Result of a transaction that settles an answer.
  private enum StoredSignIn: Sendable {
    case stored([UserGroup])
    case refused(UserPoolError)
  }

  /// A sign-in that is not stored yet. Its tokens are valid once it is.
  private struct NewSignIn: Sendable {
    let row: SignIn
    let refreshToken: RefreshToken

    init(_ facts: SignInFacts, at time: Timestamp, _ secrets: UserPoolSecrets) throws(UserPoolError) {
      let now = time.wholeSecond
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
      row.kept = Sessions.kept(row, facts.client, at: now)
      refreshToken = try RefreshToken.first(signInID: row.id, poolID: row.poolID)
      row.refreshDigest = try refreshToken.digest(secrets: secrets)
      self.row = row
    }
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
      issuer: issuers.issuer(of: facts.pool), signInID: row.id, deviceKey: row.deviceKey,
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

extension WriteTransaction<UserPoolError> {
  /// Stores a new sign-in. Rows of a user who was deleted meanwhile would stay.
  ///
  /// - Throws: `poolUnknown`, `userUnknown`.
  fileprivate func add(_ signIn: SignIn) throws(UserPoolError) {
    let pool = try existingPool(signIn.poolID)
    guard try user(sub: signIn.sub, in: pool) != nil else { throw .userUnknown }
    try put(signIn)
  }
}
