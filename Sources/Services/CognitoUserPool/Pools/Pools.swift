internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// Pools: their settings, factors and tags.
package struct Pools: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let issuers: PoolIssuers
  /// The account in ARNs.
  let account: String
  /// Maximum number of pools.
  let limit: Int

  /// Makes a pool (`CreateUserPool`).
  ///
  /// - Throws: `parameterRefused`, `limitReached`.
  package nonisolated(nonsending) func createPool(
    _ input: CreateUserPool.Input, _ context: CallContext
  ) async throws(UserPoolError) -> UserPool {
    let time = context.time
    var pool = UserPool()
    pool.id = "\(issuers.region)_\(try RandomText.text(9, of: RandomText.lettersAndDigits))"
    pool.name = input.poolName
    pool.created = time.wholeSecond
    pool.modified = pool.created
    pool.usernameAttributes = try UsernameAttribute.choices(input.usernameAttributes, "UsernameAttributes")
    pool.aliasAttributes = try AliasAttribute.choices(input.aliasAttributes, "AliasAttributes")
    guard pool.usernameAttributes.isEmpty || pool.aliasAttributes.isEmpty else {
      throw .parameterRefused(
        "AliasAttributes",
        rule: "Only one of the aliasAttributes or usernameAttributes can be set in a user pool.")
    }
    pool.isCaseSensitive = input.usernameConfiguration?.caseSensitive ?? true
    try pool.setSchema(input.schema ?? [])
    try pool.replace(by: input.settings)
    try issuers.check(pool)
    pool.sealedSimulation = try secrets.newSimulation(ofPool: pool.id)
    let (made, limit) = (pool, limit)
    try await store.write(at: time) { rows throws(UserPoolError) in
      let removed = try rows.count(UserPoolTables.pools, by: UserPoolTables.removedPools, limit: 1_000_000)
      guard try rows.count(UserPoolTables.pools, limit: 1_000_000) - removed < limit else {
        throw .limitReached(of: "user pools", limit: limit)
      }
      guard try rows.insert(made, in: UserPoolTables.pools) else { throw .storeBusy }
    }
    context.subject.isPool(made.id)
    return made
  }

  /// Replaces the settings of a pool (`UpdateUserPool`).
  ///
  /// - Throws: `poolUnknown`, `parameterRefused`.
  package nonisolated(nonsending) func updatePool(
    _ input: UpdateUserPool.Input, _ context: CallContext
  ) async throws(UserPoolError) {
    try await change(input.userPoolID, context) { [issuers] pool throws(UserPoolError) in
      if let name = input.poolName { pool.name = name }
      try pool.replace(by: input.settings)
      try issuers.check(pool)
    }
  }

  /// Changes a pool.
  ///
  /// - Returns: the pool after the change.
  @discardableResult
  nonisolated(nonsending) func change(
    _ id: String, _ context: CallContext,
    _ body: @escaping @Sendable (inout UserPool) throws(UserPoolError) -> Void
  ) async throws(UserPoolError) -> UserPool {
    let time = context.time
    return try await store.write(at: time) { rows throws(UserPoolError) in
      var pool = try rows.existingPool(id, naming: context.subject)
      try body(&pool)
      pool.modified = time.wholeSecond
      try rows.put(pool, in: UserPoolTables.pools)
      return pool
    }
  }

  /// Removes a pool (`DeleteUserPool`). No call finds the pool, its clients and users afterwards. Their rows are
  /// removed by calls of ``PoolMaintenance/continueRemovals()``.
  ///
  /// - Throws: `poolUnknown`, `deletionProtected`.
  package nonisolated(nonsending) func deletePool(
    _ id: String, _ context: CallContext
  ) async throws(UserPoolError) {
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      var pool = try rows.existingPool(id, naming: context.subject)
      guard !pool.isProtectedFromDeletion else { throw .deletionProtected }
      pool.isRemoved = true
      try rows.put(pool, in: UserPoolTables.pools)
    }
  }

  /// Maximum number of users that the estimated number of a pool's users counts.
  private static var countedUsers: Int { 100_000 }

  /// Returns a pool and the number of its users, at most 100,000 (`DescribeUserPool`).
  ///
  /// - Throws: `poolUnknown`.
  package nonisolated(nonsending) func describePool(
    _ id: String, at time: Timestamp
  ) async throws(UserPoolError) -> (pool: UserPool, users: Int) {
    try await store.read(at: time) { rows throws(UserPoolError) in
      (
        try rows.existingPool(id),
        try rows.count(UserPoolTables.users, .prefix(RecordKey(id)), limit: Self.countedUsers)
      )
    }
  }

  /// Lists pools, ordered by their ids (`ListUserPools`).
  ///
  /// - Throws: `pageTokenInvalid`.
  package nonisolated(nonsending) func listPools(
    size: Int, token: String?, at time: Timestamp
  ) async throws(UserPoolError) -> Page<UserPool> {
    let tokens = PageTokens("ListUserPools", secrets: secrets)
    let after = try tokens.name(token)
    let found = try await store.read(at: time) { rows throws(UserPoolError) in
      var found: [UserPool] = []
      var last = after
      // Removed pools are in the table until maintenance has removed their rows.
      while found.count <= size {
        let next = try rows.scan(
          UserPoolTables.pools, KeyRange.all.after(last.map { RecordKey($0) }), limit: size + 1)
        found += next.filter { !$0.isRemoved }
        guard let end = next.last, next.count > size else { break }
        last = end.id
      }
      return found
    }
    return try tokens.page(found, size, \.id)
  }

  /// Adds attributes to a pool (`AddCustomAttributes`).
  ///
  /// - Throws: `poolUnknown`, `parameterRefused`, `limitReached`.
  package nonisolated(nonsending) func addAttributes(
    _ given: [SchemaAttributeType], toPool id: String, _ context: CallContext
  ) async throws(UserPoolError) {
    var attributes: [SchemaAttribute] = []
    for one in given { attributes.append(try SchemaAttribute(own: one)) }
    let added = attributes
    try await change(id, context) { pool throws(UserPoolError) in
      for attribute in added { try pool.add(attribute) }
    }
  }
}
