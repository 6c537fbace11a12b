internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// Groups of users, and their members.
package struct Groups: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets

  /// Maximum number of groups of a pool.
  private static var groupLimit: Int { 10_000 }

  /// Makes a group (`CreateGroup`).
  ///
  /// - Throws: `poolUnknown`, `groupExists`, `limitReached`.
  package nonisolated(nonsending) func createGroup(
    _ input: GroupSettings, _ context: CallContext
  ) async throws(UserPoolError) -> UserGroup {
    let time = context.time
    var group = UserGroup()
    group.poolID = input.userPoolID
    group.name = input.groupName
    group.created = time.wholeSecond
    group.replace(by: input, at: time)
    let made = group
    try await store.write(at: time) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(made.poolID, naming: context.subject)
      guard
        try rows.count(UserPoolTables.groups, .prefix(RecordKey(pool.id)), limit: Self.groupLimit)
          < Self.groupLimit
      else { throw .limitReached(of: "groups of a user pool", limit: Self.groupLimit) }
      guard try rows.insert(made, in: UserPoolTables.groups) else { throw .groupExists }
    }
    return made
  }

  /// Replaces the settings of a group (`UpdateGroup`).
  ///
  /// - Throws: `poolUnknown`, `groupUnknown`.
  package nonisolated(nonsending) func updateGroup(
    _ input: GroupSettings, _ context: CallContext
  ) async throws(UserPoolError) -> UserGroup {
    let time = context.time
    return try await store.write(at: time) { rows throws(UserPoolError) in
      var group = try rows.existingGroup(
        input.groupName, in: rows.existingPool(input.userPoolID, naming: context.subject))
      group.replace(by: input, at: time)
      try rows.put(group, in: UserPoolTables.groups)
      return group
    }
  }

  /// Returns a group (`GetGroup`).
  ///
  /// - Throws: `poolUnknown`, `groupUnknown`.
  package nonisolated(nonsending) func group(
    _ name: GroupName, at time: Timestamp
  ) async throws(UserPoolError) -> UserGroup {
    try await store.read(at: time) { rows throws(UserPoolError) in
      try rows.existingGroup(name.groupName, in: rows.existingPool(name.userPoolID))
    }
  }

  /// Removes a group with its memberships (`DeleteGroup`). Those of a large group are removed in several
  /// transactions, the group in the last one: no membership is left for a later group of the same name.
  ///
  /// - Throws: `poolUnknown`, `groupUnknown`.
  package nonisolated(nonsending) func deleteGroup(
    _ name: GroupName, portion: Int = UserPoolTables.portion, _ context: CallContext
  ) async throws(UserPoolError) {
    let time = context.time
    var isLeft = true
    while isLeft {
      isLeft = try await store.write(at: time) { rows throws(UserPoolError) in
        let group = try rows.existingGroup(
          name.groupName, in: rows.existingPool(name.userPoolID, naming: context.subject))
        let key = RecordKey(group.poolID, group.name)
        guard try rows.delete(.prefix(key), from: UserPoolTables.memberships, limit: portion) < portion
        else { return true }
        try rows.delete(key, from: UserPoolTables.groups)
        return false
      }
    }
  }

  /// Lists the groups of a pool, ordered by their names (`ListGroups`).
  ///
  /// - Throws: `poolUnknown`, `pageTokenInvalid`.
  package nonisolated(nonsending) func listGroups(
    ofPool id: String, size: Int, token: String?, at time: Timestamp
  ) async throws(UserPoolError) -> Page<UserGroup> {
    let tokens = PageTokens("ListGroups", id, secrets: secrets)
    let after = try tokens.name(token)
    let found = try await store.read(at: time) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(id)
      return try rows.scan(
        UserPoolTables.groups,
        KeyRange.prefix(RecordKey(pool.id)).after(after.map { RecordKey(pool.id, $0) }), limit: size + 1)
    }
    return try tokens.page(found, size, \.name)
  }
}

extension UserGroup {
  fileprivate mutating func replace(by input: GroupSettings, at time: Timestamp) {
    description = input.description
    roleARN = input.roleARN
    precedence = input.precedence
    modified = time.wholeSecond
  }

  /// The group as responses have it.
  package var response: GroupType {
    GroupType {
      $0.groupName = name
      $0.userPoolID = poolID
      $0.description = description
      $0.roleARN = roleARN
      $0.precedence = precedence
      $0.creationDate = created
      $0.lastModifiedDate = modified
    }
  }
}

extension ReadTransaction<UserPoolError> {
  /// Returns a group.
  ///
  /// - Throws: `groupUnknown`.
  func existingGroup(_ name: String, in pool: UserPool) throws(UserPoolError) -> UserGroup {
    guard let group = try get(UserPoolTables.groups, RecordKey(pool.id, name)) else { throw .groupUnknown }
    return group
  }
}
