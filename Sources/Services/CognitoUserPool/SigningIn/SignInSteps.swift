internal import ServiceOperations
internal import TokenSecurityBase

/// The order of a sign-in: password, new password, device or second factor, device, tokens.
extension SignIns {
  /// Goes on after a proved password.
  nonisolated(nonsending) func afterPassword(
    _ state: SignInState, _ user: User
  ) async throws(UserPoolError) -> SignInOutcome {
    try user.checkMaySignIn()
    guard user.status == .forceChangePassword else { return try await afterFirstFactor(state, user) }
    if let end = user.temporaryUntil, state.now > end { throw .temporaryPasswordExpired }
    return try newPasswordChallenge(state, user)
  }

  /// Goes on after the first factor. A remembered device replaces the second one where the pool
  /// challenges new devices.
  nonisolated(nonsending) func afterFirstFactor(
    _ state: SignInState, _ user: User
  ) async throws(UserPoolError) -> SignInOutcome {
    try user.checkMaySignIn()
    let state = state.withoutClosedDevice
    if state.pool.devices?.challengesNewDevices == true, let device = state.device, device.isRemembered {
      return try await deviceChallenge(state, device)
    }
    switch user.secondFactorStep(in: state.pool) {
    case .none: return try await afterSecondFactor(state, user)
    case .factor(let factor): return try await factorChallenge(state, user, factor)
    case .closed(let factor): throw .factorClosed(factor.name)
    case .choice(let factors):
      return try factorChoice(.selectMFAType, "MFAS_CAN_CHOOSE", factors, state)
    case .setup(let factors): return try factorChoice(.mfaSetup, "MFAS_CAN_SETUP", factors, state)
    }
  }

  /// Goes on after the second factor, or where there is none.
  nonisolated(nonsending) func afterSecondFactor(
    _ state: SignInState, _ user: User
  ) async throws(UserPoolError) -> SignInOutcome {
    let state = state.withoutClosedDevice
    if let device = state.device, device.isRemembered, !state.session.isDeviceProven {
      return try await deviceChallenge(state, device)
    }
    return try await finish(state, user)
  }

  /// Goes on after all factors: in a custom flow its hook decides.
  nonisolated(nonsending) func finish(
    _ state: SignInState, _ user: User
  ) async throws(UserPoolError) -> SignInOutcome {
    state.session.isCustomFlow
      ? try await decideCustomFlow(state, publicKey: nil) : try await complete(state, user)
  }

  /// Issues tokens. The settlement is that of an answer that is not settled yet, where
  /// ``SignInState/completesAtOnce`` is true.
  nonisolated(nonsending) func complete(
    _ state: SignInState, _ user: User, settling settlement: Settlement? = nil
  ) async throws(UserPoolError) -> SignInOutcome {
    try user.checkMaySignIn()
    let pool = state.pool
    try await hooks.postAuthentication(
      state.hookUser(), newDeviceUsed: pool.devices != nil && state.device == nil)
    let (known, newDevice) = try await devices(of: state, user)
    let facts = SignInFacts(
      pool: pool, client: state.client, user: user, deviceKey: (known ?? newDevice)?.key,
      authTime: state.now, clientMetadata: state.metadata)
    let source: TokenGenerationSource =
      state.session.hasNewPassword ? .newPassword : state.session.isDeviceProven ? .device : .signIn
    let tokens = try await sessions.issueTokens(
      facts, source: source, context: state.context, settling: settlement)
    if state.session.isCounted {
      strangers.takeBack(.signIn, named: state.session.typedName, in: pool, state.context, secrets)
    }
    return .signedIn(tokens, newDevice: newDevice)
  }

  /// The device of a sign-in that ends, or a new one. A hook may have taken long: the device may be forgotten, and
  /// the user deleted, meanwhile.
  ///
  /// - Throws: `deviceUnknown` where the forgotten device was proved, perhaps instead of a second factor;
  ///   `poolUnknown`, `userUnknown`.
  private nonisolated(nonsending) func devices(
    of state: SignInState, _ user: User
  ) async throws(UserPoolError) -> (known: UserDevice?, new: UserDevice?) {
    guard state.pool.devices != nil else { return (nil, nil) }
    let (key, address) = (state.device?.key, state.context.address)
    let isProven = state.session.isDeviceProven
    return try await store.write(at: state.now) { rows throws(UserPoolError) in
      let pool = try rows.existingPool(user.poolID)
      guard let user = try rows.user(sub: user.sub, in: pool) else { throw .userUnknown }
      if let key {
        if let known = try rows.noteSignIn(withDevice: key, of: user, address: address) {
          return (known, nil)
        }
        guard !isProven else { throw .deviceUnknown }
      }
      return (nil, try rows.addDevice(for: user, in: pool, address: address))
    }
  }

  /// A challenge with a session of its own.
  func challenge(
    _ name: ChallengeNameType, _ parameters: [ExactString: String], _ state: SignInState,
    available: [ChallengeNameType] = []
  ) throws(UserPoolError) -> SignInOutcome {
    let text = try state.session.issued(for: name.name, state.client, at: state.now, secrets).text
    var parameters = parameters
    parameters["USER_ID_FOR_SRP"] = state.session.shownName
    return .challenge(
      SignInChallenge(name: name, parameters: parameters, session: text, available: available))
  }
}
