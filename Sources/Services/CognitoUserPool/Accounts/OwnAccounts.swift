internal import Records

/// Accounts of users who call with an access token: attributes, addresses, passwords, and their end.
package struct OwnAccounts: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let callers: Callers
  let passwords: PasswordChecks
  let messages: UserMessages
  let attributes: AttributeChanges

  /// Counts an attempt of a user.
  ///
  /// - Throws: `attemptLimitExceeded`.
  nonisolated(nonsending) func count(
    _ kind: LimitKind, of user: User, _ context: CallContext
  ) async throws(UserPoolError) {
    let key = try LimitSubject.user(user.sub).key(in: user.poolID, secrets)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      try rows.countAttempt(kind, pool: user.poolID, key: key)
    }
  }
}
