internal import Records
internal import ServiceOperations
internal import TokenSecurityBase

/// Codes as first and second factors.
extension SignIns {
  /// Asks for a second factor.
  nonisolated(nonsending) func factorChallenge(
    _ state: SignInState, _ user: User, _ factor: SecondFactor
  ) async throws(UserPoolError) -> SignInOutcome {
    // It may have been closed since it was offered.
    guard !user.isClosed(factor) else { throw .factorClosed(factor.name) }
    switch factor {
    case .sms: return try await sendCode(.smsMFA, state)
    case .email: return try await sendCode(.emailOTP, state)
    case .softwareToken:
      return try challenge(
        .softwareTokenMFA, ["FRIENDLY_DEVICE_NAME": user.softwareTokenName ?? ""], state)
    }
  }

  /// Sends a code and asks for it. For a user who does not exist, nothing is sent.
  ///
  /// - Throws: `passwordAttemptsExceeded` after too many codes, or messages to the address, `requestLimitExceeded` where
  ///   too many messages wait: sign-ins declare neither `LimitExceededException` nor `CodeDeliveryFailureException`.
  nonisolated(nonsending) func sendCode(
    _ name: ChallengeNameType, _ state: SignInState
  ) async throws(UserPoolError) -> SignInOutcome {
    do throws(UserPoolError) { return try await makeCode(name, state) } catch .attemptLimitExceeded {
      throw .passwordAttemptsExceeded
    } catch {
      throw error.declaringNoDelivery
    }
  }

  private nonisolated(nonsending) func makeCode(
    _ name: ChallengeNameType, _ state: SignInState
  ) async throws(UserPoolError) -> SignInOutcome {
    let attribute: VerifiedAttribute = name == .emailOTP ? .email : .phoneNumber
    let isEmail = attribute == .email
    // As the first factor, an e-mail's code has eight digits.
    let digits = state.session.isFirstFactor && isEmail ? 8 : 6
    let (session, text) = try state.session.issued(for: name.name, state.client, at: state.now, secrets)
    let destination: Destination
    let (pool, secrets, lifetime) = (state.pool.id, secrets, state.client.sessionLifetime)
    let guessed = try guessedCode(name, session, state.context)
    // Made for all names, so that the time does not show who exists.
    let other = try secrets.simulatedUser(named: session.typedName, in: state.pool)
    let elsewhere = try secrets.simulatedDestination(attribute, named: session.typedName, in: state.pool)
    if let user = state.user {
      guard let found = Destination(attribute, of: user) else {
        throw .factorNotSetUp("User does not have delivery config set to turn on \(name.name)")
      }
      destination = found
      let message = try await codeMessage(by: attribute.medium, state)
      try await store.write(at: state.now) { rows throws(UserPoolError) in
        if let guessed { try rows.checkGuesses(guessed, asksForCode: true) }
        try rows.countAttempt(.signInCode, pool: pool, key: session.attemptKey)
        guard let message else {
          return try rows.issueSimulatedCode(
            session.codePurpose, for: user, lifetime: lifetime, keepsSent: true)
        }
        try rows.sendCode(
          session.codePurpose, message, to: found, of: user, digits: digits, secrets: secrets)
      }
    } else {
      destination = elsewhere
      let message = try await messages.text(
        .authentication, by: attribute.medium, to: state.hookUser(), lifetime: lifetime, isSimulated: true)
      try await store.write(at: state.now) { rows throws(UserPoolError) in
        if let guessed { try rows.checkGuesses(guessed, asksForCode: true) }
        try rows.countAttempt(.signInCode, pool: pool, key: session.attemptKey)
        try rows.simulateMessage(
          session.codePurpose, for: other, message, to: attribute, digits: digits, secrets: secrets)
      }
    }
    return .challenge(
      SignInChallenge(
        name: name,
        parameters: [
          "USER_ID_FOR_SRP": session.shownName,
          "CODE_DELIVERY_DELIVERY_MEDIUM": destination.medium.name,
          "CODE_DELIVERY_DESTINATION": destination.masked,
        ], session: text))
  }

  /// The text of a code's message; nil where CustomMessage fails and the response must not show that the user
  /// exists.
  private nonisolated(nonsending) func codeMessage(
    by medium: DeliveryMedium, _ state: SignInState
  ) async throws(UserPoolError) -> MessageText? {
    do throws(UserPoolError) {
      return try await messages.text(
        .authentication, by: medium, to: state.hookUser(), lifetime: state.client.sessionLifetime)
    } catch {
      guard state.session.isFirstFactor, state.client.preventsExistenceErrors, error.isOfOneMessage else {
        throw error
      }
      try await messages.reserveRoom(.authentication, by: medium, in: state.pool)
      return nil
    }
  }

