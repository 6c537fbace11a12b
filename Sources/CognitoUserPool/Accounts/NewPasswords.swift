internal import Records
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings

extension UserPoolService {
  /// Sets a new password in place of a forgotten one (`ConfirmForgotPassword`). A password that the policy or
  /// the history refuses leaves the code alone.
  ///
  /// - Parameters:
  ///   - call: the client and the name.
  ///   - code: the code as it was entered.
  ///   - password: the new password.
  ///   - context: the call.
  /// - Throws: `passwordRefused`, `passwordUsedBefore`, `codeMismatch`, `codeExpired`, `tooManyFailedAttempts`,
  ///   `attemptLimitExceeded`, `userUnknown`, `userDisabled` and others. After an error of PostConfirmation the
  ///   password is set.
  package nonisolated(nonsending) func confirmForgotPassword(
    _ call: NamedCall, code: String, password: SecretText, _ context: CallContext
  ) async throws(UserPoolError) {
    let call = try await verifiedCall(call, context)
    let password = RetainedSecret(password)
    try call.pool.passwordPolicy.check(password.bytes)
    let found = try await counted(.enterReset, call, context)
    guard found != nil || call.hidesUsers else { throw .userUnknown }
    let user = try await resetOutcome(found, code, nil, call, context)
    guard try await !isInHistory(password.bytes, of: user, in: call.pool, from: context.client) else {
      throw .passwordUsedBefore
    }
    let new = try await verifier(of: password.bytes, for: user, in: call.pool, from: context.client)
    let changed = try await resetOutcome(user, code, new, call, context)
    try await hooks.postConfirmation(call.hookUser(changed), .forgottenPassword)
  }

  /// Checks a code, and sets the password if one is given.
  private nonisolated(nonsending) func resetOutcome(
    _ user: User?, _ code: String, _ password: StoredPassword?, _ call: ClientCall,
    _ context: CallContext
  ) async throws(UserPoolError) -> User {
    let outcome = try await store.write(at: context.time) { rows throws(UserPoolError) in
      try rows.reset(user, code: code, password, call)
    }
    return try outcome.get()
  }
}

extension WriteTransaction<UserPoolError> {
  /// The user who may set a new password, or has done so. A refusal that was counted does not end the transaction.
  fileprivate func reset(
    _ found: User?, code: String, _ password: StoredPassword?, _ call: ClientCall
  ) throws(UserPoolError) -> Result<User, UserPoolError> {
    if let user = try again(found, named: call.canonicalName, in: call.pool) {
      if !call.hidesUsers { try UserPoolService.checkCanReset(user) }
      switch try checkCode(code, .forgottenPassword, of: user, call) {
      case .right(let row):
        // Who knows the code may know the status.
        try UserPoolService.checkCanReset(user)
        // The address may have changed since the code was sent.
        guard row.isAddress(of: user) else { throw .codeExpired }
        return .success(
          try password.map { new throws(UserPoolError) in try set(new, for: user, call) } ?? user)
      case .refused(let error): return .failure(error)
      }
    }
    return .failure(try refusalOfUnknown(code, .forgottenPassword, call))
  }

  private func set(
    _ password: StoredPassword, for before: User, _ call: ClientCall
  ) throws(UserPoolError) -> User {
    var user = before
    user.replacePassword(byOwn: password, call.pool.passwordPolicy)
    user.modified = now.wholeSecond
    try store(user, replacing: before, in: call.pool)
    try removeCode(.forgottenPassword, of: user)
    // Wrong codes of a second factor stay counted: a reset proves nothing about it.
    let key = try LimitSubject.user(user.sub).key(in: user.poolID, call.secrets)
    try forgetFailures(.password, key, in: user.poolID)
    return user
  }
}
