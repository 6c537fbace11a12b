internal import OneTimeCodes
internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

@testable internal import CognitoUserPool

/// Hooks of the tests, by trigger.
final class SignInHooks: UserPoolHooks {
  typealias Answer = @Sendable (JSONObject) throws(HookError) -> String

  private let answers = Mutex<[HookTrigger: Answer]>([:])
  private let actions = Mutex<[HookTrigger: @Sendable () async -> Void]>([:])
  private let calls = Mutex<[(trigger: HookTrigger, request: JSONObject)]>([])

  func serves(_ functionARN: String) -> Bool { true }

  /// Sets what a trigger's function returns as `response`.
  func on(_ trigger: HookTrigger, _ answer: @escaping Answer) {
    answers.withLock { $0[trigger] = answer }
  }

  /// Sets what happens while a trigger's function runs.
  func meanwhile(_ trigger: HookTrigger, _ action: @escaping @Sendable () async -> Void) {
    actions.withLock { $0[trigger] = action }
  }

  /// Calls wait here while it is closed.
  let gate = Gate(isOpen: true)

  /// The requests of a trigger's calls.
  func requests(_ trigger: HookTrigger) -> [JSONObject] {
    calls.withLock { $0.filter { $0.trigger == trigger }.map(\.request) }
  }

