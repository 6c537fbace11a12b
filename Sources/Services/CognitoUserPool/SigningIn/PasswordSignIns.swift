internal import Records
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// Sign-ins with a plain password, which is checked by computing its verifier.
extension SignIns {
  /// Checks the password and goes on.
  nonisolated(nonsending) func signIn(
    _ state: SignInState, password: RetainedSecret
  ) async throws(UserPoolError) -> SignInOutcome {
    let settlement = try await checkPassword(password, state)
    guard let user = state.user else { throw .passwordWrong }
    if let settlement { return try await complete(state, user, settling: settlement) }
    return try await afterPassword(state, user)
  }

  /// Checks the password, and counts a wrong one before its slot is given back.
  ///
  /// - Returns: what is to be settled together with the sign-in; nil where it was settled.
  /// - Throws: `passwordWrong`, `passwordAttemptsExceeded`, `sessionUsed`, `tooMuchWork`.
  private nonisolated(nonsending) func checkPassword(
    _ password: RetainedSecret, _ state: SignInState
  ) async throws(UserPoolError) -> Settlement? {
    let key = state.session.attemptKey
    guard await checks.enter(key) else { throw .tooMuchWork }
    defer { checks.leave(key) }
    let isRight = try await passwords.isPassword(
      password.bytes, of: state.user, named: state.simulationName, in: state.pool,
      from: state.context.client)
    let settlement = Settlement(.password, state.session)
    if isRight, state.completesAtOnce { return settlement }
    // Also a right one of a user without failures: what follows must not be told before a commit.
    try await settle(settlement, isRight: isRight, at: state.now)
    return nil
  }
}
