internal import OpenIDConnect
internal import TokenSecurityBase

/// Operations for devices. They are unsigned: a login's token authenticates the caller.
extension IdentityPoolService {
  /// Finds the identity of these logins, or makes one (`GetId`). Without logins, makes a new guest.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - account: the account that the pool must belong to. Default: not checked.
  ///   - logins: names of public providers with tokens; at most 10.
  ///   - now: the time at which tokens are verified.
  /// - Returns: the identity's id.
  /// - Throws: `poolUnknown`, `guestsRefused`, `developerTokenMisplaced`, `loginRefused`, `loginNotVerified`
  ///   and others.
  public func resolveIdentity(
    poolID: String, account: String? = nil, logins: NameMap<String> = [:], at now: Timestamp = .now
  ) async throws(IdentityError) -> String {
    try await resolveIdentity(
      poolID: poolID, account: account, checked: MapBounds<TextBounds>.logins.checked(logins, "Logins"),
      at: now
    ).result
  }

  func resolveIdentity(
    poolID: String, account: String?, checked logins: NameMap<String>, at now: Timestamp
  ) async throws(IdentityError) -> Settled<String> {
    if let account { try TextBounds.accountID.check(account, "AccountId") }
    let pool = try await pool(poolID)
    guard account == nil || account == settings.account else { throw .poolUnknown(poolID) }
    guard logins[LoginProvider.developerTokenName] == nil else { throw .developerTokenMisplaced }
    let verified = try await verify(logins, for: pool, at: now)
    guard !verified.isEmpty || pool.allowsGuests else { throw .guestsRefused(pool.id) }
    let found = try await identity(of: verified.map(\.proved), requested: nil, in: pool, at: now)
    return Settled(found.result.id, changedNothing: found.changedNothing)
  }

  /// Issues a token for the basic flow, valid for 600 s (`GetOpenIdToken`).
  ///
  /// Developer tokens are refused: otherwise a token could be renewed without end.
  ///
  /// - Parameters:
  ///   - identityID: the identity's id.
  ///   - logins: names of public providers with tokens. Default: none, for a guest.
  ///   - now: the time of issue.
  /// - Returns: the identity and its token. The identity is another one where the logins were merged into it.
  /// - Throws: `classicFlowOff`, `developerTokenMisplaced`, `identityForbidden`, `loginRefused` and others.
  public func issueOpenIDToken(
    for identityID: String, logins: NameMap<String> = [:], at now: Timestamp = .now
  ) async throws(IdentityError) -> IssuedToken {
    try await issueOpenIDToken(
      for: identityID, checked: MapBounds<TextBounds>.logins.checked(logins, "Logins"), at: now
    ).result
  }

  func issueOpenIDToken(
    for identityID: String, checked logins: NameMap<String>, at now: Timestamp
  ) async throws(IdentityError) -> Settled<IssuedToken> {
    let (_, pool) = try await identity(identityID)
    guard logins[LoginProvider.developerTokenName] == nil else { throw .developerTokenMisplaced }
    guard pool.allowsClassicFlow == true else { throw .classicFlowOff(pool.id) }
    let caller = try await caller(identityID, logins, pool, at: now)
    let token = try tokens.issue(
      caller.identityID, of: pool, methods: caller.loginMethods, tags: caller.tags, duration: .basicFlow,
      at: now)
    return Settled(
      IssuedToken(identityID: caller.identityID, token: token), changedNothing: caller.changedNothing)
  }

