internal import Records
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityEncodings

/// Sign-ins with a plain password, which is checked by computing its verifier.
extension UserPoolService {
  /// Checks the password and goes on.
  nonisolated(nonsending) func signIn(
    _ state: SignInState, password: RetainedSecret
  ) async throws(UserPoolError) -> SignInOutcome {
    let settlement = try await checkPassword(password, state)
    guard let user = state.user else { throw .passwordWrong }
    if let settlement { return try await complete(state, user, settling: settlement) }
    return try await afterPassword(state, user)
  }

  /// Checks the password, and counts a wrong one before its place is given back.
  ///
  /// - Returns: what is to be settled together with the sign-in; nil where it was settled.
  /// - Throws: `passwordWrong`, `passwordAttemptsExceeded`, `sessionUsed`, `tooMuchWork`.
  private nonisolated(nonsending) func checkPassword(
    _ password: RetainedSecret, _ state: SignInState
  ) async throws(UserPoolError) -> Settlement? {
    let key = state.session.attemptKey
    guard await checks.enter(key) else { throw .tooMuchWork }
    defer { checks.leave(key) }
    let isRight = try await isPassword(
      password.bytes, of: state.user, named: state.simulationName, in: state.pool,
      from: state.context.client)
    let settlement = Settlement(.password, state.session)
    if isRight, state.completesAtOnce { return settlement }
    if isRight, !state.session.isIssued, try await !hasFailures(settlement, at: state.now) { return nil }
    try await settle(settlement, isRight: isRight, at: state.now)
    return nil
  }

  /// True where earlier failures are noted. Without them there is nothing to write for a right password.
  ///
  /// - Throws: `passwordAttemptsExceeded`: while the power was computed, other attempts may have failed.
  private nonisolated(nonsending) func hasFailures(
    _ settlement: Settlement, at now: Timestamp
  ) async throws(UserPoolError) -> Bool {
    let session = settlement.session
    return try await store.read(at: now, .fresh) { rows throws(UserPoolError) in
      try rows.checkFailures(settlement.kind, session.attemptKey, in: session.poolID)
    }
  }
}
