package import Records
internal import TokenSecurityBase

/// Reads of user pools' tables. Names are compared by their bytes. Every call throws `storeFailed` where the
/// store cannot be read, and for a row that cannot be read; lists leave such rows out.
extension ReadTransaction<UserPoolError> {
  /// Returns a pool; nil for an unknown and for a removed one.
  package func userPool(_ id: String) throws(UserPoolError) -> UserPool? {
    guard let pool = try get(UserPoolTables.pools, RecordKey(id)), !pool.isRemoved else { return nil }
    return pool
  }

  /// Returns a pool.
  ///
  /// - Throws: `poolUnknown`.
  package func existingPool(_ id: String) throws(UserPoolError) -> UserPool {
    guard let pool = try userPool(id) else { throw .poolUnknown(id) }
    return pool
  }

  /// Returns a client and its pool.
  ///
  /// - Throws: `clientUnknown`, also where its pool was removed.
  package func existingClient(
    _ id: String
  ) throws(UserPoolError) -> (client: UserPoolClient, pool: UserPool) {
    guard let client = try get(UserPoolTables.clients, RecordKey(id)), let pool = try userPool(client.poolID)
    else { throw .clientUnknown(id) }
    return (client, pool)
  }

  /// Returns a client of a pool.
  ///
  /// - Throws: `clientUnknown`.
  package func existingClient(_ id: String, of pool: UserPool) throws(UserPoolError) -> UserPoolClient {
    guard let client = try get(UserPoolTables.clients, RecordKey(id)), client.poolID == pool.id else {
      throw .clientUnknown(id)
    }
    return client
  }

  /// Returns the user with a canonical name, or nil.
  package func user(canonicalName: String, in pool: UserPool) throws(UserPoolError) -> User? {
    try get(UserPoolTables.users, UserPoolTables.userKey(pool.id, canonicalName))
  }

  /// Returns the user with a `sub`, or nil.
  package func user(sub: String, in pool: UserPool) throws(UserPoolError) -> User? {
    try get(UserPoolTables.users, by: UserPoolTables.userBySub, RecordKey(pool.id, sub))
  }

  /// Returns the user with a `sub`.
  ///
  /// - Throws: `userUnknown`.
  package func existingUser(sub: String, in pool: UserPool) throws(UserPoolError) -> User {
    guard let user = try user(sub: sub, in: pool) else { throw .userUnknown }
    return user
  }

  /// Returns the owner of an alias, or nil.
  package func owner(
    of value: String, _ attribute: String, in pool: UserPool
  ) throws(UserPoolError) -> User? {
    guard let alias = try get(UserPoolTables.aliases, UserPoolTables.aliasKey(pool.id, attribute, value))
    else { return nil }
    return try user(canonicalName: alias.canonicalName, in: pool)
  }

  /// Returns a user's device, confirmed or not; nil if the user was not given it.
  package func device(_ key: String, of user: User) throws(UserPoolError) -> UserDevice? {
    try get(UserPoolTables.devices, RecordKey(user.poolID, user.sub, key))
  }

  /// Returns a sign-in, or nil.
  package func signIn(_ id: String, in poolID: String) throws(UserPoolError) -> SignIn? {
    try get(UserPoolTables.signIns, RecordKey(poolID, id))
  }

  /// Returns a user's groups, ordered by precedence and name; at most 100.
  package func groups(of user: User) throws(UserPoolError) -> [UserGroup] {
    let memberships = try scan(
      UserPoolTables.memberships, by: UserPoolTables.membershipOfUser,
      .prefix(RecordKey(user.poolID, user.sub)), limit: 100)
    var groups: [UserGroup] = []
    for membership in memberships {
      if let group = try get(UserPoolTables.groups, RecordKey(user.poolID, membership.group)) {
        groups.append(group)
      }
    }
    return groups.sorted {
      ($0.precedence ?? .max, ExactString($0.name)) < ($1.precedence ?? .max, ExactString($1.name))
    }
  }

  /// True where a value was used.
  package func isUsed(_ value: [UInt8], _ kind: SingleUse, in poolID: String) throws(UserPoolError) -> Bool {
    try contains(UserPoolTables.usedValues, RecordKey(poolID, kind.name, value))
  }
}
