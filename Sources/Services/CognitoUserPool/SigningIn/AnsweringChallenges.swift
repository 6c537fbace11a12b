internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import TokenSecurityBase

/// `RespondToAuthChallenge` and `AdminRespondToAuthChallenge`.
extension SignIns {
  /// Takes the answer to a challenge.
  ///
  /// - Parameters:
  ///   - answer: the challenge's name, its session and the answers.
  ///   - context: the call.
  /// - Returns: the next challenge, or tokens.
  /// - Throws: `sessionInvalid`, `sessionUsed`, `sessionExpired`, `passwordWrong`, `mfaCodeMismatch`,
  ///   `deviceUnknown`, `timestampMalformed` and others.
  package nonisolated(nonsending) func respond(
    _ answer: ChallengeAnswer, _ context: CallContext
  ) async throws(UserPoolError) -> SignInOutcome {
    let (client, pool) = try await client(answer.clientID, of: answer.poolID, context)
    let typed = try answer.responses.userName()
    try answer.checkTimestamp()
    let hash = answer.responses.text(of: "SECRET_HASH")
    // Some clients begin a device's proof with neither session nor hash. It then needs a proved password.
    let isBareDevice = answer.challenge == .deviceSRPAuth && answer.session == nil && hash == nil
    if !isBareDevice { try client.checkSecretHash(hash, of: typed, secrets) }
    switch answer.challenge {
    case .passwordVerifier: return try await verifyPassword(answer, client, pool, context)
    case .deviceSRPAuth: return try await beginDevice(answer, client, pool, context)
    case .devicePasswordVerifier: return try await verifyDevice(answer, client, pool, context)
    case .webAuthn, .adminNoSRPAuth: throw .challengeUnexpected
    default: break
    }
    guard let text = answer.session else { throw .parameterMissing("Session") }
    let session = try SignInSession(
      opening: text, client: client, challenge: answer.challenge.name, at: context.time, secrets)
    let state = try await resume(session, answer, client, pool, context, else: .sessionInvalid)
    let responses = answer.responses
    switch answer.challenge {
    case .newPasswordRequired: return try await setNewPassword(state, responses)
    case .smsMFA, .emailOTP, .smsOTP, .softwareTokenMFA:
      return try await answerCode(state, answer.challenge, responses)
    case .selectMFAType: return try await selectFactor(state, responses)
    case .mfaSetup: return try await finishSetup(state)
    case .selectChallenge: return try await select(state, responses)
    case .password: return try await signIn(state, password: responses.secret("PASSWORD"))
    case .passwordSRP:
      let begun = try await beginSRP(state, responses, isIssued: true)
      try await use(state)
      return begun
    case .customChallenge: return try await answerCustom(state, responses)
    default: throw .challengeUnexpected
    }
  }

  /// The state of the sign-in that an answer continues. It throws `mismatch` where the answer names another user.
  ///
  /// A session reads its user a bounded number of times. What depends on the request or on the session alone is refused before;
  /// an answer that is refused afterwards, for another name or device, counts for the session as a wrong one does.
  nonisolated(nonsending) func resume(
    _ session: SignInSession, _ answer: ChallengeAnswer, _ client: UserPoolClient, _ pool: UserPool,
    _ context: CallContext, block: SignInSession.OpenedBlock? = nil, else mismatch: UserPoolError
  ) async throws(UserPoolError) -> SignInState {
    try answer.checkMembers()
    let (secrets, typed) = (secrets, try answer.responses.userName())
    let deviceKey = answer.responses.text(of: "DEVICE_KEY")
    let (kind, guessed) = (answer.challenge.failureKind, try guessedCode(answer.challenge, session, context))
    let resumed = try await store.read(at: context.time, .fresh) {
      rows throws(UserPoolError) -> Result<SignInState, UserPoolError> in
      if session.isIssued { try rows.checkUnused(session) }
      if let block, try rows.isUsed(block.id, .block, in: pool.id) { throw .sessionUsed }
      try rows.checkFailures(of: session)
      // Codes as the first factor are counted by address.
      if let guessed {
        try rows.checkGuesses(guessed)
      } else if !session.isFirstFactor {
        try rows.checkFailures(kind, session.attemptKey, in: pool.id)
      }
      return try UserPoolError.refusal { () throws(UserPoolError) in
        let found = try rows.found(of: session, in: pool)
        guard try rows.isUser(named: typed, of: session, found, in: pool, secrets) else { throw mismatch }
        var state = SignInState(
          pool: pool, client: client, context: context, metadata: answer.metadata, typed: typed,
          found: found, session: session)
        state.device = try rows.device(of: session, found, named: deviceKey, in: pool)
        if let device = state.device { state.session.deviceKey = device.key }
        if found.isUser { context.subject.isUser(found.row) }
        return state
      }
    }
    switch resumed {
    case .success(let state): return state
    case .failure(let error):
      try await countWrongAnswer(of: session, at: context.time)
      throw error
    }
  }

