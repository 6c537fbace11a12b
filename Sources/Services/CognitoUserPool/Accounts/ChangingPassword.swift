internal import Records
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension OwnAccounts {
  /// Changes the password of a user who is signed in (`ChangePassword`). In a pool whose passwords end sign-ins,
  /// that of the access token goes on.
  ///
  /// - Parameters:
  ///   - accessToken: the user's access token.
  ///   - previous: the present password; nil for a user without one.
  ///   - proposed: the new password.
  ///   - context: the call.
  /// - Throws: `statusRefused` while the password is temporary, `passwordWrong`, `passwordRefused`,
  ///   `passwordUsedBefore`, `attemptLimitExceeded` and others.
  package nonisolated(nonsending) func changePassword(
    _ accessToken: String, previous: SecretText?, proposed: SecretText, _ context: CallContext
  ) async throws(UserPoolError) {
    let caller = try await callers.tokenCaller(accessToken, context: context)
    let (user, pool) = (caller.user, caller.pool)
    try Self.checkCanChangePassword(user)
    try await count(.changePassword, of: user, context)
    if user.password != nil {
      guard let previous else { throw .passwordWrong }
      let secret = RetainedSecret(previous)
      guard
        try await passwords.isPassword(
          secret.bytes, of: user, named: user.canonicalName, in: pool, from: context.client)
      else {
        throw .passwordWrong
      }
    }
    let password = RetainedSecret(proposed)
    try pool.passwordPolicy.check(password.bytes)
    guard try await !passwords.isInHistory(password.bytes, of: user, in: pool, from: context.client) else {
      throw .passwordUsedBefore
    }
    let new = try await passwords.verifier(of: password.bytes, for: user, in: pool, from: context.client)
    try await store.write(at: context.time) { rows throws(UserPoolError) in
      var current = try rows.existingUser(sub: user.sub, in: pool)
      try Self.checkCanChangePassword(current)
      // The previous password must still be the present one.
      guard current.password == user.password else { throw .passwordWrong }
      let before = current
      current.replacePassword(by: new, in: pool)
      current.modified = context.time.wholeSecond
      try rows.put(current)
      // A code that was sent before could set the password again.
      try rows.removeCode(.forgottenPassword, of: current)
      // The user has proved the password in this sign-in: it goes on where the others end.
      guard current.epoch != before.epoch, var own = try rows.signIn(caller.signIn.id, in: pool.id),
        own.isLive(for: before)
      else { return }
      own.epoch = current.epoch
      try rows.put(own)
    }
    if pool.endsSignInsWithPassword { context.subject.endedSignIns() }
  }

  /// A temporary password is replaced at a sign-in, which also asks for attributes that are missing.
  private static func checkCanChangePassword(_ user: User) throws(UserPoolError) {
    guard user.status != .forceChangePassword else {
      throw .statusRefused("User password cannot be changed in the current state.")
    }
  }
}
