internal import TokenSecurityEncodings
internal import TokenLifetime

/// An identity and a token that says so.
public struct IssuedToken: Sendable, Hashable {
  public let identityID: String
  /// The compact JWS.
  public let token: String
}

/// What a developer's service asks for its own users, with its own credentials; never a device.
extension IdentityPoolService {
  /// A token for a user of the developer's (`GetOpenIdTokenForDeveloperIdentity`): an identity is made at the first call, and
  /// the same one found at the next.
  ///
  /// - Parameters:
  ///   - poolID: the pool.
  ///   - identityID: an identity to link the logins to; nil for the users' own.
  ///   - logins: the developer provider's name with the user's identifier, and tokens of public providers to be
  ///     linked; at most 10.
  ///   - duration: the token's lifetime, 1 to 86,400 whole seconds. Default: 900.
  ///   - tags: what the session's tags shall be; at most 50.
  ///   - now: when it is issued.
  public func getOpenIDTokenForDeveloperIdentity(
    poolID: String, identityID: String? = nil, logins: NameMap<String>, duration: Duration? = nil,
    tags: NameMap<String> = [:], at now: NumericDate = .now
  ) async throws(IdentityError) -> IssuedToken {
    let lifetime: Duration
    do { lifetime = try LifetimeRule.developerToken.validate(requested: duration) } catch {
      throw .duration(error)
    }
    if let identityID { try Bounds.poolOrIdentityID.check(identityID, "IdentityId") }
    try Bounds.count(logins.count, 0...10, "Logins")
    try Bounds.count(tags.count, 0...50, "PrincipalTags")
    for (key, value) in tags {
      try Bounds.tagKey.check(key, "a key of PrincipalTags")
      try Bounds.principalTagValue.check(value, "a value of PrincipalTags")
    }
    try Bounds.poolOrIdentityID.check(poolID, "IdentityPoolId")
    if identityID == nil, logins.count == 1 {
      // A user who is known, which is nearly all calls: one look at the store.
      let found = try store.read { rows throws(IdentityError) in
        let pool = try Self.pool(poolID, rows)
        let developer = try Self.developerLogin(logins, pool)
        return Known(
          pool: pool, developer: developer,
          identity: try Linking.settled([developer], requested: nil, in: pool, rows))
      }
      if let identity = found.identity {
        let token = try tokens.issue(
          identity.id, of: found.pool, logins: [found.developer.told(in: found.pool)], tags: tags,
          lifetime: lifetime,
          at: now)
        return IssuedToken(identityID: identity.id, token: token)
      }
    }
    let pool = try pool(poolID)
    let developer = try Self.developerLogin(logins, pool)
    var proved = [developer]
    var told = [developer.told(in: pool)]
    for (name, token) in logins where name != developer.provider {
      try Bounds.token.check(token, "a value of Logins")
      let verified = try await self.logins.verify(token, of: name, for: pool, store, at: now)
      proved.append(verified.proved)
      told.append((verified.provider, verified.amr))
    }
    let identity = try await identity(of: proved, requested: identityID, in: pool, at: now)
    let token = try tokens.issue(
      identity.id, of: pool, logins: told, tags: tags, lifetime: lifetime, at: now)
    return IssuedToken(identityID: identity.id, token: token)
  }

  private struct Known: Sendable {
    let pool: IdentityPool
    let developer: ProvedLogin
    let identity: Identity?
  }

  private static func developerLogin(
    _ logins: NameMap<String>, _ pool: IdentityPool
  ) throws(IdentityError) -> ProvedLogin {
    for name in logins.names {
      try Bounds.providerName.check(name, "a key of Logins")
      guard name != LoginProvider.developerTokenName else { throw .developerTokenMisplaced }
      let isPublic =
        LoginProvider(publicName: name) != nil
        || pool.openIDProviderARNs.contains { LoginProvider(openIDProviderARN: $0) == .openID(host: name) }
      guard isPublic || name == pool.developerProviderName else { throw .developerProviderUnknown(name) }
    }
    guard let provider = pool.developerProviderName, let user = logins[provider] else {
      throw .developerLogins(count: 0)
    }
    try Bounds.developerUserIdentifier.check(user, "the developer user identifier in Logins")
    return ProvedLogin(provider: provider, user: user, kind: .developer)
  }

  /// The identity that logins lead to; nothing is written where nothing changes.
  func identity(
    of logins: [ProvedLogin], requested: String?, in pool: IdentityPool, at now: NumericDate
  ) async throws(IdentityError) -> Identity {
    let known = try store.read { rows throws(IdentityError) in
      try Linking.settled(logins, requested: requested, in: pool, rows)
    }
    if let known { return known }
    let newID = try newID()
    return try await store.write { rows throws(IdentityError) in
      // The pool may have gone in the meantime.
      let pool = try Self.pool(pool.id, rows)
      return try Linking.resolve(
        logins, requested: requested, in: pool, newID: newID, at: now.wholeSecond, rows)
    }
  }

  /// A developer's users of one identity, or the identity of one of them.
  public struct DeveloperUsers: Sendable {
    public let identityID: String
    /// A page of the developer's names for them, in the order of their bytes.
    public let users: Page<String>
  }

