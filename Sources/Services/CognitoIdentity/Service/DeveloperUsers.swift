internal import TokenSecurityBase

/// Operations on the users that a developer's service has linked.
extension IdentityPoolService {
  /// The developer's users of an identity.
  public struct DeveloperUsers: Sendable {
    /// The identity's id.
    public let identityID: String
    /// A page of the developer's identifiers for the users, ordered by their bytes.
    public let users: Page<String>
  }

  /// Looks up an identity's developer users, or a user's identity (`LookupDeveloperIdentity`). One of
  /// `identityID` and `user` must be given.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - identityID: an identity's id.
  ///   - user: the developer's identifier of a user.
  ///   - size: the most users in the page, 1 to 60. Default: 60.
  ///   - next: `next` of the previous page.
  /// - Returns: the identity and a page of its users.
  /// - Throws: `developerUserUnknown`, `identityUnknown`, `identityMismatch`, `parameterRefused` and others.
  public func lookupDeveloperIdentity(
    poolID: String, identityID: String?, user: String?, size: Int64? = nil, next: String? = nil
  ) async throws(IdentityError) -> DeveloperUsers {
    try TextBounds.identityID.check(poolID, "IdentityPoolId")
    if let identityID { try TextBounds.identityID.check(identityID, "IdentityId") }
    if let user { try TextBounds.developerUser.check(user, "DeveloperUserIdentifier") }
    let size = try IntegerBounds.page(size ?? 60)
    let after = try PageToken.read(next, of: "users")
    guard identityID != nil || user != nil else {
      throw .parameterRefused("IdentityId", rule: "it or DeveloperUserIdentifier must be given")
    }
    return try await store.read { rows throws(IdentityError) in
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
      guard let found, try rows.identity(found, inPool: poolID) != nil else {
        throw .identityUnknown(found ?? "")
      }
      let users = try rows.logins(of: found)
        .filter { $0.kind == .developer && $0.provider == provider }.map(\.user).sorted()
      let rest = after.map { last in users.filter { last < $0 } } ?? users
      return DeveloperUsers(identityID: found, users: Page(rest, size, "users") { $0 })
    }
  }

  /// Merges two developer users (`MergeDeveloperIdentities`): moves the source's logins to the destination's
  /// identity and disables the source's identity.
  ///
  /// - Parameters:
  ///   - source: the developer's identifier of the user whose identity is disabled.
  ///   - destination: the developer's identifier of the user whose identity remains.
  ///   - provider: the pool's developer provider name.
  ///   - poolID: the pool's id.
  ///   - now: the time of the change.
  /// - Returns: the id of the destination's identity.
  /// - Throws: `developerProviderUnknown`, `developerUserUnknown`, `loginConflict`, `loginsFull` and others.
  public func mergeDeveloperIdentities(
    source: String, destination: String, provider: String, poolID: String, at now: Timestamp = .now
  ) async throws(IdentityError) -> String {
    try TextBounds.developerUser.check(source, "SourceUserIdentifier")
    try TextBounds.developerUser.check(destination, "DestinationUserIdentifier")
    try TextBounds.developerProvider.check(provider, "DeveloperProviderName")
    try TextBounds.identityID.check(poolID, "IdentityPoolId")
    let observer = observer
    return try await store.write { rows throws(IdentityError) in
      let pool = try Self.pool(poolID, rows)
      guard provider == pool.developerProviderName else { throw .developerProviderUnknown(provider) }
      let from = try Self.owner(of: source, provider, pool, rows)
      var into = try Self.owner(of: destination, provider, pool, rows)
      guard from.id != into.id else { return into.id }
      try Linking.merge(from, into: into, at: now.wholeSecond, observer: observer, rows)
      into.modified = now.wholeSecond
      try rows.put(into)
      return into.id
    }
  }

  private static func owner(
    of user: String, _ provider: String, _ pool: IdentityPool, _ rows: ReadTransaction<IdentityError>
  ) throws(IdentityError) -> Identity {
    guard let login = try rows.login(inPool: pool.id, kind: .developer, provider: provider, user: user),
      let identity = try rows.identity(login.identityID, inPool: pool.id)
    else { throw .developerUserUnknown }
    return identity
  }

  /// Unlinks a developer user from an identity (`UnlinkDeveloperIdentity`). The user's next login makes a new
  /// identity.
  ///
  /// - Parameters:
  ///   - identityID: the identity's id.
  ///   - user: the developer's identifier of the user.
  ///   - provider: the pool's developer provider name.
  ///   - poolID: the pool's id.
  ///   - now: the time of the change.
  /// - Throws: `developerProviderUnknown`, `identityUnknown`, `loginNotLinked`, `identityMismatch` and
  ///   others.
  public func unlinkDeveloperIdentity(
    _ identityID: String, user: String, provider: String, poolID: String, at now: Timestamp = .now
  ) async throws(IdentityError) {
    try TextBounds.identityID.check(identityID, "IdentityId")
    try TextBounds.identityID.check(poolID, "IdentityPoolId")
    try TextBounds.developerProvider.check(provider, "DeveloperProviderName")
    try TextBounds.developerUser.check(user, "DeveloperUserIdentifier")
    try await store.write { rows throws(IdentityError) in
      let pool = try Self.pool(poolID, rows)
      guard provider == pool.developerProviderName else { throw .developerProviderUnknown(provider) }
      guard var identity = try rows.identity(identityID, inPool: poolID) else {
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
