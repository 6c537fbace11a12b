internal import Records
internal import ServiceOperations
internal import TokenSecurityBase

/// `InitiateAuth` and `AdminInitiateAuth`.
extension SignIns {
  /// Begins a sign-in, or refreshes tokens.
  ///
  /// - Parameters:
  ///   - request: the flow and its parameters.
  ///   - context: the call.
  /// - Returns: a challenge, or tokens.
  /// - Throws: `clientUnknown`, `secretHashMismatch`, `flowNotEnabled`, `userUnknown`, `passwordWrong`,
  ///   `passwordAttemptsExceeded` and others.
  package nonisolated(nonsending) func initiate(
    _ request: SignInRequest, _ context: CallContext
  ) async throws(UserPoolError) -> SignInOutcome {
    if request.flow == .adminNoSRPAuth || request.flow == .adminUserPasswordAuth {
      guard request.poolID != nil else { throw .flowNotSupported }
    }
    let (client, pool) = try await client(request.clientID, of: request.poolID, context)
    if request.flow == .refreshToken || request.flow == .refreshTokenAuth {
      return try await refreshTokens(request, client, pool, context)
    }
    let typed = try request.parameters.userName()
    try client.checkSecretHash(request.parameters.text(of: "SECRET_HASH"), of: typed, secrets)
    try client.check(request.flow)
    // Before the name is looked up: a refused call reads no user. Those of administrators are not counted.
    let isCounted = request.poolID == nil
    if isCounted { try strangers.count(.signIn, named: typed, in: pool, context, secrets) }
    var state = try await begin(typed, request, pool, client, context)
    state.session.isCounted = isCounted
    guard !state.isRefusedAsUnknown else { throw .userUnknown }
    // Asked here: a call that returns the state as it is copies it for unknown names alone, which takes time.
    if !state.isUser, pool.hook(.userMigration) != nil { state = try await migrated(state, request) }
    guard state.isUser || client.preventsExistenceErrors else { throw .userUnknown }
    if state.isUser { context.subject.isUser(state.found.row) }
    // With prevention of existence errors, the status is revealed only after the right password.
    if state.isUser, !client.preventsExistenceErrors { try state.found.row.checkMaySignIn() }
    if pool.hook(.preAuthentication) != nil {
      try await hooks.preAuthentication(
        state.hookUser(), validationData: request.metadata, userNotFound: !state.isUser)
    }
    return switch request.flow {
    case .userSRPAuth: try await beginSRP(state, request.parameters, isIssued: false)
    case .customAuth: try await beginCustomFlow(state, request.parameters)
    case .userAuth: try await beginChoice(state, request)
    default: try await signIn(state, password: request.parameters.secret("PASSWORD"))
    }
  }

  /// Finds the user, and refuses one that is locked out.
  private nonisolated(nonsending) func begin(
    _ typed: String, _ request: SignInRequest, _ pool: UserPool, _ client: UserPoolClient,
    _ context: CallContext
  ) async throws(UserPoolError) -> SignInState {
    let (secrets, deviceKey) = (secrets, request.parameters.text(of: "DEVICE_KEY"))
    // A challenge that follows has the device's key again, and refuses an unknown one.
    let isDeviceChecked = !request.beginsWithChallenge
    return try await store.read(at: context.time, .fresh) { rows throws(UserPoolError) in
      let found = try rows.found(typed: typed, in: pool)
      var state = try SignInState(
        typed, found, pool, client, context, metadata: request.metadata, secrets)
      guard !state.isRefusedAsUnknown else { return state }
      try rows.checkFailures(.password, state.session.attemptKey, in: pool.id)
      if pool.devices != nil {
        state.session.deviceKey = deviceKey.flatMap { $0.utf8.count <= 55 ? $0 : nil }
      }
      if isDeviceChecked {
        state.device = try rows.namedDevice(deviceKey, of: found, in: pool)
      } else if let key = state.session.deviceKey {
        state.device = try rows.confirmedDevice(key, of: found, in: pool)
      }
      return state
    }
  }
}

/// Refresh tokens instead of a sign-in.
extension SignIns {
  private nonisolated(nonsending) func refreshTokens(
    _ request: SignInRequest, _ client: UserPoolClient, _ pool: UserPool, _ context: CallContext
  ) async throws(UserPoolError) -> SignInOutcome {
    let token = try request.parameters.required("REFRESH_TOKEN")
    try client.check(request.flow)
    let tokens = try await sessions.refresh(
      RefreshRequest(
        pool: pool, client: client, token: token, deviceKey: request.parameters.text(of: "DEVICE_KEY"),
        secretHash: .hash(request.parameters.text(of: "SECRET_HASH")), replaces: false,
        clientMetadata: request.metadata),
      context: context)
    return .signedIn(tokens, newDevice: nil)
  }
}

extension SignInState {
  /// True for a user who does not exist, where that is said.
  fileprivate var isRefusedAsUnknown: Bool {
    !isUser && !client.preventsExistenceErrors && pool.hook(.userMigration) == nil
  }
}

extension SignInRequest {
  /// True where a challenge follows in any case.
  var beginsWithChallenge: Bool {
    switch flow {
    case .userSRPAuth, .customAuth, .userAuth: true
    default: false
    }
  }
}