  /// Which users of the developer's an identity has, or which identity a user (`LookupDeveloperIdentity`).
  ///
  /// - Parameters:
  ///   - poolID: the pool.
  ///   - identityID: an identity; or nil, where `user` is given.
  ///   - user: the developer's identifier; or nil, where `identityID` is given.
  ///   - size: how many users, 1 to 60; 60 where nil.
  ///   - next: what the page before gave.
  public func lookupDeveloperIdentity(
    poolID: String, identityID: String?, user: String?, size: Int64? = nil, next: String? = nil
  ) throws(IdentityError) -> DeveloperUsers {
    try Bounds.poolOrIdentityID.check(poolID, "IdentityPoolId")
    if let identityID { try Bounds.poolOrIdentityID.check(identityID, "IdentityId") }
    if let user { try Bounds.developerUserIdentifier.check(user, "DeveloperUserIdentifier") }
    let size = try Bounds.page(size ?? 60)
    let after = try PageToken.read(next, of: "users")
    guard identityID != nil || user != nil else {
      throw .parameterRefused("IdentityId", rule: "it or DeveloperUserIdentifier must be given")
    }
    return try store.read { rows throws(IdentityError) in
      let pool = try Self.pool(poolID, rows)
      guard let provider = pool.developerProviderName else {
        throw .parameterRefused("IdentityPoolId", rule: "the pool has no developer provider")
      }
      var found = identityID
      if let user {
        guard let login = try rows.login(inPool: poolID, kind: .developer, provider: provider, user: user)
        else {
          throw .developerUserUnknown
        }
        guard identityID == nil || identityID == login.identityID else { throw .identityMismatch }
        found = login.identityID
      }
      guard let found, let identity = try rows.identity(found), identity.poolID == poolID else {
        throw .identityUnknown(found ?? "")
      }
      let users = try rows.logins(of: found)
        .filter { $0.kind == .developer && $0.provider == provider }.map(\.user).sorted()
      let rest = after.map { last in users.filter { last < $0 } } ?? users
      return DeveloperUsers(identityID: found, users: Page(rest, size, "users") { $0 })
    }
  }

  /// Merges two users of the developer's (`MergeDeveloperIdentities`): the source's logins go to the destination's
  /// identity, and the source's identity is disabled.
  ///
  /// - Returns: the destination's identity.
  public func mergeDeveloperIdentities(
    source: String, destination: String, provider: String, poolID: String, at now: NumericDate = .now
  ) async throws(IdentityError) -> String {
    try Bounds.developerUserIdentifier.check(source, "SourceUserIdentifier")
    try Bounds.developerUserIdentifier.check(destination, "DestinationUserIdentifier")
    try Bounds.developerProviderName.check(provider, "DeveloperProviderName")
    try Bounds.poolOrIdentityID.check(poolID, "IdentityPoolId")
    return try await store.write { rows throws(IdentityError) in
      let pool = try Self.pool(poolID, rows)
      guard provider == pool.developerProviderName else { throw .developerProviderUnknown(provider) }
      let from = try Self.owner(of: source, provider, pool, rows)
      var into = try Self.owner(of: destination, provider, pool, rows)
      guard from.id != into.id else { return into.id }
      try Linking.merge(from, into: into, at: now.wholeSecond, rows)
      into.modified = now.wholeSecond
      try rows.put(into)
      return into.id
    }
  }

  private static func owner(
    of user: String, _ provider: String, _ pool: IdentityPool, _ rows: any IdentityReading
  ) throws(IdentityError) -> Identity {
    guard let login = try rows.login(inPool: pool.id, kind: .developer, provider: provider, user: user),
      let identity = try rows.identity(login.identityID)
    else { throw .developerUserUnknown }
    return identity
  }

  /// Takes a user of the developer's off an identity (`UnlinkDeveloperIdentity`). Seen again, the user gets a new one.
  public func unlinkDeveloperIdentity(
    _ identityID: String, user: String, provider: String, poolID: String, at now: NumericDate = .now
  ) async throws(IdentityError) {
    try Bounds.poolOrIdentityID.check(identityID, "IdentityId")
    try Bounds.poolOrIdentityID.check(poolID, "IdentityPoolId")
    try Bounds.developerProviderName.check(provider, "DeveloperProviderName")
    try Bounds.developerUserIdentifier.check(user, "DeveloperUserIdentifier")
    try await store.write { rows throws(IdentityError) in
      let pool = try Self.pool(poolID, rows)
      guard provider == pool.developerProviderName else { throw .developerProviderUnknown(provider) }
      guard var identity = try rows.identity(identityID), identity.poolID == poolID else {
        throw .identityUnknown(identityID)
      }
      guard let login = try rows.login(inPool: poolID, kind: .developer, provider: provider, user: user)
      else {
        throw .loginNotLinked(provider: provider)
      }
      guard login.identityID == identityID else { throw .identityMismatch }
      try rows.removeLogin(inPool: poolID, kind: .developer, provider: provider, user: user)
      identity.modified = now.wholeSecond
      try rows.put(identity)
    }
  }
}
