internal import TokenSecurityBase

/// Operations on pools and roles.
extension IdentityPoolService {
  /// Makes a pool from a request (`CreateIdentityPool`).
  func createPool(_ settings: PoolSettings) async throws(IdentityError) -> IdentityPool {
    let pool = try IdentityPool(id: newID(), settings)
    try await createPool(pool)
    return pool
  }

  /// Makes a pool with a new id (`CreateIdentityPool`).
  ///
  /// - Parameters:
  ///   - name: the pool's name, 1 to 128 characters.
  ///   - configure: sets the pool's other properties.
  /// - Returns: the pool.
  /// - Throws: `poolsFull`, and the error of a setting that the protocol would refuse.
  public func createPool(
    named name: String, _ configure: (inout IdentityPool) -> Void = { _ in }
  ) async throws(IdentityError) -> IdentityPool {
    try TextBounds.poolName.check(name, "IdentityPoolName")
    var pool = IdentityPool(id: try newID(), name: name)
    configure(&pool)
    try await createPool(pool)
    return pool
  }

  private func createPool(_ pool: IdentityPool) async throws(IdentityError) {
    try pool.checkProviderNames()
    try await logins.check(pool.userPoolClients)
    let limit = settings.poolLimit
    try await store.write { rows throws(IdentityError) in
      guard try rows.poolCount(limit: max(1, limit)) < limit else { throw .poolsFull(limit: limit) }
      try rows.put(pool)
    }
  }

  /// Replaces a pool's settings (`UpdateIdentityPool`). Absent members are removed, except for the developer
  /// provider name, tags and roles.
  func updatePool(_ id: String, _ settings: PoolSettings) async throws(IdentityError) -> IdentityPool {
    guard let pool = try await updatePool(id, settings, roles: nil, over: nil) else { throw .poolUnknown(id) }
    return pool
  }

  /// Replaces a pool's settings, and perhaps its roles.
  ///
  /// - Returns: the pool; nil if it is another one than `old`.
  func updatePool(
    _ id: String, _ settings: PoolSettings, roles: (roles: NameMap<String>, mappings: NameMap<RoleMapping>)?,
    over old: IdentityPool?
  ) async throws(IdentityError) -> IdentityPool? {
    // Checks the request before the pool is looked up.
    let checked = try IdentityPool(id: id, settings)
    try await logins.check(checked.userPoolClients)
    let checkedRoles = try roles.map { (given) throws(IdentityError) in
      for (provider, mapping) in given.mappings { try mapping.check(provider) }
      return (try MapBounds<TextBounds>.roles.checked(given.roles, "Roles"), given.mappings)
    }
    return try await store.write { rows throws(IdentityError) in
      var pool = try Self.pool(id, rows)
      guard old.map({ $0 == pool }) ?? true else { return nil }
      try pool.apply(settings)
      if let checkedRoles { (pool.roles, pool.roleMappings) = checkedRoles }
      try pool.checkProviderNames()
      try rows.put(pool)
      return pool
    }
  }

  /// Returns a pool (`DescribeIdentityPool`).
  ///
  /// - Parameter id: the pool's id.
  /// - Returns: the pool.
  /// - Throws: `poolUnknown`, `parameterLength`, `parameterPattern`, `storeFailed`.
  public func describePool(_ id: String) async throws(IdentityError) -> IdentityPool { try await pool(id) }

  /// Lists pools, ordered by their ids (`ListIdentityPools`).
  ///
  /// - Parameters:
  ///   - size: the most pools in the page, 1 to 60.
  ///   - next: `next` of the previous page.
  /// - Returns: a page of pools.
  /// - Throws: `parameterRange`, `nextTokenInvalid`, `storeFailed`.
  public func listPools(size: Int64, next: String? = nil) async throws(IdentityError) -> Page<IdentityPool> {
    let size = try IntegerBounds.page(size)
    let after = try PageToken.read(next, of: "pools")
    let found = try await store.read { rows throws(IdentityError) in
      try rows.pools(after: after, limit: size + 1)
    }
    return Page(found, size, "pools", \.id)
  }

  /// Sets a pool's roles and role mappings (`SetIdentityPoolRoles`).
  ///
  /// - Parameters:
  ///   - roles: ARNs by kind: `authenticated`, `unauthenticated`.
  ///   - mappings: role mappings by provider. Default: none.
  ///   - id: the pool's id.
  /// - Throws: `poolUnknown`, `parameterPattern`, and `parameterRefused` for the mapping type Token of a
  ///   provider other than a user pool.
  public func setRoles(
    _ roles: NameMap<String>, mappings: NameMap<RoleMapping>? = nil, ofPool id: String
  ) async throws(IdentityError) {
    try TextBounds.identityID.check(id, "IdentityPoolId")
    let roles = try MapBounds<TextBounds>.roles.checked(roles, "Roles")
    for (provider, mapping) in mappings ?? [:] { try mapping.check(provider) }
    try await store.write { rows throws(IdentityError) in
      var pool = try Self.pool(id, rows)
      pool.roles = roles
      pool.roleMappings = mappings ?? [:]
      try rows.put(pool)
    }
  }

  /// Adds or replaces a role.
  ///
  /// - Parameter role: the role with its policies.
  /// - Throws: `trustPolicyInvalid` for a policy with unknown elements, or one that allows any pool;
  ///   `parameterLength`, `parameterPattern`, `parameterRange` and `duration` for the ARN, the longest
  ///   session, and the number and size of permission policies; `parameterRefused` for two of one name, for a role of
  ///   another account, and for the name of another role.
  public func putRole(_ role: StoredRole) async throws(IdentityError) {
    try TextBounds.roleARN.check(role.arn, "RoleArn")
    guard role.isOf(account: settings.account) else {
      throw .parameterRefused(
        "RoleArn",
        rule:
          "the account of the service is \(settings.account), and sessions of other accounts may do nothing")
    }
    try role.checkLongestSession()
    try role.checkPolicies()
    _ = try TrustPolicy(json: role.trustPolicy)
    try await store.write { rows throws(IdentityError) in
      // A session's ARN has the name alone.
      for other in try rows.roles() where !other.arn.isIdentical(to: role.arn) && other.hasSameName(as: role)
      {
        throw .parameterRefused(
          "RoleArn",
          rule: "the role \(other.arn.quoted) has the same name, and names are unique in an account")
      }
      try rows.put(role)
    }
  }
}

extension StoredRole {
  fileprivate func isOf(account: String) -> Bool {
    let parts = arn.parts(at: ":", most: 6)
    return parts.count == 6 && parts[4].isIdentical(to: account)
  }

  /// True for a role of the same account and name, whatever their paths are.
  fileprivate func hasSameName(as other: StoredRole) -> Bool {
    let (own, others) = (arn.parts(at: ":", most: 6), other.arn.parts(at: ":", most: 6))
    guard own.count == 6, others.count == 6 else { return false }
    return own[4] == others[4] && own[5].parts(at: "/").last == others[5].parts(at: "/").last
  }
}
