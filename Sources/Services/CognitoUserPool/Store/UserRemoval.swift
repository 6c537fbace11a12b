internal import Records
internal import TokenSecurityBase

/// Removal of users: the user's row with its names first, in one transaction with as many of the other rows as
/// fit. Maintenance removes what is left.
extension WriteTransaction<UserPoolError> {
  /// Removes the user with a `sub`, as ``remove(_:limit:)``.
  ///
  /// - Parameters:
  ///   - sub: the user's `sub`.
  ///   - pool: the user's pool.
  ///   - limit: the most rows besides the user's own. Default: 500.
  /// - Throws: `userUnknown`, `storeFailed`.
  package func removeUser(
    sub: String, from pool: UserPool, limit: Int = UserPoolTables.portion
  ) throws(UserPoolError) {
    try remove(existingUser(sub: sub, in: pool), limit: limit)
  }

  /// Removes a user. From then on nothing of the user is accepted, and the names are free.
  ///
  /// - Parameters:
  ///   - user: the user.
  ///   - limit: the most rows of devices, sign-ins, codes and memberships. Others are left to
  ///     ``continueRemoval(of:limit:)``.
  /// - Throws: `storeFailed`.
  package func remove(_ user: User, limit: Int) throws(UserPoolError) {
    let key = UserPoolTables.userKey(user.poolID, user.canonicalName)
    let aliases = try keys(
      of: UserPoolTables.aliases, by: UserPoolTables.aliasOfUser, .only(key), limit: 100)
    for key in aliases { try delete(key, from: UserPoolTables.aliases) }
    try delete(key, from: UserPoolTables.users)
    var removed = RemovedUser()
    removed.poolID = user.poolID
    removed.sub = user.sub
    guard try removeRows(of: removed, limit: limit) > 0 else {
      try put(removed, in: UserPoolTables.removedUsers)
      return
    }
  }

  /// Removes more rows of a removed user, and the mark of the removal with the last ones.
  ///
  /// - Parameters:
  ///   - user: the removed user.
  ///   - limit: the most rows.
  /// - Throws: `storeFailed`.
  package func continueRemoval(of user: RemovedUser, limit: Int) throws(UserPoolError) {
    guard try removeRows(of: user, limit: max(1, limit)) > 0 else { return }
    try delete(RecordKey(user.poolID, user.sub), from: UserPoolTables.removedUsers)
  }

  /// Removes rows with the user's `sub`.
  ///
  /// - Returns: what is left of the limit: more than 0 where no row is left.
  private func removeRows(of user: RemovedUser, limit: Int) throws(UserPoolError) -> Int {
    let rows = KeyRange.prefix(RecordKey(user.poolID, user.sub))
    var rest = limit
    rest -= try delete(rows, from: UserPoolTables.devices, limit: rest)
    rest -= try delete(rows, from: UserPoolTables.codes, limit: rest)
    rest -= try delete(rows, from: UserPoolTables.pendingSignIns, limit: rest)
    rest -= try delete(
      keys(of: UserPoolTables.memberships, by: UserPoolTables.membershipOfUser, rows, limit: rest),
      from: UserPoolTables.memberships)
    rest -= try delete(
      keys(of: UserPoolTables.signIns, by: UserPoolTables.signInOfUser, rows, limit: rest),
      from: UserPoolTables.signIns)
    return rest
  }

  private func delete<Row>(_ keys: [RecordKey], from table: Table<Row>) throws(UserPoolError) -> Int {
    for key in keys { try delete(key, from: table) }
    return keys.count
  }
}
