internal import Records
internal import TokenSecurityBase

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
    let caller = try await callers.tokenCaller(accessToken, context: context)
    try await remove(sub: caller.user.sub, from: caller.pool, context)
  }

  /// Removes a user, also for administrators.
  ///
  /// One transaction removes the user, the aliases and a portion of the devices, sign-ins, codes and memberships.
  /// ``continueRemovals()`` removes the rest, which belongs to no user from then on.
  ///
  /// - Parameters:
  ///   - sub: the user's `sub`.
  ///   - pool: the user's pool.
  ///   - context: the call.
  ///   - portion: the most rows besides the user's own. Default: 500.
  /// - Throws: `userUnknown`, `storeFailed`.
  package nonisolated(nonsending) func remove(
    sub: String, from pool: UserPool, _ context: CallContext, portion: Int = UserPoolTables.portion
  ) async throws(UserPoolError) {
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      let user = try rows.existingUser(sub: sub, in: pool)
      try rows.remove(user, limit: portion)
    }
  }
}