  func invoke(_ event: HookEvent) async throws(HookError) -> HookResponse {
    let request = event.json.object["request"]?.object ?? JSONObject()
    calls.withLock { $0.append((event.trigger, request)) }
    await gate.pass()
    if let action = actions.withLock({ $0[event.trigger] }) { await action() }
    guard let answer = answers.withLock({ $0[event.trigger] }) else {
      return HookResponse(json: #"{"response":{}}"#)
    }
    return HookResponse(json: #"{"response":\#(try answer(request))}"#)
  }
}

/// A pool with a client and users, as rows: a sign-in needs no other operation.
final class SignInBench: Sendable {
  static let password = "Tr0ub4dor&3"

  let service: UserPoolService
  /// Another node over the same store.
  let other: UserPoolService
  let hooks = SignInHooks()
  let pool: UserPool
  let client: UserPoolClient
  private let secret: String?
  private let time: Mutex<Timestamp>

  /// Makes a pool and a client.
  init(
    secret: String? = nil, on kind: StoreKind = .memory,
    watching watch: (any RecordStore) -> any RecordStore = { $0 },
    pool change: (inout UserPool) -> Void = { _ in },
    client changeClient: (inout UserPoolClient) -> Void = { _ in }
  ) async throws {
    let store = watch(try await kind.make())
    let master = SecretBytes([UInt8](repeating: 5, count: UserPoolSecrets.masterSize).span)
    let secrets = try UserPoolSecrets(master: master)
    service = UserPoolService(
      store: store, secrets: secrets, hooks: HookRunner(hooks, limits: .patient), outbox: OutboxCapacity(),
      keyMaker: .vectors())
    other = try UserPoolService(
      store: store, secrets: UserPoolSecrets(master: master), hooks: HookRunner(hooks, limits: .patient),
      outbox: OutboxCapacity(), keyMaker: .vectors(from: 24))
    var pool = UserPool()
    pool.id = "us-east-1_AbCdEfGhI"
    pool.name = "app"
    change(&pool)
    var client = UserPoolClient()
    client.id = "1h57kf5cpq17m0eml12example"
    client.poolID = pool.id
    client.name = "web"
    client.flows = [
      .allowUserSRP, .allowUserPassword, .allowAdminUserPassword, .allowCustom, .allowUser,
      .allowRefreshToken,
    ]
    if let secret {
      client.sealedSecret = try secrets.seal(
        SecretBytes(secret.utf8.span), for: .clientSecret,
        name: UserPoolClient.secretSealName(pool: pool.id, id: client.id))
    }
    changeClient(&client)
    let (storedPool, storedClient) = (pool, client)
    try await store.write { rows throws(UserPoolError) in
      try rows.put(storedPool, in: UserPoolTables.pools)
      try rows.put(storedClient, in: UserPoolTables.clients)
    }
    self.pool = pool
    self.client = client
    self.secret = secret
    time = Mutex(.now.wholeSecond)
  }

  var now: Timestamp { time.withLock { $0 } }
  func advance(_ duration: Duration) { time.withLock { $0 += duration } }
  var context: CallContext { context(from: nil) }
  func context(from address: String?) -> CallContext {
    CallContext(address: address ?? "192.0.2.7") { self.now }
  }

  /// Adds a user with a password.
  @discardableResult
  func addUser(
    _ name: String = "alice", password: String? = SignInBench.password,
    _ change: (inout User) throws -> Void = { _ in }
  ) async throws -> User {
    var user = User()
    user.poolID = pool.id
    user.name = name
    user.canonicalName = UserNaming(pool).canonical(name)
    user.sub = try UUIDText.version4(Random.publicBytes(count: 16))
    user.status = .confirmed
    if let password {
      user.password = try await service.passwords.verifier(
        of: SecretBytes(password.utf8.span), for: user, in: pool, from: nil)
    }
    try change(&user)
    let (added, pool) = (user, pool)
    try await service.store.write { rows throws(UserPoolError) in try rows.add(added, to: pool) }
    return user
  }

  /// The user as it is stored.
  func user(_ name: String = "alice") async throws -> User? {
    let pool = pool
    return try await service.store.read(at: now, .fresh) { rows throws(UserPoolError) in
      try rows.user(canonicalName: name, in: pool)
    }
  }

  func change(_ name: String = "alice", _ change: @escaping @Sendable (inout User) -> Void) async throws {
    let pool = pool
    try await service.store.write { rows throws(UserPoolError) in
      guard var user = try rows.user(canonicalName: name, in: pool) else { return }
      change(&user)
      try rows.put(user)
    }
  }

  /// The app client as the SRP client knows it.
  var app: CognitoAppClient {
    get throws {
      if let secret { return try CognitoAppClient(id: client.id, secret: SecretBytes(secret.utf8.span)) }
      return try CognitoAppClient(id: client.id)
    }
  }

  private func members(_ texts: [ExactString: String]) throws -> [ExactString: SecretText] {
    var texts = texts
    if secret != nil, texts["SECRET_HASH"] == nil, let name = texts["USERNAME"] {
      texts["SECRET_HASH"] = try app.secretHash(username: name)
    }
    return texts.filter { $0.value != "-" }.mapValues { SecretText($0) }
  }

  /// `InitiateAuth`. The value `-` leaves a parameter out.
  func initiate(
    _ flow: AuthFlowType, _ parameters: [ExactString: String], session: String? = nil,
    metadata: [ExactString: String] = [:], asAdministrator: Bool = false, on node: UserPoolService? = nil,
    from address: String? = nil
  ) async throws -> SignInOutcome {
    var request = SignInRequest(
      poolID: asAdministrator ? pool.id : nil, clientID: client.id, flow: flow,
      parameters: try members(parameters))
    request.session = session
    request.metadata = metadata
    return try await (node ?? service).signIns.initiate(request, context(from: address))
  }

  /// `RespondToAuthChallenge`.
  func respond(
    _ challenge: ChallengeNameType, _ responses: [ExactString: String], session: String? = nil,
    on node: UserPoolService? = nil, from address: String? = nil
  ) async throws -> SignInOutcome {
    try await (node ?? service).signIns.respond(
      ChallengeAnswer(
        clientID: client.id, challenge: challenge, responses: try members(responses), session: session),
      context(from: address))
  }

  /// A sign-in with `USER_PASSWORD_AUTH`.
  func signIn(
    _ name: String = "alice", _ password: String = SignInBench.password, device: String = "-"
  ) async throws -> SignInOutcome {
    try await initiate(
      .userPasswordAuth, ["USERNAME": name, "PASSWORD": password, "DEVICE_KEY": device])
  }

  /// The first half of a sign-in by SRP: the responses to PASSWORD_VERIFIER.
  func proof(
    _ name: String = "alice", _ password: String = SignInBench.password
  ) async throws -> [ExactString: String] {
    let client = try CognitoPasswordSignIn(userPoolID: pool.id, client: app, username: name)
    let challenge = try await initiate(.userSRPAuth, client.request.parameters.exact).challenge
    return try proof(client, challenge, password)
  }

  func proof(
    _ client: consuming CognitoPasswordSignIn, _ challenge: SignInChallenge, _ password: String
  ) throws -> [ExactString: String] {
    try client.respond(
      to: challenge.srp, password: SecretBytes(password.utf8.span), at: now
    ).responses.exact
  }

  /// The code in the only message to an address since the last call. The call sends all messages that wait.
  func sentCode(to address: String) async throws -> String {
    let memory = MessageMemory()
    _ = try await MessageDelivery(service, sender: memory).sendDue(at: now)
    return try memory.messages.filter { $0.destination == address }.only().code
  }
}

extension SignInOutcome {
  /// The challenge; fails the test for tokens.
  var challenge: SignInChallenge {
    get throws {
      guard case .challenge(let challenge) = self else {
        Issue.record("tokens in place of a challenge")
        throw UserPoolError.challengeUnexpected
      }
      return challenge
    }
  }

  /// The tokens, and the new device; fails the test for a challenge.
  var tokens: (IssuedTokens, newDevice: UserDevice?) {
    get throws {
      guard case .signedIn(let tokens, let device) = self else {
        Issue.record("a challenge in place of tokens")
        throw UserPoolError.challengeUnexpected
      }
      return (tokens, device)
    }
  }
}

extension SignInChallenge {
  /// The challenge for the SRP client.
  var srp: CognitoChallenge {
    var parameters = CognitoParameters()
    for (name, value) in self.parameters { parameters[name.text] = value }
    return CognitoChallenge(name: name.name, parameters: parameters, session: session)
  }
}
