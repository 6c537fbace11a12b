internal import HTTPExchange
internal import Records
internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension PasswordRecovery {
  /// Sets a new password instead of a forgotten one (`ConfirmForgotPassword`). A password that the policy or
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
    let call = try await calls.verifiedCall(call, context)
    let password = RetainedSecret(password)
    try call.pool.passwordPolicy.check(password.bytes)
    try calls.count(.reset, call, context)
    let (found, closed) = try await countedReset(call, context)
    let user: User
    do throws(UserPoolError) { user = try await judged(found, code, call, context) } catch {
      // It stays counted. A right code does so, too, where the password is refused, but it is no wrong one that closed.
      if let closed { context.subject.note(closed) }
      throw error
    }
    let changed = try await reset(user, code, password, call, context)
    if call.pool.endsSignInsWithPassword { context.subject.endedSignIns() }
    try await hooks.postConfirmation(call.hookUser(changed), .forgottenPassword)
  }

  /// The user whose code is right.
  private nonisolated(nonsending) func judged(
    _ found: User?, _ code: String, _ call: ClientCall, _ context: CallContext
  ) async throws(UserPoolError) -> User {
    guard found != nil || call.hidesUsers else { throw .userUnknown }
    return try await resetOutcome(found, code, nil, call, context)
  }

  /// Checks the password, and sets it. The code is checked again with the time at which the password is set, and not with that
  /// of the first look: a call that waits on purpose would set a password by a code that has ended since.
  private nonisolated(nonsending) func reset(
    _ user: User, _ code: String, _ password: RetainedSecret, _ call: ClientCall, _ context: CallContext
  ) async throws(UserPoolError) -> User {
    guard try await !passwords.isInHistory(password.bytes, of: user, in: call.pool, from: context.client)
    else {
      throw .passwordUsedBefore
    }
    let new = try await passwords.verifier(of: password.bytes, for: user, in: call.pool, from: context.client)
    return try await resetOutcome(user, code, new, call, context)
  }

  /// Finds the user, and counts the code before it is checked, so that codes at the same time cannot all be checked
  /// first. Codes for unknown names count as others. A right one is forgotten with the new password.
  ///
  /// - Returns: the user, nil for an unknown name; and the codes that this one closes unless it is right.
  /// - Throws: `attemptLimitExceeded`.
  private nonisolated(nonsending) func countedReset(
    _ call: ClientCall, _ context: CallContext
  ) async throws(UserPoolError) -> (user: User?, closed: ClosedCodes?) {
    let unknown = try call.secrets.simulatedUserName(of: call.canonicalName, in: call.pool)
    let client = context.client
    let (found, closed) = try await store.write(at: context.time) { rows throws(UserPoolError) in
      let found = try rows.found(typed: call.call.userName, in: call.pool)
      if found.isUser { context.subject.isUser(found.row) }
      let key = try found.limitKey(named: unknown, in: call.pool.id, call.secrets)
      let code = try GuessedCode(key, isUnknown: !found.isUser, call, from: client)
      try rows.checkGuesses(code)
      return (found, try rows.countGuess(code))
    }
    return (found.taken(), closed)
  }

  /// Checks a code, and sets the password if one is given.
  private nonisolated(nonsending) func resetOutcome(
    _ user: User?, _ code: String, _ password: StoredPassword?, _ call: ClientCall,
    _ context: CallContext
  ) async throws(UserPoolError) -> User {
    let client = context.client
    let outcome = try await store.write(at: context.time) { rows throws(UserPoolError) in
      try rows.reset(user, code: code, password, call, from: client)
    }
    return try outcome.get()
  }
}

extension GuessedCode {
  /// The code of a call for a new password.
  fileprivate init(
    _ key: [UInt8], isUnknown: Bool, _ call: ClientCall, from client: ClientAddress
  ) throws(UserPoolError) {
    try self.init(.reset, key, isUnknown: isUnknown, in: call.pool.id, from: client, call.secrets)
  }
}

extension WriteTransaction<UserPoolError> {
  /// The user who may set a new password, or has done so. A refusal that was counted does not end the transaction.
  fileprivate func reset(
    _ found: User?, code: String, _ password: StoredPassword?, _ call: ClientCall, from client: ClientAddress
  ) throws(UserPoolError) -> Result<User, UserPoolError> {
    if let user = try again(found, named: call.canonicalName, in: call.pool) {
      if !call.hidesUsers { try user.checkCanReset() }
      switch try checkCode(code, .forgottenPassword, of: user, call) {
      case .right(let row):
        // Who knows the code may know the status.
        try user.checkCanReset()
        // The address may have changed since the code was sent.
        guard row.isAddress(of: user) else { throw .codeExpired }
        return .success(
          try password.map { new throws(UserPoolError) in try set(new, for: user, call, client) } ?? user)
      case .refused(let error): return .failure(error)
      }
    }
    return .failure(try refusalOfUnknown(code, .forgottenPassword, call))
  }

  private func set(
    _ password: StoredPassword, for before: User, _ call: ClientCall, _ client: ClientAddress
  ) throws(UserPoolError) -> User {
    var user = before
    user.replacePassword(byOwn: password, in: call.pool)
    user.modified = now.wholeSecond
    try store(user, replacing: before, in: call.pool)
    try removeCode(.forgottenPassword, of: user)
    // Wrong codes of a second factor stay counted: a reset proves nothing about it.
    let key = try LimitSubject.user(user.sub).key(in: user.poolID, call.secrets)
    try forgetFailures(.password, key, in: user.poolID)
    try forgetGuesses(GuessedCode(key, isUnknown: false, call, from: client))
    return user
  }
}
