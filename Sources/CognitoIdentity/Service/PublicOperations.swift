internal import TokenSecurityEncodings
internal import OpenIDConnect

/// What devices ask, without a signature: a login's token speaks for them.
extension IdentityPoolService {
  /// The identity of these logins, made at the first call; without logins a new guest (`GetId`).
  ///
  /// - Parameters:
  ///   - poolID: the pool.
  ///   - account: the account that the pool is of, where the caller says so.
  ///   - logins: tokens of public providers; at most 10.
  ///   - now: the instant that tokens are judged at.
  public func getID(
    poolID: String, account: String? = nil, logins: NameMap<String> = [:], at now: NumericDate = .now
  ) async throws(IdentityError) -> String {
    if let account { try Bounds.accountID.check(account, "AccountId") }
    let pool = try pool(poolID)
    guard account == nil || account == settings.account else { throw .poolUnknown(poolID) }
    guard logins[LoginProvider.developerTokenName] == nil else { throw .developerTokenMisplaced }
    let verified = try await verify(logins, for: pool, at: now)
    guard !verified.isEmpty || pool.allowsGuests else { throw .guestsRefused(pool.id) }
    return try await identity(of: verified.map(\.proved), requested: nil, in: pool, at: now).id
  }

  /// A token of an identity for the basic flow, which lives for 600 s (`GetOpenIdToken`).
  ///
  /// A developer token is not taken for it: it would renew itself for ever.
  public func getOpenIDToken(
    _ identityID: String, logins: NameMap<String> = [:], at now: NumericDate = .now
  ) async throws(IdentityError) -> IssuedToken {
    let (_, pool) = try identity(identityID)
    guard logins[LoginProvider.developerTokenName] == nil else { throw .developerTokenMisplaced }
    guard pool.allowsClassicFlow == true else { throw .classicFlowOff(pool.id) }
    let caller = try await caller(identityID, logins, pool, at: now)
    let token = try tokens.issue(
      caller.identityID, of: pool, logins: caller.told, tags: caller.tags,
      lifetime: Self.publicTokenLifetime, at: now)
    return IssuedToken(identityID: caller.identityID, token: token)
  }

  /// Temporary credentials of the pool's role (`GetCredentialsForIdentity`), for one hour.
  ///
  /// - Parameters:
  ///   - identityID: the identity.
  ///   - logins: a developer token under `cognito-identity.amazonaws.com`, or tokens of public providers; none for a guest.
  ///   - customRole: a role of those that the mapping of a login offers.
  ///   - now: when they are issued.
  public func getCredentials(
    for identityID: String, logins: NameMap<String> = [:], customRole: String? = nil,
    at now: NumericDate = .now
  ) async throws(IdentityError) -> TemporaryCredentials {
    if let customRole { try Bounds.arn.check(customRole, "CustomRoleArn") }
    let (_, pool) = try identity(identityID)
    let caller = try await caller(identityID, logins, pool, at: now)
    let arn = try RoleChoice.role(for: caller, in: pool, custom: customRole)
    guard let role = try role(arn) else { throw .roleUnknown(arn) }
    try role.admit(.webIdentity(poolID: pool.id, identityID: caller.identityID, methods: caller.methods))
    return try sessions.issue(
      Session(
        roleARN: arn, name: "CognitoIdentityCredentials", identityID: caller.identityID, poolID: pool.id,
        tags: caller.tags),
      lifetime: Self.credentialsLifetime, at: now)
  }

  /// Takes public logins off an identity (`UnlinkIdentity`). One of its logins must come along.
  public func unlinkIdentity(
    _ identityID: String, logins: NameMap<String>, removing providers: [String], at now: NumericDate = .now
  ) async throws(IdentityError) {
    let (_, pool) = try identity(identityID)
    for name in providers { try Bounds.providerName.check(name, "an element of LoginsToRemove") }
    guard !logins.isEmpty else { throw .identityForbidden(identityID) }
    try await prove(identityID, logins, pool, at: now)
    try await store.write { rows throws(IdentityError) in
      guard var identity = try rows.identity(identityID) else { throw .identityUnknown(identityID) }
      let linked = try rows.logins(of: identityID)
      for name in providers {
        // What the developer's service has linked it alone takes off.
        guard let login = linked.first(where: { $0.kind == .external && $0.provider == name }) else {
          throw .loginNotLinked(provider: name)
        }
        try rows.removeLogin(inPool: pool.id, kind: .external, provider: name, user: login.user)
      }
      identity.modified = now.wholeSecond
      try rows.put(identity)
    }
  }

