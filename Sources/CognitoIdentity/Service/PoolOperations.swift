internal import TokenSecurityEncodings
/// Pools: made, changed, shown, listed, removed; and their roles.
extension IdentityPoolService {
  /// Makes a pool (`CreateIdentityPool`).
  ///
  /// - Parameter pool: everything but the id, which is new.
  func createPool(_ parameters: Parameters) async throws(IdentityError) -> IdentityPool {
    var pool = IdentityPool(
      id: try newID(), name: try parameters.required("IdentityPoolName", .poolName),
      allowsGuests: try parameters.requiredBool("AllowUnauthenticatedIdentities"))
    try pool.readSettings(parameters)
    try await createPool(pool)
    return pool
  }

  /// Makes a pool with these settings and a new id.
  public func createPool(
    named name: String, _ configure: (inout IdentityPool) -> Void = { _ in }
  ) async throws(IdentityError) -> IdentityPool {
    try Bounds.poolName.check(name, "IdentityPoolName")
    var pool = IdentityPool(id: try newID(), name: name)
    configure(&pool)
    // What the protocol would refuse the store refuses.
    try await createPool(pool)
    return pool
  }

  private func createPool(_ pool: IdentityPool) async throws(IdentityError) {
    try pool.checkProviderNames()
    let limit = settings.poolLimit
    try await store.write { rows throws(IdentityError) in
      guard try rows.poolCount() < limit else { throw .poolsFull(limit: limit) }
      try rows.put(pool)
    }
  }

  /// Changes a pool (`UpdateIdentityPool`). What is not said is taken away, but for the developer provider name, which
  /// stays, tags and roles.
  func updatePool(_ parameters: Parameters) async throws(IdentityError) -> IdentityPool {
    let id = try parameters.required("IdentityPoolId", .poolOrIdentityID)
    let name = try parameters.required("IdentityPoolName", .poolName)
    let guests = try parameters.requiredBool("AllowUnauthenticatedIdentities")
    // What is wrong with the request is told first, whether there is such a pool or not.
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

  /// A pool (`DescribeIdentityPool`).
  public func describePool(_ id: String) throws(IdentityError) -> IdentityPool { try pool(id) }

  /// A page of pools in the order of their ids (`ListIdentityPools`).
  ///
  /// - Parameters:
  ///   - size: 1 to 60.
  ///   - next: what the page before gave.
  public func listPools(size: Int64, next: String? = nil) throws(IdentityError) -> Page<IdentityPool> {
    let size = try Bounds.page(size)
    let after = try PageToken.read(next, of: "pools")
    let found = try store.read { rows throws(IdentityError) in try rows.pools(after: after, limit: size + 1) }
    return Page(found, size, "pools", \.id)
  }

  /// Removes a pool with all its identities (`DeleteIdentityPool`).
  public func deletePool(_ id: String) async throws(IdentityError) {
    try Bounds.poolOrIdentityID.check(id, "IdentityPoolId")
    try await store.write { rows throws(IdentityError) in
      // Without reading it: a pool that cannot be read can be removed.
      guard try rows.hasPool(id) else { throw .poolUnknown(id) }
      try rows.removePool(id)
    }
  }

  /// Sets a pool's roles (`SetIdentityPoolRoles`).
  ///
  /// - Parameters:
  ///   - roles: ARNs, for `authenticated` and `unauthenticated`.
  ///   - mappings: how a role follows from a login's claims, by provider; nil takes them away.
  ///   - id: the pool.
  /// - Throws: `parameterRefused` for the type Token of a provider that is
  ///   no user pool, and others.
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

  /// Puts a role in, or changes it: what IAM does elsewhere.
  ///
  /// - Throws: `trustPolicyInvalid` for a policy that is not understood wholly, or that admits any pool;
  ///   `parameterLength`, `parameterPattern` and `parameterRange` for the ARN and the longest session.
  public func putRole(_ role: StoredRole) async throws(IdentityError) {
    try Bounds.roleARN.check(role.arn, "RoleArn")
    try role.checkLongestSession()
    _ = try TrustPolicy(json: role.trustPolicy)
    try await store.write { rows throws(IdentityError) in try rows.put(role) }
  }
}

/// A page of a list, and where the next one begins.
public struct Page<Element: Sendable>: Sendable {
  public let elements: [Element]
  /// What to ask for the next page with; nil where this is the last.
  public let next: String?

  /// Of `found`, which may have one more than the page.
  init(_ found: [Element], _ size: Int, _ list: String, _ name: (Element) -> String) {
    elements = Array(found.prefix(size))
    next = found.count > size ? elements.last.map { PageToken.make(list, after: name($0)) } : nil
  }
}
