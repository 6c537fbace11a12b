internal import Records
internal import ServiceOperations
internal import TokenSecurityBase

/// The flow CUSTOM_AUTH, whose challenges hooks make.
extension SignIns {
  nonisolated(nonsending) func beginCustomFlow(
    _ state: SignInState, _ parameters: [ExactString: SecretText]
  ) async throws(UserPoolError) -> SignInOutcome {
    try hooks.checkCustomFlow(state.pool)
    let (key, pool) = (state.session.attemptKey, state.pool.id)
    // Before any hook is called: CreateAuthChallenge may send a message.
    try await store.write(at: state.now) { rows throws(UserPoolError) in
      try rows.checkFailures(.custom, key, in: pool)
      try rows.countAttempt(.customSignIn, pool: pool, key: key)
    }
    var state = state
    state.session.isCustomFlow = true
    guard parameters.text(of: "CHALLENGE_NAME") == "SRP_A" else {
      return try await decideCustomFlow(state, publicKey: nil)
    }
    _ = try parameters.required("SRP_A")
    state.session.history = [SignInSession.AnsweredChallenge("SRP_A", isRight: true)]
    return try await decideCustomFlow(state, publicKey: parameters)
  }

  /// Does what DefineAuthChallenge says. `publicKey` has `SRP_A` in the call that begins with SRP.
  nonisolated(nonsending) func decideCustomFlow(
    _ state: SignInState, publicKey: [ExactString: SecretText]?
  ) async throws(UserPoolError) -> SignInOutcome {
    let isUnknown = !state.isUser
    let trigger = HookTrigger.defineAuthChallenge
    let next = try await hooks.defineAuthChallenge(
      state.hookUser(), session: state.session.records, userNotFound: isUnknown)
    switch next {
    case .failAuthentication: throw .customAnswerRefused
    case .issueTokens:
      guard let user = state.user else { throw .customAnswerRefused }
      return try await completeCustomFlow(state, user)
    case .challenge(let name) where name == ChallengeNameType.customChallenge.name:
      return try await createChallenge(state)
    case .challenge(let name) where name == ChallengeNameType.passwordVerifier.name:
      guard let publicKey else {
        throw .hookResponseInvalid(trigger: trigger.name, rule: "the flow did not begin with SRP_A")
      }
      return try await beginSRP(state, publicKey, isIssued: true)
    case .challenge(let name):
      throw .hookResponseInvalid(
        trigger: trigger.name, rule: "the challenge \(name.quoted) does not exist in a custom flow")
    }
  }

  private nonisolated(nonsending) func createChallenge(
    _ state: SignInState
  ) async throws(UserPoolError) -> SignInOutcome {
    let created = try await hooks.createAuthChallenge(
      state.hookUser(), session: state.session.records, userNotFound: !state.isUser)
    var state = state
    state.session.privateParameters = created.privateParameters
    state.session.challengeMetadata = created.metadata
    var parameters = created.publicParameters
    parameters["USERNAME"] = state.session.shownName
    return try challenge(.customChallenge, parameters, state)
  }

  /// Issues tokens. They alone forget wrong answers: a right answer to one of several challenges does not.
  private nonisolated(nonsending) func completeCustomFlow(
    _ state: SignInState, _ user: User
  ) async throws(UserPoolError) -> SignInOutcome {
    let outcome = try await complete(state, user)
    let (key, pool) = (state.session.attemptKey, state.pool.id)
    try await store.write(at: state.now) { rows throws(UserPoolError) in
      try rows.forgetFailures(.custom, key, in: pool)
      try rows.forgetAttempts(.customSignIn, pool: pool, key: key)
    }
    return outcome
  }

  /// Lets the hook verify an answer. Each serves once, right or wrong: its hook decides whether another one follows. The
  /// session is used up, and a failure counted, before the hook is called, so that answers at the same time do
  /// not all reach it.
  nonisolated(nonsending) func answerCustom(
    _ state: SignInState, _ responses: [ExactString: SecretText]
  ) async throws(UserPoolError) -> SignInOutcome {
    let answer = try responses.required("ANSWER")
    guard state.session.isCustomFlow else { throw .sessionInvalid }
    let (session, pool) = (state.session, state.pool.id)
    let counted = try await store.write(at: state.now) { rows throws(UserPoolError) in
      try rows.checkFailures(.custom, session.attemptKey, in: pool)
      try rows.use(session)
      return try rows.countFailure(.custom, session.attemptKey, in: pool)
    }
    let isRight: Bool
    do throws(UserPoolError) {
      isRight = try await hooks.verifyAuthChallenge(
        state.hookUser(), privateParameters: session.privateParameters, answer: answer,
        userNotFound: !state.isUser)
    } catch {
      if error.isFaultOfHook { try await takeBack(counted, at: state.now) }
      throw error
    }
    if isRight { try await takeBack(counted, at: state.now) }
    var state = state
    state.session.history.append(
      SignInSession.AnsweredChallenge(
        ChallengeNameType.customChallenge.name, isRight: isRight, metadata: state.session.challengeMetadata))
    state.session.privateParameters = [:]
    state.session.challengeMetadata = nil
    return try await decideCustomFlow(state, publicKey: nil)
  }
}

extension SignInSession {
  /// The challenges so far, for hooks.
  var records: [ChallengeRecord] {
    history.map { ChallengeRecord(name: $0.name, result: $0.isRight, metadata: $0.metadata) }
  }
}