  /// Checks the code of a challenge. A wrong one stays counted for the session and for the user, and does not use
  /// the session up.
  nonisolated(nonsending) func answerCode(
    _ state: SignInState, _ name: ChallengeNameType, _ responses: [ExactString: SecretText]
  ) async throws(UserPoolError) -> SignInOutcome {
    let code = try responses.required(name.codeMember)
    let (session, pool, secrets, now) = (state.session, state.pool, secrets, state.now)
    let counter: CodeCounter
    if let guessed = try guessedCode(name, session, state.context) {
      counter = .guesses(guessed)
    } else if let factor = SecondFactor(name: name.name) {
      counter = .factor(factor, session, pool)
    } else {
      throw .challengeUnexpected
    }
    let settled = try await store.write(at: now) { rows throws(UserPoolError) -> Settled in
      try rows.checkUnused(session)
      try rows.checkFailures(of: session)
      let user = try rows.user(of: session, in: pool)
      try rows.check(counter, user)
      let wrong =
        name == .softwareTokenMFA
        ? try rows.refusal(ofTokenCode: code, user, secrets)
        : try rows.refusal(ofCode: code, session, user, pool, secrets)
      // Every code is counted. A right one is forgotten again in the same transaction, which so needs of the store what
      // that of a wrong one needs: where none can be stored, both get the store's error.
      try rows.countFailure(of: session)
      let noted = try rows.count(counter)
      if let wrong { return .refused(wrong, noted) }
      try rows.use(session)
      try rows.forgetFailures(of: session)
      try rows.forget(counter)
      // An address may have been verified.
      return try rows.user(of: session, in: pool).map { .right($0) } ?? .refused(.mfaCodeMismatch, nil)
    }
    var state = state
    switch settled {
    case .refused(let error, let noted):
      if let noted { state.context.subject.note(noted) }
      throw error
    case .right(let user):
      state.found = FoundUser(user)
      guard state.session.isFirstFactor else { return try await afterSecondFactor(state, user) }
      state.session.isFirstFactor = false
      return try await afterFirstFactor(state, user)
    }
  }

  /// The names under which a code is counted that is the first factor; nil for a second factor.
  func guessedCode(
    _ name: ChallengeNameType, _ session: SignInSession, _ context: CallContext
  ) throws(UserPoolError) -> GuessedCode? {
    guard session.isFirstFactor else { return nil }
    return try GuessedCode(
      name == .emailOTP ? .email : .sms, session.attemptKey, isUnknown: session.isSimulated,
      in: session.poolID, from: context.client, secrets)
  }

  /// Result of the check of a code.
  private enum Settled: Sendable {
    case refused(UserPoolError, NotedCode?)
    case right(User)
  }
}

extension WriteTransaction<UserPoolError> {
  /// Why a code that was sent is refused; nil for the right one, which is used up.
  fileprivate func refusal(
    ofCode code: String, _ session: SignInSession, _ user: User?, _ pool: UserPool, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> UserPoolError? {
    let simulated = try secrets.simulatedUser(named: session.typedName, in: pool)
    guard let user else {
      // No code matches; looking takes as long as for others.
      _ = try checkCode(code, session.codePurpose, of: simulated, secrets: secrets)
      return .mfaCodeMismatch
    }
    switch try checkCode(code, session.codePurpose, of: user, secrets: secrets) {
    case .right(let stored):
      // As a wrong one is, before it is removed: the transaction needs of the store what that of a wrong one needs.
      try countFailure(of: stored)
      // A code that was sent to an earlier address proves nothing about the present one.
      guard stored.isAddress(of: user) else { return .mfaCodeMismatch }
      try removeCode(session.codePurpose, of: user)
      try verify(stored, of: user)
      return nil
    // Whatever the state of the code, which users who do not exist have not.
    case .refused: return .mfaCodeMismatch
    }
  }

  /// Notes that an address is the user's: the code came from it. An alias that is another user's stays there.
  private func verify(_ stored: StoredCode, of user: User) throws(UserPoolError) {
    guard let attribute = VerifiedAttribute(name: stored.attribute), !user.isVerified(attribute),
      let pool = try userPool(user.poolID)
    else { return }
    var changed = user
    changed.attributes[ExactString(attribute.flag)] = "true"
    changed.modified = now.wholeSecond
    guard try otherOwner(of: changed.aliases(in: pool), than: user, in: pool) == nil else { return }
    try store(changed, replacing: user, in: pool)
  }

  fileprivate func refusal(
    ofTokenCode code: String, _ user: User?, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> UserPoolError? {
    guard let user else { return .softwareTokenCodeMismatch }
    return switch try useSoftwareTokenCode(code, of: user, secrets: secrets, at: now) {
    case .right: nil
    case .wrong: .softwareTokenCodeMismatch
    case .used: .softwareTokenCodeUsed
    }
  }
}

extension SignInSession {
  /// The purpose of the code that the session waits for.
  var codePurpose: CodePurpose { .factor(sessionID: Base64URL.string(id)) }
}