  /// Issues temporary credentials of the pool's role, valid for one hour (`GetCredentialsForIdentity`).
  ///
  /// - Parameters:
  ///   - identityID: the identity's id.
  ///   - logins: `cognito-identity.amazonaws.com` with a developer token, or names of public providers with
  ///     tokens. Default: none, for a guest.
  ///   - customRole: the ARN of one of the roles that a login's role mapping offers.
  ///   - now: the time of issue.
  /// - Returns: the credentials.
  /// - Throws: `identityForbidden`, `loginRefused`, `roleNotSet`, `roleRefused`, `customRoleRefused` and
  ///   others.
  public func issueCredentials(
    for identityID: String, logins: NameMap<String> = [:], customRole: String? = nil, at now: Timestamp = .now
  ) async throws(IdentityError) -> TemporaryCredentials {
    var changedNothing = false
    return try await issueCredentials(
      for: identityID, checked: MapBounds<TextBounds>.logins.checked(logins, "Logins"),
      customRole: customRole, at: now, &changedNothing)
  }

  func issueCredentials(
    for identityID: String, checked logins: NameMap<String>, customRole: String?, at now: Timestamp,
    _ changedNothing: inout Bool
  ) async throws(IdentityError) -> TemporaryCredentials {
    if let customRole { try TextBounds.resourceARN.check(customRole, "CustomRoleArn") }
    let (_, pool) = try await identity(identityID)
    let caller = try await caller(identityID, logins, pool, at: now)
    let arn = try RoleChoice.role(for: caller, in: pool, custom: customRole)
    guard let role = try await role(arn) else { throw .roleUnknown(arn) }
    try role.check(.webIdentity(poolID: pool.id, identityID: caller.identityID, methods: caller.methods))
    changedNothing = caller.changedNothing
    return try sessions.issue(
      SessionTokens.Session(
        roleARN: arn, name: "CognitoIdentityCredentials", identityID: caller.identityID, poolID: pool.id,
        tags: caller.tags, methods: caller.methods),
      lifetime: Self.credentialsLifetime, at: now)
  }

  /// Unlinks public logins from an identity (`UnlinkIdentity`).
  ///
  /// - Parameters:
  ///   - identityID: the identity's id.
  ///   - logins: at least one login of the identity, with its token.
  ///   - providers: the names of the providers to unlink.
  ///   - now: the time of the change.
  /// - Throws: `identityForbidden`, `loginNotLinked`, `loginRefused` and others.
  public func unlinkIdentity(
    _ identityID: String, logins: NameMap<String>, removing providers: [String], at now: Timestamp = .now
  ) async throws(IdentityError) {
    try await unlinkIdentity(
      identityID, checked: MapBounds<TextBounds>.logins.checked(logins, "Logins"), removing: providers,
      at: now)
  }

  func unlinkIdentity(
    _ identityID: String, checked logins: NameMap<String>, removing providers: [String], at now: Timestamp
  ) async throws(IdentityError) {
    let (_, pool) = try await identity(identityID)
    for name in providers { try TextBounds.provider.check(name, "an element of LoginsToRemove") }
    guard !logins.isEmpty else { throw .identityForbidden(identityID) }
    try await prove(identityID, logins, pool, at: now)
    try await store.write { rows throws(IdentityError) in
      guard var identity = try rows.identity(identityID) else { throw .identityUnknown(identityID) }
      let linked = try rows.logins(of: identityID)
      for name in providers {
        // Only the developer's service unlinks developer logins.
        guard let login = linked.first(where: { $0.kind == .external && $0.provider == name }) else {
          throw .loginNotLinked(provider: name)
        }
        try rows.removeLogin(inPool: pool.id, kind: .external, provider: name, user: login.user)
      }
      identity.modified = now.wholeSecond
      try rows.put(identity)
    }
  }