  /// Uses a session up whose answer needs no more than being right.
  nonisolated(nonsending) func use(_ state: SignInState) async throws(UserPoolError) {
    let session = state.session
    try await store.write(at: state.now) { rows throws(UserPoolError) in try rows.use(session) }
  }

  /// Counts a wrong answer for the session, which the fifth one ends.
  nonisolated(nonsending) func countWrongAnswer(
    of session: SignInSession, at now: Timestamp
  ) async throws(UserPoolError) {
    try await store.write(at: now) { rows throws(UserPoolError) in
      try rows.checkUnused(session)
      try rows.checkFailures(of: session)
      try rows.countFailure(of: session)
    }
  }
}

extension UserPoolError {
  /// The result of `body`, or the reason why it refuses an answer once the user was read. Errors of the store are
  /// thrown.
  fileprivate static func refusal(
    _ body: () throws(UserPoolError) -> SignInState
  ) throws(UserPoolError) -> Result<SignInState, UserPoolError> {
    do throws(UserPoolError) { return .success(try body()) } catch {
      switch error {
      case .sessionInvalid, .passwordWrong, .deviceUnknown, .parameterRefused: return .failure(error)
      default: throw error
      }
    }
  }
}

extension ChallengeAnswer {
  /// Checks the members that the challenge needs, and the form of `SRP_A`. Both are the caller's own, so that this comes
  /// before the user is read.
  ///
  /// - Throws: `parameterMissing`, `parameterRefused`.
  fileprivate func checkMembers() throws(UserPoolError) {
    switch challenge {
    case .passwordVerifier, .devicePasswordVerifier:
      let name: ExactString = "PASSWORD_CLAIM_SIGNATURE"
      guard responses[name] != nil else { throw .parameterMissing(name.text) }
    case .smsMFA, .emailOTP, .smsOTP, .softwareTokenMFA: _ = try responses.required(challenge.codeMember)
    case .selectMFAType, .customChallenge: _ = try responses.required("ANSWER")
    case .newPasswordRequired: _ = try responses.secret("NEW_PASSWORD")
    case .password: _ = try responses.secret("PASSWORD")
    case .passwordSRP, .deviceSRPAuth: _ = try responses.clientPublicKey()
    case .selectChallenge:
      let selected = ChallengeNameType(name: try responses.required("ANSWER"))
      if selected == .password { _ = try responses.secret("PASSWORD") }
      if selected == .passwordSRP { _ = try responses.clientPublicKey() }
    default: break
    }
  }

  /// Checks the form of a proof's timestamp. It is public, so that this comes before any secret is used: names that
  /// exist and names that do not, right and wrong signatures get the same answer in the same time.
  ///
  /// - Throws: `parameterMissing`, `timestampMalformed`.
  fileprivate func checkTimestamp() throws(UserPoolError) {
    guard challenge == .passwordVerifier || challenge == .devicePasswordVerifier else { return }
    let text = try responses.required("TIMESTAMP")
    do throws(SRPError) { _ = try Timestamp(cognitoText: text) } catch {
      throw UserPoolError(requestWith: error)
    }
  }
}

extension ChallengeNameType {
  /// The member that has the code.
  var codeMember: ExactString { ExactString("\(name)_CODE") }

  /// The kind of secret or proof that the answer may guess.
  var failureKind: FailureKind {
    switch self {
    case .passwordVerifier, .password, .passwordSRP, .selectChallenge: .password
    case .customChallenge: .custom
    case .mfaSetup: .setup
    case .deviceSRPAuth, .devicePasswordVerifier: .device
    default: .factor
    }
  }
}
