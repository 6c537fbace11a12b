internal import Records
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Users that a hook brings from another directory, at their first sign-in with a password.
extension SignIns {
  /// Asks the hook for a user who does not exist.
  ///
  /// - Returns: the state, with the user if the hook knows one with this password.
  nonisolated(nonsending) func migrated(
    _ state: SignInState, _ request: SignInRequest
  ) async throws(UserPoolError) -> SignInState {
    guard request.hasPasswordToMigrate(in: state.pool) else { return state }
    let password = try request.parameters.secret("PASSWORD")
    // A text that cannot be a password is not asked for.
    guard password.bytes.withBytes({ PasswordPolicy.isPossible($0) }) else { return state }
    // Counted before the hook is asked: the passwords of the other directory could be guessed without a limit
    // otherwise, all at the same time.
    let pool = state.pool.id
    let key = try LimitSubject.migration(state.typed).key(in: pool, secrets)
    let counted = try await store.write(at: state.now) { rows throws(UserPoolError) in
      try rows.checkFailures(.password, key, in: pool)
      return try rows.countFailure(.password, key, in: pool)
    }
    let found: MigratedUser?
    do throws(UserPoolError) {
      found = try await hooks.migrate(
        state.hookUser(), password: password.bytes, validationData: request.metadata)
    } catch {
      // A refusal may mean a wrong password.
      if error.isFaultOfHook { try await takeBack(counted, at: state.now) }
      throw error
    }
    guard let found else { return state }
    try await takeBack(counted, at: state.now)
    let user = try await migratedUsers.add(
      found, named: state.typed, password: password, in: state.pool, state.context)
    // The function has checked the password, which is not kept.
    guard user.status != .resetRequired else { throw .passwordResetRequired }
    var known = try SignInState(
      state.typed, FoundUser(user), state.pool, state.client, state.context, metadata: state.metadata, secrets
    )
    known.session.deviceKey = nil
    known.session.isCounted = state.session.isCounted
    return known
  }

  /// Takes a failure back that was counted before a hook was asked.
  nonisolated(nonsending) func takeBack(
    _ failure: CountedFailure, at now: Timestamp
  ) async throws(UserPoolError) {
    try await store.write(at: now) { rows throws(UserPoolError) in try rows.takeBack(failure) }
  }
}

extension SignInRequest {
  /// True where the hook may be asked for the password: only where this call also checks it, and counts a wrong
  /// one. USER_AUTH does so in pools that have passwords among the first factors.
  func hasPasswordToMigrate(in pool: UserPool) -> Bool {
    guard parameters["PASSWORD"] != nil else { return false }
    guard flow == .userAuth else { return !beginsWithChallenge }
    return session == nil && pool.firstFactors.contains(.password)
      && parameters.text(of: "PREFERRED_CHALLENGE") == ChallengeNameType.password.name
  }
}

extension UserPoolError {
  /// True where a function could not be called, or gave no valid response: it has decided nothing.
  var isFaultOfHook: Bool {
    switch self {
    case .hookFailed, .hookResponseInvalid, .hookMissing: true
    default: false
    }
  }
}
