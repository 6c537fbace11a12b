internal import Records
internal import TokenLifetime

/// Removal of the rows of removed pools, and of rows that have ended.
extension WriteTransaction<UserPoolError> {
  /// Removes some of the rows of a removed pool, and its own row at last.
  ///
  /// - Parameters:
  ///   - id: the pool's id. A pool that was not removed is left alone.
  ///   - limit: the most rows.
  /// - Returns: true if none is left.
  /// - Throws: `storeFailed`.
  package func continueRemoval(ofPool id: String, limit: Int) throws(UserPoolError) -> Bool {
    guard let pool = try get(UserPoolTables.pools, RecordKey(id)) else { return true }
    guard pool.isRemoved else { return true }
    let range = KeyRange.prefix(RecordKey(id))
    var rest = max(1, limit)
    // Keys sign for the pool until they are removed, so that they come first.
    rest -= try delete(range, from: UserPoolTables.signingKeys, limit: rest)
    let clients = try keys(
      of: UserPoolTables.clients, by: UserPoolTables.clientOfPool, range, limit: rest)
    for key in clients { try delete(key, from: UserPoolTables.clients) }
    rest -= clients.count
    rest -= try delete(range, from: UserPoolTables.outbox, limit: rest)
    rest -= try delete(range, from: UserPoolTables.signIns, limit: rest)
    rest -= try delete(range, from: UserPoolTables.pendingSignIns, limit: rest)
    rest -= try delete(range, from: UserPoolTables.codes, limit: rest)
    rest -= try delete(range, from: UserPoolTables.attempts, limit: rest)
    rest -= try delete(range, from: UserPoolTables.usedValues, limit: rest)
    rest -= try delete(range, from: UserPoolTables.devices, limit: rest)
    rest -= try delete(range, from: UserPoolTables.memberships, limit: rest)
    rest -= try delete(range, from: UserPoolTables.groups, limit: rest)
    rest -= try delete(range, from: UserPoolTables.aliases, limit: rest)
    rest -= try delete(range, from: UserPoolTables.users, limit: rest)
    rest -= try delete(range, from: UserPoolTables.removedUsers, limit: rest)
    guard rest > 0 else { return false }
    try delete(RecordKey(id), from: UserPoolTables.pools)
    return true
  }

  /// Removes rows whose time has passed, and takes those whose time has just passed out of indexes.
  ///
  /// - Parameter limit: the most rows of all tables together.
  /// - Returns: true if some may be left.
  /// - Throws: `storeFailed`.
  package func removeEndedRows(limit: Int) throws(UserPoolError) -> Bool {
    try removeExpired(from: UserPoolTables.all, limit: limit)
  }
}