  /// That the caller has a login of the identity, without linking anything.
  private func prove(
    _ identityID: String, _ logins: NameMap<String>, _ pool: IdentityPool, at now: NumericDate
  ) async throws(IdentityError) {
    var others = logins
    var isProved = false
    if let token = others.removeValue(forKey: LoginProvider.developerTokenName) {
      _ = try developerCaller(identityID, token, pool, at: now)
      isProved = true
    }
    for login in try await verify(others, for: pool, at: now) {
      let linked = try store.read { rows throws(IdentityError) in
        try rows.login(inPool: pool.id, kind: .external, provider: login.provider, user: login.user)
      }
      isProved = isProved || linked?.identityID == identityID
    }
    guard isProved else { throw .identityForbidden(identityID) }
  }

  private func verify(
    _ logins: NameMap<String>, for pool: IdentityPool, at now: NumericDate
  ) async throws(IdentityError) -> [VerifiedLogin] {
    try Bounds.count(logins.count, 0...10, "Logins")
    var verified: [VerifiedLogin] = []
    for (name, token) in logins {
      try Bounds.providerName.check(name, "a key of Logins")
      try Bounds.token.check(token, "a value of Logins")
      verified.append(try await self.logins.verify(token, of: name, for: pool, store, at: now))
    }
    return verified
  }

  /// Who calls for an identity: a guest, a developer token's holder, or whoever has signed in with public providers.
  private func caller(
    _ identityID: String, _ logins: NameMap<String>, _ pool: IdentityPool, at now: NumericDate
  ) async throws(IdentityError) -> IdentityCaller {
    if let token = logins[LoginProvider.developerTokenName] {
      guard logins.count == 1 else {
        throw .parameterRefused(
          "Logins", rule: "a developer token comes alone: all linking goes through the developer")
      }
      return try developerCaller(identityID, token, pool, at: now)
    }
    let verified = try await verify(logins, for: pool, at: now)
    guard !verified.isEmpty else {
      let known = try store.read { rows throws(IdentityError) in try rows.identity(identityID) }
      guard known?.hasSignedIn == false else { throw .identityForbidden(identityID) }
      guard pool.allowsGuests else { throw .guestsRefused(pool.id) }
      return IdentityCaller(guest: identityID)
    }
    let found = try await identity(of: verified.map(\.proved), requested: identityID, in: pool, at: now)
    return IdentityCaller(found.id, verified, in: pool)
  }

  /// The holder of a developer token: it must be this identity's, and the user that it was made for still linked.
  ///
  /// A token of `GetOpenIdToken` is none: it has no claims, and the role mappings of its logins could not be applied.
  private func developerCaller(
    _ identityID: String, _ token: String, _ pool: IdentityPool, at now: NumericDate
  ) throws(IdentityError) -> IdentityCaller {
    try Bounds.token.check(token, "a value of Logins")
    let judged: IdentityTokens.Judged
    do {
      judged = try tokens.judge(token, poolID: pool.id, acceptsGuests: false, at: now)
    } catch .webIdentityRefused(let code, let reason, _) {
      throw .loginRefused(provider: LoginProvider.developerTokenName, code: code, reason: reason)
    }
    guard judged.identityID == identityID else { throw .identityForbidden(identityID) }
    try requireLinked(judged, pool)
    let developer = judged.logins.logins.first {
      $0.source == .developer && $0.provider == pool.developerProviderName
    }
    guard let developer else {
      throw .loginRefused(
        provider: LoginProvider.developerTokenName, code: "provider_missing",
        reason: "it has no login of the pool's developer provider")
    }
    return IdentityCaller(judged, developer: developer)
  }

  /// That the logins that a token of ours tells are still the identity's: one that was taken off opens nothing more.
  func requireLinked(_ judged: IdentityTokens.Judged, _ pool: IdentityPool) throws(IdentityError) {
    guard judged.logins.isAuthenticated else { return }
    let isLinked = try store.read { rows throws(IdentityError) in
      for login in judged.logins.logins {
        guard let user = login.userIdentifier,
          try rows.login(inPool: pool.id, kind: login.kind, provider: login.provider, user: user)?
            .identityID == judged.identityID
        else { return false }
      }
      return true
    }
    guard isLinked else { throw .identityForbidden(judged.identityID) }
  }
}

extension CognitoLogins.Login {
  /// Who proved it.
  var kind: LinkedLogin.Kind { source == .developer ? .developer : .external }
}
