internal import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// Users as administrators make, change and remove them.
package struct Users: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let hooks: HookRunner
  let passwords: PasswordChecks
  let messages: UserMessages
  let attributes: AttributeChanges

  /// Returns a user and the pool (`AdminGetUser`).
  ///
  /// - Parameters:
  ///   - name: the user name, an alias or the `sub`.
  ///   - poolID: the pool's id.
  ///   - context: the call.
  /// - Returns: the pool and the user.
  /// - Throws: `poolUnknown`, `userUnknown`, `storeFailed`.
  package nonisolated(nonsending) func existingUser(
    _ name: String, in poolID: String, _ context: CallContext
  ) async throws(UserPoolError) -> (pool: UserPool, user: User) {
    try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
      try rows.existingUser(named: name, inPool: poolID, naming: context.subject)
    }
  }

  /// Changes a user in one transaction, and the owners of aliases with it.
  ///
  /// - Parameters:
  ///   - found: the user as it was read.
  ///   - pool: the user's pool.
  ///   - now: the time of the call.
  ///   - body: changes the user as it is now. It may run several times.
  /// - Throws: `userUnknown` for a user who was removed meanwhile, `aliasExists`, `storeFailed`, the errors of `body`.
  nonisolated(nonsending) func change(
    _ found: User, in pool: UserPool, at now: Timestamp,
    _ body: @escaping @Sendable (WriteTransaction<UserPoolError>, inout User) throws(UserPoolError) -> Void
  ) async throws(UserPoolError) {
    try await store.write(at: now) { rows throws(UserPoolError) in
      try rows.changeUser(sub: found.sub, in: pool) { user throws(UserPoolError) in try body(rows, &user) }
    }
  }

  /// Removes a user with devices, sign-ins and memberships (`AdminDeleteUser`).
  ///
  /// - Parameters:
  ///   - name: the user name, an alias or the `sub`.
  ///   - poolID: the pool's id.
  ///   - context: the call.
  /// - Throws: `poolUnknown`, `userUnknown`, `storeFailed`.
  package nonisolated(nonsending) func removeUser(
    _ name: String, in poolID: String, _ context: CallContext
  ) async throws(UserPoolError) {
    let (pool, user) = try await existingUser(name, in: poolID, context)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      try rows.removeUser(sub: user.sub, from: pool)
    }
  }

  /// Enables or disables a user (`AdminEnableUser`, `AdminDisableUser`). A disabled user's sign-ins end: their
  /// tokens stay revoked when the user is enabled again.
  ///
  /// - Parameters:
  ///   - isEnabled: whether the user may sign in.
  ///   - name: the user name, an alias or the `sub`.
  ///   - poolID: the pool's id.
  ///   - context: the call.
  /// - Throws: `poolUnknown`, `userUnknown`, `storeFailed`.
  package nonisolated(nonsending) func setEnabled(
    _ isEnabled: Bool, of name: String, in poolID: String, _ context: CallContext
  ) async throws(UserPoolError) {
    let (pool, found) = try await existingUser(name, in: poolID, context)
    try await change(found, in: pool, at: context.time) { _, user throws(UserPoolError) in
      if user.isEnabled, !isEnabled { user.endSignIns() }
      user.isEnabled = isEnabled
    }
  }

  /// Confirms a user without a code (`AdminConfirmSignUp`). Addresses stay unverified.
  ///
  /// - Parameters:
  ///   - name: the user name, an alias or the `sub`.
  ///   - poolID: the pool's id.
  ///   - clientMetadata: for PostConfirmation.
  ///   - context: the call.
  /// - Throws: `poolUnknown`, `userUnknown`, `statusRefused`, `aliasExists` where another user has the preferred
  ///   user name, the errors of hooks, `storeFailed`.
  package nonisolated(nonsending) func confirmUser(
    _ name: String, in poolID: String, clientMetadata: [ExactString: String] = [:],
    _ context: CallContext
  ) async throws(UserPoolError) {
    let (pool, found) = try await existingUser(name, in: poolID, context)
    try found.checkIsUnconfirmed()
    try await change(found, in: pool, at: context.time) { rows, user throws(UserPoolError) in
      try user.checkIsUnconfirmed()
      user.status = .confirmed
      try rows.removeCode(.signUp, of: user)
    }
    var confirmed = found
    confirmed.status = .confirmed
    try await hooks.postConfirmation(
      HookUser(confirmed, in: pool, clientID: nil, clientMetadata: clientMetadata), .signUp)
  }
}
