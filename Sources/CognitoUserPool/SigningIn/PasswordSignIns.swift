internal import Records
internal import ServiceOperations
internal import TokenSecurityEncodings

/// Sign-ins with a plain password, which is checked by computing its verifier.
extension UserPoolService {
  /// Checks the password and goes on.
  nonisolated(nonsending) func signIn(
    _ state: SignInState, password: RetainedSecret
  ) async throws(UserPoolError) -> SignInOutcome {
    try await checkPassword(password, state)
    guard let user = state.user else { throw .passwordWrong }
    return try await afterPassword(state, user)
  }

  /// Checks the password, and counts a wrong one before its place is given back.
  ///
  /// - Throws: `passwordWrong`, `passwordAttemptsExceeded`, `sessionUsed`, `tooMuchWork`.
  private nonisolated(nonsending) func checkPassword(
    _ password: RetainedSecret, _ state: SignInState
  ) async throws(UserPoolError) {
    let key = state.session.attemptKey
    guard await checks.enter(key) else { throw .tooMuchWork }
    defer { checks.leave(key) }
    let isRight = try await isPassword(
      password.bytes, of: state.user, named: state.simulationName, in: state.pool,
      from: state.context.client)
    try await settlePassword(isRight, state)
  }

  /// Counts a wrong password, or forgets earlier ones and uses the session up.
  ///
  /// - Throws: `passwordWrong`, `passwordAttemptsExceeded`, `sessionUsed`.
  nonisolated(nonsending) func settlePassword(
    _ isRight: Bool, _ state: SignInState
  ) async throws(UserPoolError) {
    let (session, pool) = (state.session, state.pool.id)
    // The lockout is checked again: while the power was computed, other attempts may have failed.
    if isRight, !session.isIssued {
      let hasFailures = try await store.read(at: state.now, .fresh) { rows throws(UserPoolError) in
        try rows.checkFailures(.password, session.attemptKey, in: pool)
      }
      guard hasFailures else { return }
    }
    let refused: UserPoolError? = try await store.write(at: state.now) { rows throws(UserPoolError) in
      let hasFailures = try rows.checkFailures(.password, session.attemptKey, in: pool)
      guard isRight else {
        if session.isIssued { try rows.checkUnused(session) }
        try rows.countFailure(.password, session.attemptKey, in: pool)
        return .passwordWrong
      }
      if session.isIssued { try rows.use(session) }
      if hasFailures { try rows.forgetFailures(.password, session.attemptKey, in: pool) }
      return nil
    }
    if let refused { throw refused }
  }
}
