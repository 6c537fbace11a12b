internal import Records
internal import TokenSecurityBase

extension OwnAccounts {
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
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      try rows.removeUser(sub: caller.user.sub, from: caller.pool)
    }
  }
}
