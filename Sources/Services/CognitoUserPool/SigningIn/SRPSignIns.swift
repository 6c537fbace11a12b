internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// The challenge PASSWORD_VERIFIER and its answer.
extension SignIns {
  /// Begins a proof by SRP. Its powers run on the computation threads.
  nonisolated(nonsending) func beginSRP(
    _ state: SignInState, _ parameters: [ExactString: SecretText], isIssued: Bool
  ) async throws(UserPoolError) -> SignInOutcome {
    let publicKey = try parameters.clientPublicKey()
    let session = try state.session.renewed(
      for: ChallengeNameType.passwordVerifier.name, state.client, at: state.now, isIssued: isIssued)
    let (user, pool, secrets, simulated) = (state.user, state.pool, secrets, state.simulationName)
    let challenge = try await threads.run(for: state.context.client) { () throws(UserPoolError) in
      let users = try secrets.simulatedUsers(of: pool)
      let known = try user?.srpRecord(secrets)
      let record: CognitoSRPRecord
      do throws(SRPError) {
        record = try users.record(
          of: known, pool: UserPool.nameForSRP(pool.id), username: simulated, shown: session.shownName)
      } catch { throw UserPoolError(error) }
      var challenge = try session.srpChallenge(publicKey: publicKey, record, secrets)
      challenge["USER_ID_FOR_SRP"] = record.identity.name
      return challenge
    }
    return .challenge(
      SignInChallenge(
        name: .passwordVerifier, parameters: challenge,
        session: isIssued ? try session.sealed(secrets) : nil, changedNothing: !isIssued))
  }

  /// Checks the proof of a password. The secret block is the session, and is redeemed in any case.
  nonisolated(nonsending) func verifyPassword(
    _ answer: ChallengeAnswer, _ client: UserPoolClient, _ pool: UserPool, _ context: CallContext
  ) async throws(UserPoolError) -> SignInOutcome {
    let block = try openBlock(answer, .passwordVerifier, client, at: context.time)
    var state = try await resume(
      block.session, answer, client, pool, context, block: block, else: .passwordWrong)
    let settlement = try await checkProof(of: block, answer, state)
    guard let user = state.user else { throw .passwordWrong }
    if let settlement { return try await complete(state, user, settling: settlement) }
    if state.session.isCustomFlow {
      state.session.history.append(
        SignInSession.AnsweredChallenge(ChallengeNameType.passwordVerifier.name, isRight: true))
    }
    return try await afterPassword(state, user)
  }

  /// Checks the proof, and counts a wrong one before its slot is given back.
  ///
  /// - Returns: what is to be settled together with the sign-in; nil where it was settled.
  private nonisolated(nonsending) func checkProof(
    of block: SignInSession.OpenedBlock, _ answer: ChallengeAnswer, _ state: SignInState
  ) async throws(UserPoolError) -> Settlement? {
    let key = state.session.attemptKey
    guard await checks.enter(key) else { throw .tooMuchWork }
    defer { checks.leave(key) }
    let isRight = try await proof(of: block, answer, state)
    let settlement = Settlement(.password, state.session, block)
    if isRight, state.completesAtOnce { return settlement }
    try await settle(settlement, isRight: isRight, at: state.now)
    return nil
  }

  private nonisolated(nonsending) func proof(
    of block: SignInSession.OpenedBlock, _ answer: ChallengeAnswer, _ state: SignInState
  ) async throws(UserPoolError) -> Bool {
    let name = state.user?.password?.userIDForSRP ?? state.session.shownName
    let identity = try UserPoolError.srp { () throws(SRPError) in
      try CognitoSRPIdentity.user(poolName: UserPool.nameForSRP(state.pool.id), userIDForSRP: name)
    }
    return try block.isProved(by: answer, identity, at: state.now)
  }

  /// Opens the secret block of an answer, and checks that a session beside it is the same one.
  func openBlock(
    _ answer: ChallengeAnswer, _ challenge: ChallengeNameType, _ client: UserPoolClient, at now: Timestamp
  ) throws(UserPoolError) -> SignInSession.OpenedBlock {
    let text = try answer.responses.required("PASSWORD_CLAIM_SECRET_BLOCK")
    guard text.utf8.count <= SignInSession.lengthLimit * 2, let bytes = try? Base64.decode(text),
      let block = try SignInSession.OpenedBlock(bytes, secrets)
    else { throw .passwordWrong }
    let session = block.session
    guard session.challenge == challenge.name, session.clientID == client.id,
      session.poolID == client.poolID
    else { throw .passwordWrong }
    guard now <= session.end else { throw .sessionExpired }
    if let text = answer.session {
      guard try SignInSession(sealed: text, secrets)?.id == session.id else { throw .sessionInvalid }
    }
    return block
  }

  /// Settles an answer in a transaction of its own.
  ///
  /// - Throws: `passwordWrong` for a wrong answer, `passwordAttemptsExceeded`, `sessionUsed`.
  nonisolated(nonsending) func settle(
    _ settlement: Settlement, isRight: Bool, at now: Timestamp
  ) async throws(UserPoolError) {
    let refused: UserPoolError? = try await store.write(at: now) { rows throws(UserPoolError) in
      try rows.settle(settlement, isRight: isRight)
    }
    if let refused { throw refused }
  }
}
