internal import CognitoUserPool
internal import SigningKeyTesting
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A service with one pool and one client, whose messages can be read.
struct AccountsFixture: Sendable {
  let store: any RecordStore
  let secrets: UserPoolSecrets
  let service: UserPoolService
  let hooks = RecordingHooks()
  let pool: UserPool
  let client: UserPoolClient

  static let start = Timestamp(seconds: 1_800_000_000)
  static let password = "Passw0rd!"

  init(
    _ store: (any RecordStore)? = nil,
    _ change: (inout UserPool, inout UserPoolClient) -> Void = { _, _ in }
  ) async throws {
    let store = try store ?? MemoryRecordStore(tables: UserPoolTables.all)
    self.store = store
    secrets = try UserPoolSecrets(master: SecretBytes(count: 32) { $0[0] = 1 })
    service = UserPoolService(store: store, secrets: secrets, hooks: hooks, keyMaker: .vectors())
    var pool = UserPool()
    pool.id = "us-east-1_aaaaaaaaa"
    pool.name = "test"
    pool.autoVerified = [.email]
    var client = UserPoolClient()
    client.id = "aaaaaaaaaaaaaaaaaaaaaaaaaa"
    client.poolID = pool.id
    change(&pool, &client)
    (self.pool, self.client) = (pool, client)
    let (newPool, newClient) = (pool, client)
    try await store.write(at: Self.start) { rows throws(UserPoolError) in
      try rows.put(newPool, in: UserPoolTables.pools)
      try rows.put(newClient, in: UserPoolTables.clients)
    }
  }

  func context(_ later: Duration = .zero) -> CallContext { CallContext(at: Self.start + later) }

  func call(_ name: String, secretHash: String? = nil, metadata: [ExactString: String] = [:])
    -> NamedCall
  {
    NamedCall(clientID: client.id, secretHash: secretHash, userName: name, metadata: metadata)
  }

  // MARK: Operations

  @discardableResult
  func signUp(
    _ name: String, _ attributes: AttributeRules.Given = [("email", "jane@example.com")],
    password: String? = Self.password, later: Duration = .zero
  ) async throws(UserPoolError) -> SignedUpUser {
    try await service.signUps.signUp(
      call(name), SignUpRequest(password: password.map { SecretText($0) }, attributes: attributes),
      context(later))
  }

  func confirm(
    _ name: String, _ code: String, takesAliases: Bool = false, later: Duration = .zero
  ) async throws(UserPoolError) {
    _ = try await service.signUps.confirmSignUp(
      call(name), code: code, takesAliases: takesAliases, context(later))
  }

  /// Signs a user up and confirms with the code.
  func addConfirmed(
    _ name: String, _ attributes: AttributeRules.Given = [("email", "jane@example.com")]
  ) async throws {
    let signedUp = try await signUp(name, attributes)
    let address = try #require(signedUp.destination).address
    try await confirm(name, code(for: address))
  }

  func resend(_ name: String, later: Duration = .zero) async throws(UserPoolError) -> Destination {
    try await service.signUps.resendConfirmationCode(call(name), context(later))
  }

  func forget(_ name: String, later: Duration = .zero) async throws(UserPoolError) -> Destination {
    try await service.passwordRecovery.forgotPassword(call(name), context(later))
  }

  func reset(
    _ name: String, _ code: String, password: String = "N3w-Passw0rd", later: Duration = .zero
  ) async throws(UserPoolError) {
    try await service.passwordRecovery.confirmForgotPassword(
      call(name), code: code, password: SecretText(password), context(later))
  }

  func isPassword(_ password: String, of name: String) async throws -> Bool {
    let user = try await user(name)
    return try await service.passwords.isPassword(
      SecretBytes(password.utf8.span), of: user, named: name, in: pool, from: nil)
  }

  // MARK: Rows

  func user(_ name: String) async throws(UserPoolError) -> User? {
    let pool = pool
    return try await store.read(at: Self.start, .fresh) { rows throws(UserPoolError) in
      try rows.user(typed: name, in: pool)
    }
  }

  func change(_ name: String, _ change: @escaping @Sendable (inout User) -> Void) async throws {
    let pool = pool
    try await store.write(at: Self.start) { rows throws(UserPoolError) in
      guard let before = try rows.user(typed: name, in: pool) else { throw .userUnknown }
      var user = before
      change(&user)
      try rows.store(user, replacing: before, in: pool)
    }
  }

  /// All messages that wait, in no order.
  func messages() async throws -> [OutgoingMessage] { try await timedMessages().map(\.message) }

  private func timedMessages() async throws -> [(message: OutgoingMessage, created: Timestamp)] {
    let rows = try await store.read(at: Self.start, .fresh) { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.outbox, limit: 1_000).filter { !$0.isSimulated }
    }
    return try rows.map { (try #require(try $0.message(secrets)), $0.created) }
  }

  /// The code of the last message to an address. Of two messages at one time none is the last one.
  func code(for address: String) async throws -> String {
    let messages = try await timedMessages().filter { $0.message.destination == address }
    let last = messages.map(\.created).max()
    return try messages.filter { $0.created == last }.map(\.message).only().code
  }

  /// Another code of the same length.
  static func other(_ code: String) -> String { code == "000000" ? "000001" : "000000" }
}

extension AccountsFixture {
  /// An access token of a new sign-in.
  func token(of name: String) async throws -> String {
    let user = try #require(try await user(name))
    return try await service.sessions.issueTokens(
      SignInFacts(pool: pool, client: client, user: user, authTime: Self.start), source: .signIn,
      context: context()
    ).accessToken
  }
}
