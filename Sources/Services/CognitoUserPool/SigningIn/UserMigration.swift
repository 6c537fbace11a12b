internal import Records
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Users that a hook brings from another directory, at their first sign-in with a password.
extension UserPoolService {
  /// Asks the hook for a user who does not exist.
  ///
  /// - Returns: the state, with the user if the hook knows one with this password.
  nonisolated(nonsending) func migrated(
    _ state: SignInState, _ request: SignInRequest
  ) async throws(UserPoolError) -> SignInState {
    guard state.pool.hook(.userMigration) != nil, request.hasPasswordToMigrate(in: state.pool) else {
      return state
    }
    let password = try request.parameters.secret("PASSWORD")
    // A text that cannot be a password is not asked for.
    guard password.bytes.withBytes({ PasswordPolicy.isPossible($0) }) else { return state }
    // Counted before the hook is asked: the passwords of the other directory could be guessed without a limit
    // otherwise, all at the same time.
    let pool = state.pool.id
    let key = try LimitSubject.migration(state.typed).key(in: pool, secrets)
    let counted = try await store.write(at: state.now) { rows throws(UserPoolError) in
      try rows.checkFailures(.password, key, in: pool)
      return try rows.countFailure(.password, key, in: pool)
    }
    let found: MigratedUser?
    do throws(UserPoolError) {
      found = try await hooks.migrate(
        state.hookUser(), password: password.bytes, validationData: request.metadata)
    } catch {
      // A refusal may mean a wrong password.
      if error.isFaultOfHook { try await takeBack(counted, at: state.now) }
      throw error
    }
    guard let found else { return state }
    try await takeBack(counted, at: state.now)
    let user = try await addMigrated(
      found, named: state.typed, password: password, in: state.pool, state.context)
    // The function has checked the password, which is not kept.
    guard user.status != .resetRequired else { throw .passwordResetRequired }
    var known = try SignInState(
      state.typed, FoundUser(user), state.pool, state.client, state.context, metadata: state.metadata, secrets
    )
    known.session.deviceKey = nil
    known.session.isCounted = state.session.isCounted
    return known
  }

  /// Takes a failure back that was counted before a hook was asked.
  nonisolated(nonsending) func takeBack(
    _ failure: CountedFailure, at now: Timestamp
  ) async throws(UserPoolError) {
    try await store.write(at: now) { rows throws(UserPoolError) in try rows.takeBack(failure) }
  }

  /// Adds a user that the hook found.
  ///
  /// - Parameters:
  ///   - found: the hook's response.
  ///   - typed: the name or address that was typed.
  ///   - password: the password, for a user who need not reset it; nil in ForgotPassword.
  ///   - pool: the pool.
  ///   - context: the call.
  /// - Returns: the user; the one that another call has added meanwhile.
  /// - Throws: `poolUnknown`, `attributesRefused`, `userNameRefused`, `aliasExists` and others.
  package nonisolated(nonsending) func addMigrated(
    _ found: MigratedUser, named typed: String, password: RetainedSecret?, in pool: UserPool,
    _ context: CallContext
  ) async throws(UserPoolError) -> User {
    // Aliases come from the attributes.
    let given = found.attributes.keys.sorted().compactMap { key in
      key == "sub" || key == "username" ? nil : found.attributes[key].map { (name: key.text, value: $0) }
    }
    let name = try UserNameRules(pool).checkedNew(found.userName(typed: typed, in: pool))
    let attributes = try AttributeRules(pool).checkedNew(
      given, byAdministrator: true, client: nil, address: name.address)
    var user = try User(name, attributes: attributes, in: pool, at: context.time)
    user.status = found.status ?? .resetRequired
    user.smsFactor = found.enablesSMSFactor
    if let password, user.status != .resetRequired {
      user.password = try await passwords.verifier(
        of: password.bytes, for: user, in: pool, from: context.client)
    }
    let added = user
    return try await store.write(at: context.time) { rows throws(UserPoolError) in
      if let other = try rows.user(typed: typed, in: pool) { return other }
      try rows.add(added, to: pool, forcing: found.forcesAliasCreation)
      return added
    }
  }
}

extension SignInRequest {
  /// True where the hook may be asked for the password: only where this call also checks it, and counts a wrong
  /// one. USER_AUTH does so in pools that have passwords among the first factors.
  func hasPasswordToMigrate(in pool: UserPool) -> Bool {
    guard parameters["PASSWORD"] != nil else { return false }
    guard flow == .userAuth else { return !beginsWithChallenge }
    return session == nil && pool.firstFactors.contains(.password)
      && parameters.text(of: "PREFERRED_CHALLENGE") == ChallengeNameType.password.name
  }
}

extension UserPoolError {
  /// True where a function could not be called, or gave no valid response: it has decided nothing.
  var isFaultOfHook: Bool {
    switch self {
    case .hookFailed, .hookResponseInvalid, .hookMissing: true
    default: false
    }
  }
}

extension MigratedUser {
  /// The user name: that of the attributes where an address was typed.
  fileprivate func userName(typed: String, in pool: UserPool) -> String {
    pool.usernameAttributes.isEmpty ? attributes["username"] ?? typed : typed
  }
}
