internal import Records
internal import TokenSecurityBase

extension SignUps {
  /// Confirms a sign-up with a code, which verifies the address that it was sent to (`ConfirmSignUp`).
  ///
  /// The code stays until it expires, so that a call that is repeated says that the user is confirmed.
  ///
  /// - Parameters:
  ///   - call: the client and the name.
  ///   - code: the code as it was entered.
  ///   - takesAliases: true to take the address from another user, who loses the alias and its verification.
  ///   - session: the session of `SignUp`, if the call has it.
  ///   - context: the call.
  /// - Returns: a session with which the user signs in at once; nil for a call without a session, or
  ///   whose session has ended.
  /// - Throws: `statusRefused`, `sessionInvalid`, `sessionUsed`, `codeMismatch`, `codeExpired`, `tooManyFailedAttempts`,
  ///   `attemptLimitExceeded`, `aliasExists`, `userUnknown` and others. After an error of PostConfirmation
  ///   the user is confirmed.
  package nonisolated(nonsending) func confirmSignUp(
    _ call: NamedCall, code: String, takesAliases: Bool = false, session: String? = nil,
    _ context: CallContext
  ) async throws(UserPoolError) -> String? {
    let call = try await calls.verifiedCall(call, context)
    let found = try await calls.counted(.confirm, .confirm, call, context).taken()
    guard found != nil || call.hidesUsers else { throw .userUnknown }
    let opened = try openedSignUpSession(session, of: found, call.client, context)
    let (outcome, used) = try await store.write(at: context.time) { rows throws(UserPoolError) in
      let outcome = try rows.confirm(found, code: code, takesAliases: takesAliases, call)
      // One that has ended while the call waited is none, as one that had ended before: the code is right.
      guard case .success = outcome, let opened, rows.now <= opened.end else {
        return (outcome, SignInSession?.none)
      }
      try rows.use(opened)
      return (outcome, opened)
    }
    try await hooks.postConfirmation(call.hookUser(outcome.get()), .signUp)
    return try confirmedSession(used, call.client, context)
  }

  /// Sends another code for a sign-up (`ResendConfirmationCode`).
  ///
  /// - Parameters:
  ///   - call: the client and the name.
  ///   - context: the call.
  /// - Returns: where the code was sent.
  /// - Throws: `userConfirmedAlready`, `addressUnusable`, `attemptLimitExceeded`, `userUnknown` and others.
  package nonisolated(nonsending) func resendConfirmationCode(
    _ call: NamedCall, _ context: CallContext
  ) async throws(UserPoolError) -> Destination {
    let call = try await calls.verifiedCall(call, context)
    let notSent = UserPoolError.addressUnusable(
      rule: "Cannot resend codes. Auto verification not turned on.")
    guard !call.pool.autoVerified.isEmpty else { throw notSent }
    let simulated = try call.simulatedDestination(.signUp)
    let found = try await calls.counted(.resend, .resend, call, context)
    let pool = call.pool
    // Of the neighbour's row, too: names of nobody take as long.
    let destination = pool.signUpDestination(of: found.row)
    let user = found.taken()
    if let user, user.isEnabled, let destination {
      try await messages.sendCode(
        .signUp, .resendCode, to: destination, for: call.hookUser(user), user, context,
        hidesUsers: call.hidesUsers
      ) { pool.signUpDestination(of: $0) == destination }
      return destination
    }
    if let simulated {
      let shown = user.map { call.shown(simulated, $0) } ?? simulated
      try await messages.simulateCode(.signUp, .resendCode, to: shown, call, context) {
        pool.signUpDestination(of: $0) == destination
      }
      return shown
    }
    guard let user else { throw .userUnknown }
    guard user.isEnabled else { throw .userDisabled }
    throw user.status == .unconfirmed ? notSent : .userConfirmedAlready
  }
}

extension WriteTransaction<UserPoolError> {
  /// The confirmed user. A refusal that was counted does not end the transaction.
  fileprivate func confirm(
    _ found: User?, code: String, takesAliases: Bool, _ call: ClientCall
  ) throws(UserPoolError) -> Result<User, UserPoolError> {
    if let user = try again(found, named: call.canonicalName, in: call.pool) {
      if !call.hidesUsers { try Self.checkIsEnabledAndUnconfirmed(user) }
      switch try checkCode(code, .signUp, of: user, call) {
      case .right(let row):
        // Who knows the code may know the status.
        try Self.checkIsEnabledAndUnconfirmed(user)
        return .success(try confirm(user, row, takesAliases: takesAliases, call))
      case .refused(let error): return .failure(error)
      }
    }
    return .failure(try refusalOfUnknown(code, .signUp, call))
  }

  private static func checkIsEnabledAndUnconfirmed(_ user: User) throws(UserPoolError) {
    guard user.isEnabled else { throw .userDisabled }
    try user.checkIsUnconfirmed()
  }

  private func confirm(
    _ before: User, _ code: StoredCode, takesAliases: Bool, _ call: ClientCall
  ) throws(UserPoolError) -> User {
    // The address may have changed since the code was sent.
    guard code.isAddress(of: before), let attribute = VerifiedAttribute(name: code.attribute) else {
      throw .codeExpired
    }
    var user = before
    user.status = .confirmed
    user.attributes[ExactString(attribute.flag)] = "true"
    user.modified = now.wholeSecond
    try store(user, replacing: before, in: call.pool, forcing: takesAliases)
    return user
  }
}

extension User {
  /// Checks that a sign-up can be confirmed.
  ///
  /// - Throws: `statusRefused`.
  func checkIsUnconfirmed() throws(UserPoolError) {
    guard status == .unconfirmed else {
      throw .statusRefused("User cannot be confirmed. Current status is \(status.name)")
    }
  }
}
