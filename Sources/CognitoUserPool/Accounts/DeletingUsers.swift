internal import Records
internal import TokenSecurityEncodings

extension UserPoolService {
  /// Removes the user of an access token (`DeleteUser`).
  ///
  /// - Parameters:
  ///   - accessToken: the user's access token.
  ///   - context: the call.
  /// - Throws: the errors of access tokens, `storeFailed`.
  package nonisolated(nonsending) func deleteUser(
    accessToken: String, _ context: CallContext
  ) async throws(UserPoolError) {
    let caller = try await tokenCaller(accessToken, context: context)
    try await remove(sub: caller.user.sub, from: caller.pool, context)
  }

  /// Removes a user with devices, sign-ins, codes, aliases and memberships.
  ///
  /// Each transaction removes a portion of the rows. The user is removed in the last one: a removal that is
  /// cut short can be repeated.
  ///
  /// - Parameters:
  ///   - sub: the user's `sub`.
  ///   - pool: the user's pool.
  ///   - context: the call.
  ///   - portion: the most rows of a transaction. Default: 500.
  /// - Throws: `userUnknown`, `storeFailed`.
  package nonisolated(nonsending) func remove(
    sub: String, from pool: UserPool, _ context: CallContext, portion: Int = 500
  ) async throws(UserPoolError) {
    while true {
      let isRemoved = try await store.write(at: context.time) { rows throws(UserPoolError) in
        guard let user = try rows.user(sub: sub, in: pool) else { throw .userUnknown }
        return try rows.removeRows(of: user, limit: portion)
      }
      if isRemoved { return }
    }
  }
}

extension WriteTransaction<UserPoolError> {
  /// Removes rows of a user, and the user when no other row is left.
  ///
  /// - Returns: true once the user is removed.
  fileprivate func removeRows(of user: User, limit: Int) throws(UserPoolError) -> Bool {
    let rows = KeyRange.prefix(RecordKey(user.poolID, user.sub))
    var rest = limit
    rest -= try delete(rows, from: UserPoolTables.devices, limit: rest)
    rest -= try delete(rows, from: UserPoolTables.codes, limit: rest)
    rest -= try delete(rows, from: UserPoolTables.pendingSignIns, limit: rest)
    rest -= try delete(
      keys(of: UserPoolTables.memberships, by: UserPoolTables.membershipOfUser, rows, limit: rest),
      from: UserPoolTables.memberships)
    // The sign-ins come last: until then the user's own call can be repeated.
    rest -= try delete(
      keys(of: UserPoolTables.signIns, by: UserPoolTables.signInOfUser, rows, limit: rest),
      from: UserPoolTables.signIns)
    guard rest > 0 else { return false }
    try remove(user)
    return true
  }

  private func delete<Row>(
    _ keys: [RecordKey], from table: Table<Row>
  ) throws(UserPoolError) -> Int {
    for key in keys { try delete(key, from: table) }
    return keys.count
  }
}
