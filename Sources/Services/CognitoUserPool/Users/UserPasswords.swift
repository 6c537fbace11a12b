internal import Records
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Passwords that administrators set and reset.
extension Users {
  /// Sets a user's password, ends a lockout, and withdraws an invitation that waits (`AdminSetUserPassword`).
  ///
  /// - Parameters:
  ///   - password: the password.
  ///   - name: the user name, an alias or the `sub`.
  ///   - poolID: the pool's id.
  ///   - isPermanent: true where the user keeps it; otherwise the user must replace it at the next sign-in.
  ///   - context: the call, whose time is read again after the password was computed.
  /// - Throws: `poolUnknown`, `userUnknown`, `passwordRefused`, `passwordUsedBefore`, `storeBusy`, `storeFailed`,
  ///   `cryptoFailed`.
  package nonisolated(nonsending) func setPassword(
    _ password: SecretText, of name: String, in poolID: String, isPermanent: Bool,
    _ context: CallContext
  ) async throws(UserPoolError) {
    let (pool, found) = try await existingUser(name, in: poolID, context)
    let secret = RetainedSecret(password)
    try pool.passwordPolicy.check(secret.bytes)
    guard try await !passwords.isInHistory(secret.bytes, of: found, in: pool, from: nil) else {
      throw .passwordUsedBefore
    }
    let stored = try await passwords.verifier(of: secret.bytes, for: found, in: pool, from: nil)
    let secrets = secrets
    try await change(found, in: pool, at: context.time) { rows, user throws(UserPoolError) in
      user.replacePassword(by: stored, in: pool)
      user.status = isPermanent ? .confirmed : .forceChangePassword
      user.temporaryUntil = isPermanent ? nil : pool.passwordPolicy.temporaryEnd(from: rows.now)
      try rows.removeCode(.forgottenPassword, of: user)
      try rows.withdrawInvitations(of: user)
      try rows.clearLockout(of: user, secrets)
    }
    if pool.endsSignInsWithPassword { context.subject.endedSignIns() }
  }

  /// Makes a user reset the password with a code, which is sent (`AdminResetUserPassword`). Until then the user
  /// neither signs in nor refreshes tokens, and the user's access tokens are refused. They are not ended,
  /// unless the pool says so.
  ///
  /// - Parameters:
  ///   - name: the user name, an alias or the `sub`.
  ///   - poolID: the pool's id.
  ///   - clientMetadata: for hooks.
  ///   - context: the call, whose time is read again after a function was called.
  /// - Throws: `poolUnknown`, `userUnknown`, `statusRefused`, `noVerifiedAddress`, `attemptLimitExceeded`, the
  ///   errors of hooks and messages, `storeFailed`.
  package nonisolated(nonsending) func resetPassword(
    of name: String, in poolID: String, clientMetadata: [ExactString: String] = [:],
    _ context: CallContext
  ) async throws(UserPoolError) {
    let (pool, found) = try await existingUser(name, in: poolID, context)
    try Self.checkResettable(found)
    guard
      let destination = pool.recoveryAttribute(of: found, byAdministrator: true)
        .flatMap({ Destination($0, of: found) })
    else { throw .noVerifiedAddress }
    let text: MessageText
    do throws(UserPoolError) {
      text = try await messages.text(
        .forgotPassword, by: destination.medium,
        to: HookUser(found, in: pool, clientID: nil, clientMetadata: clientMetadata),
        lifetime: CodePurpose.forgottenPassword.lifetime)
    } catch {
      throw error.declaringNoDelivery
    }
    let secrets = secrets
    try await change(found, in: pool, at: context.time) { rows, user throws(UserPoolError) in
      try Self.checkResettable(user)
      // The address may have changed since.
      guard user.attribute(destination.attribute.name) == destination.address else { throw .changedMeanwhile }
      let key = try LimitSubject.user(user.sub).key(in: pool.id, secrets)
      try rows.countAttempt(.administratorReset, pool: pool.id, key: key)
      user.status = .resetRequired
      if pool.endsSignInsWithPassword { user.endSignIns() }
      try rows.sendCode(.forgottenPassword, text, to: destination, of: user, secrets: secrets)
    }
    if pool.endsSignInsWithPassword { context.subject.endedSignIns() }
  }

  private static func checkResettable(_ user: User) throws(UserPoolError) {
    guard user.status == .confirmed || user.status == .resetRequired else {
      throw .statusRefused("User password cannot be reset in the current state.")
    }
  }
}
