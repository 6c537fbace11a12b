internal import TokenLifetime
internal import TokenSecurityBase

/// An identity and a token issued for it.
public struct IssuedToken: Sendable, Hashable {
  /// The identity's id.
  public let identityID: String
  /// The compact JWS.
  public let token: String
}

/// The result of a call, and whether the call changed the store for it. Audit logs have the calls that did.
struct Settled<Result: Sendable>: Sendable {
  let result: Result
  let changedNothing: Bool

  init(_ result: Result, changedNothing: Bool) {
    self.result = result
    self.changedNothing = changedNothing
  }
}

/// Operations for a developer's own users. Only the developer's service calls them, with a signature.
extension IdentityPoolService {
  /// Issues a token for a user of the developer's (`GetOpenIdTokenForDeveloperIdentity`). The first call for
  /// a user makes an identity; later calls find it.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - identityID: an identity to link the logins to. Default: the one that the logins belong to.
  ///   - logins: the developer provider's name with the user's identifier, and names of public providers with
  ///     tokens; at most 10.
  ///   - duration: the token's lifetime, 1 to 86,400 whole seconds. Default: 900 s.
  ///   - tags: session tags; at most 50.
  ///   - now: the time of issue.
  /// - Returns: the identity and its token.
  /// - Throws: `parameterLength`, `parameterPattern`, `duration`, `poolUnknown`, `developerLogins`,
  ///   `developerProviderUnknown`, `developerUserTaken`, `loginRefused`, `loginConflict` and others.
  public func issueDeveloperToken(
    poolID: String, identityID: String? = nil, logins: NameMap<String>, duration: Duration? = nil,
    tags: NameMap<String> = [:], at now: Timestamp = .now
  ) async throws(IdentityError) -> IssuedToken {
    try await issueDeveloperToken(
      poolID: poolID, identityID: identityID, checked: MapBounds<TextBounds>.logins.checked(logins, "Logins"),
      duration: TokenDuration(duration),
      tags: MapBounds<TextBounds>.principalTags.checked(tags, "PrincipalTags"), at: now
    ).result
  }

  /// The operation under its name on the wire.
  @available(*, deprecated, renamed: "issueDeveloperToken(poolID:identityID:logins:duration:tags:at:)")
  public func getOpenIDTokenForDeveloperIdentity(
    poolID: String, identityID: String? = nil, logins: NameMap<String>, duration: Duration? = nil,
    tags: NameMap<String> = [:], at now: Timestamp = .now
  ) async throws(IdentityError) -> IssuedToken {
    try await issueDeveloperToken(
      poolID: poolID, identityID: identityID, logins: logins, duration: duration, tags: tags, at: now)
  }

  nonisolated(nonsending) func issueDeveloperToken(
    poolID: String, identityID: String?, checked logins: NameMap<String>, duration: TokenDuration,
    tags: NameMap<String>,
    at now: Timestamp
  ) async throws(IdentityError) -> Settled<IssuedToken> {
    if let identityID { try TextBounds.identityID.check(identityID, "IdentityId") }
    try TextBounds.identityID.check(poolID, "IdentityPoolId")
    if identityID == nil, logins.count == 1 {
      // Nearly all calls are for a known user: one read of the store.
      let found = try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
        let pool = try Self.pool(poolID, rows)
        let developer = try Self.developerLogin(logins, pool)
        return Known(
          pool: pool, developer: developer,
          identity: try Linking.settled([developer], requested: nil, in: pool, rows))
      }
      if let identity = found.identity {
        let token = try tokens.issue(
          identity.id, of: found.pool, methods: [found.developer.method(in: found.pool)], tags: tags,
          duration: duration, at: now)
        return Settled(IssuedToken(identityID: identity.id, token: token), changedNothing: true)
      }
    }
    let pool = try await pool(poolID)
    let developer = try Self.developerLogin(logins, pool)
    var proved = [developer]
    var methods = [developer.method(in: pool)]
    for (name, token) in logins where name != developer.provider {
      let verified = try await self.logins.verify(token, of: name, for: pool, store, at: now)
      proved.append(verified.proved)
      methods.append((verified.provider, verified.amr))
    }
    let found = try await identity(of: proved, requested: identityID, in: pool, at: now)
    let id = found.result.id
    let token = try tokens.issue(
      id, of: pool, methods: methods, tags: tags, duration: duration, at: now)
    return Settled(IssuedToken(identityID: id, token: token), changedNothing: found.changedNothing)
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
      guard name != LoginProvider.developerTokenName else { throw .developerTokenMisplaced }
      let isPublic =
        LoginProvider(publicName: name) != nil
        || pool.openIDProviderARNs.contains { LoginProvider(openIDProviderARN: $0) == .openID(host: name) }
      guard isPublic || name == pool.developerProviderName else { throw .developerProviderUnknown(name) }
    }
    guard let provider = pool.developerProviderName, let user = logins[provider] else {
      throw .developerLogins(count: 0)
    }
    try TextBounds.developerUser.check(user, "the developer user identifier in Logins")
    return ProvedLogin(provider: provider, user: user, kind: .developer)
  }

  /// The identity that logins belong to. The store is written only where something changes.
  func identity(
    of logins: [ProvedLogin], requested: String?, in pool: IdentityPool, at now: Timestamp
  ) async throws(IdentityError) -> Settled<Identity> {
    let known = try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      // A large pool's identities are removed after it.
      guard try rows.hasPool(pool.id) else { throw .poolUnknown(pool.id) }
      return try Linking.settled(logins, requested: requested, in: pool, rows)
    }
    if let known { return Settled(known, changedNothing: true) }
    let (newID, observer) = (try newID(), observer)
    let resolved = try await store.write { rows throws(IdentityError) in
      // The pool may have been removed since.
      let pool = try Self.pool(pool.id, rows)
      return try Linking.resolve(
        logins, requested: requested, in: pool, newID: newID, at: now.wholeSecond, observer: observer, rows)
    }
    return Settled(resolved, changedNothing: false)
  }
}
