internal import TokenSecurityEncodings

/// Operations on pools and roles.
extension IdentityPoolService {
  /// Makes a pool from a request (`CreateIdentityPool`).
  func createPool(_ parameters: Parameters) async throws(IdentityError) -> IdentityPool {
    var pool = IdentityPool(
      id: try newID(), name: try parameters.required("IdentityPoolName", .poolName),
      allowsGuests: try parameters.required(
        parameters.bool("AllowUnauthenticatedIdentities"), "AllowUnauthenticatedIdentities"))
    try pool.readSettings(parameters)
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
    try Bounds.poolName.check(name, "IdentityPoolName")
    var pool = IdentityPool(id: try newID(), name: name)
    configure(&pool)
    try await createPool(pool)
    return pool
  }

  private func createPool(_ pool: IdentityPool) async throws(IdentityError) {
    try pool.checkProviderNames()
    let limit = settings.poolLimit
    try await store.write { rows throws(IdentityError) in
      guard try rows.poolCount(limit: max(1, limit)) < limit else { throw .poolsFull(limit: limit) }
      try rows.put(pool)
    }
  }

  /// Replaces a pool's settings (`UpdateIdentityPool`). Absent members are removed, except for the developer
  /// provider name, tags and roles.
  func updatePool(_ parameters: Parameters) async throws(IdentityError) -> IdentityPool {
    let id = try parameters.required("IdentityPoolId", .poolOrIdentityID)
    let name = try parameters.required("IdentityPoolName", .poolName)
    let guests = try parameters.required(
      parameters.bool("AllowUnauthenticatedIdentities"), "AllowUnauthenticatedIdentities")
    // Checks the request before the pool is looked up.
    var anyPool = IdentityPool(id: id, name: name)
    try anyPool.readSettings(parameters)
    return try await store.write { rows throws(IdentityError) in
      var pool = try Self.pool(id, rows)
      pool.name = name
      pool.allowsGuests = guests
      try pool.readSettings(parameters)
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
    let size = try Bounds.page(size)
    let after = try PageToken.read(next, of: "pools")
    let found = try await store.read { rows throws(IdentityError) in
      try rows.pools(after: after, limit: size + 1)
    }
    return Page(found, size, "pools", \.id)
  }

  /// Removes a pool with its identities and their logins (`DeleteIdentityPool`).
  ///
  /// - Parameter id: the pool's id.
  /// - Throws: `poolUnknown`, `storeFailed`.
  public func deletePool(_ id: String) async throws(IdentityError) {
    try Bounds.poolOrIdentityID.check(id, "IdentityPoolId")
    try await store.write { rows throws(IdentityError) in
      // Not read: a pool whose row is damaged can be removed too.
      guard try rows.hasPool(id) else { throw .poolUnknown(id) }
      try rows.removePool(id)
    }
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
    try Bounds.poolOrIdentityID.check(id, "IdentityPoolId")
    try Bounds.count(roles.count, 0...2, "Roles")
    for (kind, arn) in roles {
      guard kind == "authenticated" || kind == "unauthenticated" else {
        throw .parameterPattern("a key of Roles", pattern: "(un)?authenticated")
      }
      try Bounds.arn.check(arn, "a value of Roles")
    }
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
  /// - Parameter role: the role with its trust policy.
  /// - Throws: `trustPolicyInvalid` for a policy with unknown elements, or one that allows any pool;
  ///   `parameterLength`, `parameterPattern`, `parameterRange` and `duration` for the ARN and the longest
  ///   session.
  public func putRole(_ role: StoredRole) async throws(IdentityError) {
    try Bounds.roleARN.check(role.arn, "RoleArn")
    try role.checkLongestSession()
    _ = try TrustPolicy(json: role.trustPolicy)
    try await store.write { rows throws(IdentityError) in try rows.put(role) }
  }
}
