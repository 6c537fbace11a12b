internal import Records
internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// A sign-in during one call.
struct SignInState: Sendable {
  let pool: UserPool
  let client: UserPoolClient
  let context: CallContext
  let metadata: [ExactString: String]
  /// `USERNAME` of this call.
  let typed: String
  /// The user, or for nobody the neighbour's row: a copy of a state takes as long for all names.
  var found: FoundUser
  var session: SignInSession
  /// The device that the client named: the user's, and confirmed.
  var device: UserDevice?

  var now: Timestamp { context.time }
  /// False for a user who does not exist.
  var isUser: Bool { found.isUser }
  /// Nil for a user who does not exist. A copy, which takes time for users alone.
  var user: User? { found.user }

  /// The user for hooks.
  func hookUser() -> HookUser {
    if let user { return HookUser(user, in: pool, clientID: client.id, clientMetadata: metadata) }
    return HookUser(
      pool: pool, clientID: client.id, userName: typed, attributes: [:], clientMetadata: metadata)
  }

  /// The name from which salt and verifier of a user who does not exist are made.
  var simulationName: String { Base64URL.string(session.nameDigest) }
}

extension SignInState {
  /// The state of a new sign-in.
  ///
  /// Everything is computed for known and for unknown users, so that the time does not show who exists.
  init(
    _ typed: String, _ found: FoundUser, _ pool: UserPool, _ client: UserPoolClient, _ context: CallContext,
    metadata: [ExactString: String], _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    let canonical = UserNaming(pool).canonical(typed)
    let simulatedName = try secrets.simulatedUserName(of: canonical, in: pool)
    // Of the user name, not of what was typed: an address and the name that was shown for it have one salt.
    let digest = try secrets.simulated("name", simulatedName, in: pool)
    var session = SignInSession()
    session.poolID = pool.id
    session.clientID = client.id
    session.sub = found.isUser ? found.row.sub : ""
    session.nameDigest = Array(digest.prefix(16))
    session.typedName = canonical
    // The canonical name for all: an unknown user's name has no other form.
    session.shownName = found.isUser ? found.row.canonicalName : simulatedName
    session.attemptKey = try found.limitKey(named: simulatedName, in: pool.id, secrets)
    // Hashing takes time. The digest of another user's password is dropped: no user has this one.
    let passwordDigest = found.row.passwordDigest
    session.passwordDigest = found.isUser ? passwordDigest : Self.simulatedPasswordDigest
    self.init(
      pool: pool, client: client, context: context, metadata: metadata, typed: typed, found: found,
      session: session)
  }

  private static let simulatedPasswordDigest = [UInt8](repeating: 0, count: 16)
}

extension SignInState {
  /// True where tokens follow the password without a further step and without a function of the pool: one
  /// transaction then uses the answer up and stores the sign-in.
  var completesAtOnce: Bool {
    guard let user, user.isEnabled, user.status == .confirmed, !session.isCustomFlow, pool.devices == nil,
      pool.hook(.postAuthentication) == nil, pool.hook(.preTokenGeneration) == nil
    else { return false }
    return user.secondFactorStep(in: pool) == .none
  }
}

extension SignInState {
  /// The state without a device that had too many wrong proofs in a row: the sign-in goes on as one with a new device.
  var withoutClosedDevice: SignInState {
    guard let device, device.isClosed, !session.isDeviceProven else { return self }
    var state = self
    state.device = nil
    state.session.deviceKey = nil
    return state
  }
}

extension User {
  /// Refuses a user who may not sign in.
  ///
  /// - Throws: `userDisabled`, `userNotConfirmed`, `passwordResetRequired`.
  func checkMaySignIn() throws(UserPoolError) {
    guard isEnabled else { throw .userDisabled }
    switch status {
    case .unconfirmed: throw .userNotConfirmed
    case .resetRequired: throw .passwordResetRequired
    case .confirmed, .forceChangePassword: return
    }
  }
}

extension ReadTransaction<UserPoolError> {
  /// The device that a client named. It is looked up before anything is used up: clients that are told that it
  /// does not exist repeat the call without it.
  ///
  /// - Throws: `deviceUnknown`.
  func namedDevice(
    _ key: String?, of user: FoundUser, in pool: UserPool
  ) throws(UserPoolError) -> UserDevice? {
    guard pool.devices != nil, let key, !key.isEmpty else { return nil }
    guard let device = try confirmedDevice(key, of: user, in: pool) else { throw .deviceUnknown }
    return device
  }

  /// Returns a user's confirmed device. For a user who does not exist that of the other row is looked for, and not returned.
  func confirmedDevice(
    _ key: String, of user: FoundUser, in pool: UserPool
  ) throws(UserPoolError) -> UserDevice? {
    let device = try get(UserPoolTables.devices, RecordKey(pool.id, user.row.sub, key))
    guard user.isUser, let device, device.isConfirmed else { return nil }
    return device
  }

  /// The device of a sign-in that goes on. A device that the sign-in has proved stays: the proof of one device
  /// says nothing about another one.
  ///
  /// - Throws: `deviceUnknown`, also where the proved device was forgotten meanwhile; `parameterRefused`.
  func device(
    of session: SignInSession, _ found: FoundUser, named key: String?, in pool: UserPool
  ) throws(UserPoolError) -> UserDevice? {
    guard session.isDeviceProven, pool.devices != nil else {
      if let device = try namedDevice(key, of: found, in: pool) { return device }
      guard pool.devices != nil, let known = session.deviceKey else { return nil }
      return try confirmedDevice(known, of: found, in: pool)
    }
    if let key, !key.isEmpty, key != session.deviceKey {
      throw .parameterRefused("DEVICE_KEY", rule: "it is not the device that this sign-in has proved")
    }
    guard found.isUser, let proved = session.deviceKey,
      let device = try confirmedDevice(proved, of: found.row)
    else {
      throw .deviceUnknown
    }
    return device
  }

  /// Returns whether a name in an answer is that of the session's user: the user name, an alias or the `sub`;
  /// for a user who does not exist, the name that was typed or shown.
  ///
  /// No user is looked up by the name: whether another user has it would show.
  func isUser(
    named typed: String, of session: SignInSession, _ found: FoundUser, in pool: UserPool,
    _ secrets: UserPoolSecrets
  ) throws(UserPoolError) -> Bool {
    let naming = UserNaming(pool)
    let canonical = naming.canonical(typed)
    let name = try secrets.simulatedUserName(of: canonical, in: pool)
    let digest = try secrets.simulated("name", name, in: pool)
    let isSimulated = Array(digest.prefix(16)) == session.nameDigest
    guard found.isUser else { return session.isSimulated && isSimulated }
    if canonical == found.row.canonicalName || typed == found.row.sub { return true }
    return found.row.aliases(in: pool).contains { naming.canonical(typed, of: $0.attribute) == $0.value }
  }
}
