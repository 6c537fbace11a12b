internal import Records
internal import TokenSecurityBase

/// A call for a user without an access token: the client, and the name that the user typed.
package struct NamedCall: Sendable {
  package var clientID: String
  package var secretHash: String?
  package var userName: String
  /// `ClientMetadata`, for hooks.
  package var metadata: [ExactString: String]

  package init(
    clientID: String, secretHash: String? = nil, userName: String,
    metadata: [ExactString: String] = [:]
  ) {
    self.clientID = clientID
    self.secretHash = secretHash
    self.userName = userName
    self.metadata = metadata
  }
}

/// A call whose client exists and has proved its secret.
struct ClientCall: Sendable {
  let call: NamedCall
  let client: UserPoolClient
  let pool: UserPool
  let secrets: UserPoolSecrets
  /// The user instead of one who does not exist. Made for all names, so that the time does not show who exists;
  /// nil where the client does not hide it.
  private let simulated: User?

  init(
    _ call: NamedCall, _ client: UserPoolClient, _ pool: UserPool, _ secrets: UserPoolSecrets
  ) throws(UserPoolError) {
    (self.call, self.client, self.pool, self.secrets) = (call, client, pool, secrets)
    let name = UserNaming(pool).canonical(call.userName)
    simulated = client.preventsExistenceErrors ? try secrets.simulatedUser(named: name, in: pool) : nil
  }

  /// True where users who do not exist are answered as others.
  var hidesUsers: Bool { client.preventsExistenceErrors }

  /// The typed name as it is looked up.
  var canonicalName: String { UserNaming(pool).canonical(call.userName) }

  /// The user instead of one who does not exist, or who is answered as such a one.
  func simulatedUser() throws(UserPoolError) -> User {
    if let simulated { return simulated }
    return try secrets.simulatedUser(named: canonicalName, in: pool)
  }

  /// Where a code for this user would be sent; nil where the client does not hide who exists. Ask for it before the
  /// user is known, so that the time does not show who exists.
  func simulatedDestination(_ purpose: CodePurpose) throws(UserPoolError) -> Destination? {
    guard hidesUsers else { return nil }
    let name = canonicalName
    return try secrets.simulatedDestination(
      pool.simulatedAttribute(purpose, named: name), named: name, in: pool)
  }

  /// The destination of a code that is not sent: the address of the user that ``simulatedDestination(_:)`` has the
  /// kind of, where there is one. Operations that send a code to it show the same.
  func shown(_ simulated: Destination, _ user: User) -> Destination {
    Destination(simulated.attribute, of: user) ?? simulated
  }

  /// A user of the call for a hook.
  func hookUser(_ user: User) -> HookUser {
    HookUser(user, in: pool, clientID: client.id, clientMetadata: call.metadata)
  }
}

/// The first checks of calls for a user without an access token.
struct NamedCalls: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let strangers: StrangersCounts

  /// The first gates: the client exists, and the secret hash is right.
  ///
  /// - Throws: `clientUnknown`, `secretHashMissing`, `secretHashMismatch`.
  nonisolated(nonsending) func verifiedCall(
    _ call: NamedCall, _ context: CallContext
  ) async throws(UserPoolError) -> ClientCall {
    let found = try await store.read(at: context.time) { rows throws(UserPoolError) in
      try rows.existingClient(call.clientID)
    }
    context.subject.isPool(found.pool.id)
    try found.client.checkSecretHash(call.secretHash, of: call.userName, secrets)
    return try ClientCall(call, found.client, found.pool, secrets)
  }

  /// Counts a call by name and address, before the name is looked up.
  ///
  /// - Throws: `attemptLimitExceeded`.
  func count(
    _ kind: StrangersCounts.Kind, _ call: ClientCall, _ context: CallContext
  ) throws(UserPoolError) {
    try strangers.count(kind, named: call.call.userName, in: call.pool, context, secrets)
  }

  /// The next gate: counts an attempt, and finds the user. Attempts for unknown names count as others.
  ///
  /// - Parameters:
  ///   - kind: what is attempted by the user, from all addresses.
  ///   - typed: what is counted by name and address, before the name is looked up.
  ///   - call: the call.
  ///   - context: the call.
  /// - Returns: the user; nil for an unknown name.
  /// - Throws: `attemptLimitExceeded`.
  nonisolated(nonsending) func counted(
    _ kind: LimitKind, _ typed: StrangersCounts.Kind, _ call: ClientCall, _ context: CallContext
  ) async throws(UserPoolError) -> FoundUser {
    try count(typed, call, context)
    let unknown = try call.secrets.simulatedUserName(of: call.canonicalName, in: call.pool)
    // With the neighbour's row: a user who may be none would be copied for users alone.
    return try await store.write(at: context.time) { rows throws(UserPoolError) in
      let found = try rows.found(typed: call.call.userName, in: call.pool)
      if found.isUser { context.subject.isUser(found.row) }
      let key = try found.limitKey(named: unknown, in: call.pool.id, call.secrets)
      try rows.countAttempt(kind, pool: call.pool.id, key: key)
      return found
    }
  }
}

extension WriteTransaction<UserPoolError> {
  /// Checks a code that the call has, so that a client that hides who exists learns nothing from a refusal.
  func checkCode(
    _ code: String, _ purpose: CodePurpose, of user: User, _ call: ClientCall
  ) throws(UserPoolError) -> CodeCheck {
    guard call.hidesUsers else { return try checkCode(code, purpose, of: user, secrets: call.secrets) }
    return try checkHiddenCode(code, purpose, of: user, secrets: call.secrets)
  }

  /// Why a code is refused for a user who does not exist, which takes as long as for others.
  ///
  /// - Throws: `storeFailed`, `cryptoFailed`.
  func refusalOfUnknown(
    _ code: String, _ purpose: CodePurpose, _ call: ClientCall
  ) throws(UserPoolError) -> UserPoolError {
    guard call.hidesUsers else { return .userUnknown }
    let check = try checkHiddenCode(code, purpose, of: call.simulatedUser(), secrets: call.secrets)
    // No code matches that of a simulated user.
    guard case .refused(let error) = check else { return .codeMismatch }
    return error
  }
}
