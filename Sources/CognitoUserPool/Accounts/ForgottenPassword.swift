internal import Records
internal import TokenSecurityEncodings

extension UserPoolService {
  /// Sends a code with which the user sets a new password (`ForgotPassword`).
  ///
  /// - Parameters:
  ///   - call: the client and the name.
  ///   - context: the call.
  /// - Returns: where the code was sent. A client that hides which users exist gets a simulated destination for
  ///   users who get no code.
  /// - Throws: `resetByAdministratorOnly`, `noVerifiedAddress`, `statusRefused`, `attemptLimitExceeded`,
  ///   `userUnknown`, `userDisabled` and others.
  package nonisolated(nonsending) func forgotPassword(
    _ call: NamedCall, _ context: CallContext
  ) async throws(UserPoolError) -> Destination {
    let call = try await admitted(call, context)
    guard !call.pool.isRecoveredByAdministratorsOnly else { throw .resetByAdministratorOnly }
    var found = try await counted(.resetCode, call, context)
    if found == nil { found = try await migratedForReset(call, context) }
    do throws(UserPoolError) {
      guard let user = found else { throw .userUnknown }
      try Self.checkCanReset(user)
      guard let destination = call.pool.recoveryDestination(of: user) else {
        throw .noVerifiedAddress
      }
      let pool = call.pool
      try await sendCode(
        .forgottenPassword, .forgotPassword, to: destination, for: call.hookUser(user),
        sub: user.sub, context
      ) { current in current.isEnabled && pool.recoveryDestination(of: current) == destination }
      return destination
    } catch {
      guard call.hidesUsers, error.showsUser else { throw error }
      return try await simulateCode(.forgottenPassword, call, context)
    }
  }

  static func checkCanReset(_ user: User) throws(UserPoolError) {
    guard user.isEnabled else { throw .userDisabled }
    guard user.status != .forceChangePassword else {
      throw .statusRefused("User password cannot be reset in the current state.")
    }
  }

  /// Asks UserMigration for a user who does not exist, and stores the one it finds.
  private nonisolated(nonsending) func migratedForReset(
    _ call: ClientCall, _ context: CallContext
  ) async throws(UserPoolError) -> User? {
    let pool = call.pool
    guard pool.hook(.userMigration) != nil,
      let name = try? UserNameRules(pool).checkedNew(call.call.userName)
    else { return nil }
    let asked = HookUser(
      pool: pool, clientID: call.client.id, userName: call.call.userName, attributes: [:],
      clientMetadata: call.call.metadata)
    guard let migrated = try await hooks.migrateForReset(asked, validationData: [:]) else {
      return nil
    }
    let user = try User(migrated, name, in: pool, at: context.time)
    return try await store.write(at: context.time) { rows throws(UserPoolError) -> User in
      // Another call may have migrated the user meanwhile.
      if let user = try rows.user(typed: call.call.userName, in: pool) { return user }
      try rows.add(user, to: pool, forcing: migrated.forcesAliasCreation)
      return user
    }
  }
}

extension UserPool {
  /// Where a code for a new password is sent; nil where no address of the user serves.
  func recoveryDestination(of user: User) -> Destination? {
    recoveryAttribute(of: user).flatMap { Destination($0, of: user) }
  }
}

extension User {
  /// A user that UserMigration found. Without a password the status is RESET_REQUIRED.
  init(
    _ migrated: MigratedUser, _ name: UserNameRules.NewName, in pool: UserPool, at time: Timestamp
  ) throws(UserPoolError) {
    let given = migrated.attributes.sorted { $0.key < $1.key }
      // The function may return what it has of its own user.
      .filter { $0.key != "sub" && !$0.key.text.hasPrefix("cognito:") }
      .map { (name: $0.key.text, value: $0.value) }
    let attributes: [ExactString: String]
    do throws(UserPoolError) {
      attributes = try AttributeRules(pool).checkedNew(
        given, byAdministrator: true, client: nil, address: name.address)
    } catch {
      throw .hookResponseInvalid(trigger: HookTrigger.userMigration.rawValue.text, rule: "\(error)")
    }
    try self.init(name, attributes: attributes, in: pool, at: time)
    status = .resetRequired
    smsFactor = migrated.enablesSMSFactor && attribute("phone_number") != nil
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
