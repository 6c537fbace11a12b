internal import Records
internal import TokenSecurityBase

extension PasswordRecovery {
  /// Sends a code with which the user sets a new password (`ForgotPassword`).
  ///
  /// - Parameters:
  ///   - call: the client and the name.
  ///   - context: the call.
  /// - Returns: where the code was sent. A client that hides which users exist gets a destination for users who get
  ///   no code, too: their own address, or a simulated one.
  /// - Throws: `resetByAdministratorOnly`, `noVerifiedAddress`, `statusRefused`, `attemptLimitExceeded`,
  ///   `deliveryFailed`, `userUnknown`, `userDisabled` and others.
  package nonisolated(nonsending) func forgotPassword(
    _ call: NamedCall, _ context: CallContext
  ) async throws(UserPoolError) -> Destination {
    let call = try await calls.verifiedCall(call, context)
    guard !call.pool.isRecoveredByAdministratorsOnly else { throw .resetByAdministratorOnly }
    let simulated = try call.simulatedDestination(.forgottenPassword)
    let found = try await calls.counted(.resetCode, .resetCode, call, context)
    // Of the neighbour's row, too: names of nobody take as long.
    let destination = call.pool.recoveryDestination(of: found.row)
    if let user = found.taken() {
      return try await sendReset(to: user, at: destination, call, else: simulated, context)
    }
    if call.pool.hook(.userMigration) != nil, let user = try await migratedForReset(call, context) {
      let destination = call.pool.recoveryDestination(of: user)
      return try await sendReset(to: user, at: destination, call, else: simulated, context)
    }
    guard let simulated else { throw .userUnknown }
    try await simulateReset(to: simulated, destination, call, context)
    return simulated
  }

  /// Sends a user a code. Where the user may get none and the client hides who exists, does the same work and sends
  /// nothing.
  private nonisolated(nonsending) func sendReset(
    to user: User, at destination: Destination?, _ call: ClientCall, else simulated: Destination?,
    _ context: CallContext
  ) async throws(UserPoolError) -> Destination {
    do throws(UserPoolError) {
      try user.checkCanReset()
      guard let destination else { throw .noVerifiedAddress }
      let pool = call.pool
      try await messages.sendCode(
        .forgottenPassword, .forgotPassword, to: destination, for: call.hookUser(user), user, context,
        hidesUsers: call.hidesUsers
      ) { pool.recovers($0, by: destination) }
      return destination
    } catch {
      guard let simulated, error.showsUser else { throw error }
      let shown = call.shown(simulated, user)
      try await simulateReset(to: shown, destination, call, context)
      return shown
    }
  }

  /// Does what is done for a user who gets a code, and sends nothing.
  private nonisolated(nonsending) func simulateReset(
    to shown: Destination, _ destination: Destination?, _ call: ClientCall, _ context: CallContext
  ) async throws(UserPoolError) {
    let pool = call.pool
    try await messages.simulateCode(.forgottenPassword, .forgotPassword, to: shown, call, context) {
      pool.recovers($0, by: destination)
    }
  }

  /// Asks UserMigration for a user who does not exist, and stores the one it finds.
  private nonisolated(nonsending) func migratedForReset(
    _ call: ClientCall, _ context: CallContext
  ) async throws(UserPoolError) -> User? {
    let asked = HookUser(
      pool: call.pool, clientID: call.client.id, userName: call.call.userName, attributes: [:],
      clientMetadata: call.call.metadata)
    guard let migrated = try await hooks.migrateForReset(asked, validationData: [:]) else { return nil }
    return try await migratedUsers.add(
      migrated, named: call.call.userName, password: nil, in: call.pool, context)
  }
}

extension User {
  /// Checks that the user may set a new password instead of a forgotten one.
  ///
  /// - Throws: `userDisabled`, `statusRefused`.
  func checkCanReset() throws(UserPoolError) {
    guard isEnabled else { throw .userDisabled }
    guard status != .forceChangePassword else {
      throw .statusRefused("User password cannot be reset in the current state.")
    }
  }
}

extension UserPool {
  /// True where a user may still get a code for a new password there.
  fileprivate func recovers(_ user: User, by destination: Destination?) -> Bool {
    user.isEnabled && recoveryDestination(of: user) == destination
  }

  /// Where a code for a new password is sent; nil where no address of the user serves.
  func recoveryDestination(of user: User) -> Destination? {
    // Without a closure, which would copy the user.
    guard let attribute = recoveryAttribute(of: user) else { return nil }
    return Destination(attribute, of: user)
  }
}

extension UserPoolError {
  /// True for refusals that say whether a user exists, or in which state.
  var showsUser: Bool {
    switch self {
    case .userUnknown, .userDisabled, .statusRefused, .noVerifiedAddress, .userNotConfirmed: true
    default: false
    }
  }
}