  /// Checks that the caller has a login of the identity. Links nothing.
  private func prove(
    _ identityID: String, _ logins: NameMap<String>, _ pool: IdentityPool, at now: Timestamp
  ) async throws(IdentityError) {
    var isProved = false
    if let token = logins[LoginProvider.developerTokenName] {
      _ = try await developerCaller(identityID, token, pool, at: now)
      isProved = true
    }
    for login in try await verify(logins, for: pool, at: now) {
      let linked = try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
        try rows.login(inPool: pool.id, kind: .external, provider: login.provider, user: login.user)
      }
      isProved = isProved || linked?.identityID == identityID
    }
    guard isProved else { throw .identityForbidden(identityID) }
  }

  /// Verifies the tokens of public providers. A developer token is not one of them.
  private func verify(
    _ logins: NameMap<String>, for pool: IdentityPool, at now: Timestamp
  ) async throws(IdentityError) -> [VerifiedLogin] {
    var verified: [VerifiedLogin] = []
    for (name, token) in logins where name != LoginProvider.developerTokenName {
      verified.append(try await self.logins.verify(token, of: name, for: pool, store, at: now))
    }
    return verified
  }

  /// The caller of an identity: a guest, the holder of a developer token, or a user of public providers.
  private func caller(
    _ identityID: String, _ logins: NameMap<String>, _ pool: IdentityPool, at now: Timestamp
  ) async throws(IdentityError) -> IdentityCaller {
    if let token = logins[LoginProvider.developerTokenName] {
      guard logins.count == 1 else {
        throw .parameterRefused(
          "Logins", rule: "a developer token must be the only login: only the developer links logins")
      }
      return try await developerCaller(identityID, token, pool, at: now)
    }
    let verified = try await verify(logins, for: pool, at: now)
    guard !verified.isEmpty else {
      let known = try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
        try rows.storedIdentity(identityID)
      }
      guard known?.hasSignedIn == false else { throw .identityForbidden(identityID) }
      guard pool.allowsGuests else { throw .guestsRefused(pool.id) }
      return IdentityCaller(guest: identityID)
    }
    let found = try await identity(of: verified.map(\.proved), requested: identityID, in: pool, at: now)
    return IdentityCaller(found.result.id, verified, in: pool, changedNothing: found.changedNothing)
  }

  /// The holder of a developer token. The token must be for this identity, and its user must still be linked.
  ///
  /// Tokens of `GetOpenIdToken` are refused: they lack the claims that role mappings of public logins need.
  private func developerCaller(
    _ identityID: String, _ token: String, _ pool: IdentityPool, at now: Timestamp
  ) async throws(IdentityError) -> IdentityCaller {
    let verified: IdentityTokens.Verified
    do {
      verified = try await tokens.verify(token, poolID: pool.id, acceptsGuests: false, at: now)
    } catch .webIdentityRefused(let code, let reason, _) {
      throw .loginRefused(provider: LoginProvider.developerTokenName, code: code, reason: reason)
    }
    guard verified.identityID == identityID else { throw .identityForbidden(identityID) }
    try await requireLinked(verified, pool)
    let developer = verified.logins.logins.first {
      $0.source == .developer && $0.provider == pool.developerProviderName
    }
    guard let developer else {
      throw .loginRefused(
        provider: LoginProvider.developerTokenName, code: "provider_missing",
        reason: "it has no login of the pool's developer provider")
    }
    return IdentityCaller(verified, developer: developer)
  }

  /// Checks that the logins in a token are still linked to the identity.
  private func requireLinked(
    _ verified: IdentityTokens.Verified, _ pool: IdentityPool
  ) async throws(IdentityError) {
    guard verified.logins.isAuthenticated else { return }
    try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      try Self.requireLinked(verified, pool, rows)
    }
  }

  static func requireLinked(
    _ verified: IdentityTokens.Verified, _ pool: IdentityPool, _ rows: ReadTransaction<IdentityError>
  ) throws(IdentityError) {
    guard verified.logins.isAuthenticated else { return }
    for login in verified.logins.logins {
      guard let user = login.userIdentifier,
        try rows.login(inPool: pool.id, kind: login.kind, provider: login.provider, user: user)?
          .identityID == verified.identityID
      else { throw .identityForbidden(verified.identityID) }
    }
  }
}

extension CognitoLogins.Login {
  var kind: LinkedLogin.Kind { source == .developer ? .developer : .external }
}
