internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import TokenSecurityBase

/// The challenges DEVICE_SRP_AUTH and DEVICE_PASSWORD_VERIFIER, by which a remembered device is proved.
extension SignIns {
  /// Asks for the device. The store notes it too, for clients that send no session back.
  nonisolated(nonsending) func deviceChallenge(
    _ state: SignInState, _ device: UserDevice
  ) async throws(UserPoolError) -> SignInOutcome {
    var state = state
    state.session.deviceKey = device.key
    let name = ChallengeNameType.deviceSRPAuth
    let (session, text) = try state.session.issued(for: name.name, state.client, at: state.now, secrets)
    var row = PendingSignIn()
    row.poolID = session.poolID
    row.clientID = session.clientID
    row.sub = session.sub
    row.deviceKey = device.key
    row.sealed = Array(text.utf8)
    row.end = session.end
    let pending = row
    try await store.write(at: state.now) { rows throws(UserPoolError) in
      try rows.put(pending, in: UserPoolTables.pendingSignIns)
    }
    return .challenge(
      SignInChallenge(
        name: name,
        parameters: [
          "USERNAME": session.shownName, "USER_ID_FOR_SRP": session.shownName, "DEVICE_KEY": device.key,
        ], session: text))
  }

  /// Begins the proof of the device.
  nonisolated(nonsending) func beginDevice(
    _ answer: ChallengeAnswer, _ client: UserPoolClient, _ pool: UserPool, _ context: CallContext
  ) async throws(UserPoolError) -> SignInOutcome {
    let deviceKey = try answer.responses.required("DEVICE_KEY")
    let publicKey = try answer.responses.clientPublicKey()
    let text: String
    if let given = answer.session {
      text = given
    } else {
      text = try await pendingSession(answer, deviceKey, client, pool, context)
    }
    let name = ChallengeNameType.deviceSRPAuth
    var session = try SignInSession(
      opening: text, client: client, challenge: name.name, at: context.time, secrets)
    let state = try await resume(session, answer, client, pool, context, else: .sessionInvalid)
    guard let device = state.device, session.deviceKey == deviceKey else { throw .deviceUnknown }
    session.challenge = ChallengeNameType.devicePasswordVerifier.name
    let (secrets, proved) = (secrets, session)
    var parameters = try await threads.run(for: context.client) { () throws(UserPoolError) in
      try proved.srpChallenge(publicKey: publicKey, device.srpRecord(secrets), secrets)
    }
    parameters["DEVICE_KEY"] = deviceKey
    parameters["USER_ID_FOR_SRP"] = session.shownName
    return .challenge(SignInChallenge(name: .devicePasswordVerifier, parameters: parameters))
  }

  /// The session of a proved password that waits for this very device; it is given once.
  private nonisolated(nonsending) func pendingSession(
    _ answer: ChallengeAnswer, _ deviceKey: String, _ client: UserPoolClient, _ pool: UserPool,
    _ context: CallContext
  ) async throws(UserPoolError) -> String {
    let typed = try answer.responses.userName()
    try strangers.count(.device, named: typed, in: pool, context, secrets)
    let text = try await store.write(at: context.time) { rows throws(UserPoolError) -> String? in
      // All is looked for in any case, so that the time does not show who exists.
      let (found, owner) = (try rows.found(typed: typed, in: pool), try rows.user(sub: typed, in: pool))
      // The rows of the neighbour, where no user has the name.
      let user = found.isUser ? found : owner.map { FoundUser($0) } ?? found
      let key = RecordKey(pool.id, user.row.sub, client.id)
      let row = try rows.get(UserPoolTables.pendingSignIns, key)
      // Before the session is given away.
      let device = try rows.confirmedDevice(deviceKey, of: user, in: pool)
      guard user.isUser, let row, row.deviceKey == deviceKey else { return nil }
      guard device != nil else { throw UserPoolError.deviceUnknown }
      try rows.delete(key, from: UserPoolTables.pendingSignIns)
      return String(decoding: row.sealed, as: UTF8.self)
    }
    guard let text else { throw .sessionInvalid }
    return text
  }

  /// Checks the proof of the device.
  nonisolated(nonsending) func verifyDevice(
    _ answer: ChallengeAnswer, _ client: UserPoolClient, _ pool: UserPool, _ context: CallContext
  ) async throws(UserPoolError) -> SignInOutcome {
    let deviceKey = try answer.responses.required("DEVICE_KEY")
    let block = try openBlock(answer, .devicePasswordVerifier, client, at: context.time)
    var state = try await resume(
      block.session, answer, client, pool, context, block: block, else: .passwordWrong)
    guard let user = state.user, let device = state.device else { throw .deviceUnknown }
    guard block.session.deviceKey == deviceKey else { throw .passwordWrong }
    guard !device.isClosed else { throw .factorClosed(FactorFailures.device) }
    try await checkProof(of: block, device, answer, state)
    state.session.isDeviceProven = true
    return try await afterSecondFactor(state, user)
  }

  /// Checks the proof, and counts a wrong one before its slot is given back.
  private nonisolated(nonsending) func checkProof(
    of block: SignInSession.OpenedBlock, _ device: UserDevice, _ answer: ChallengeAnswer,
    _ state: SignInState
  ) async throws(UserPoolError) {
    let key = state.session.attemptKey
    guard await checks.enter(key) else { throw .tooMuchWork }
    defer { checks.leave(key) }
    let isRight = try block.isProved(by: answer, device.srpIdentity, at: state.now)
    let settlement = Settlement(.device, state.session, block)
    let settled = try await store.write(at: state.now) { rows throws(UserPoolError) in
      try rows.settleDevice(settlement, isRight: isRight)
    }
    if let failures = settled.failures { state.context.subject.note(failures) }
    if let refusal = settled.refusal { throw refusal }
  }
}
