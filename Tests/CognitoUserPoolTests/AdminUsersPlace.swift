@testable internal import CognitoUserPool
internal import ServiceOperations
internal import SigningKeyTesting
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// A service over memory with one pool, for tests of administrators' operations.
struct AdminUsersPlace {
  let service: UserPoolService
  let pool: UserPool
  let hooks = RecordingHooks()

  static let start = Timestamp(seconds: 1_800_000_000)

  init(_ change: (inout UserPool) -> Void = { _ in }) async throws {
    service = UserPoolService(
      store: try MemoryRecordStore(tables: UserPoolTables.all),
      secrets: try UserPoolSecrets(master: SecretBytes([UInt8](repeating: 7, count: 32).span)), hooks: hooks,
      keyMaker: .vectors())
    var pool = UserPool()
    pool.id = "us-east-1_aB3dE6gH9"
    pool.name = "place"
    pool.created = Self.start
    pool.modified = Self.start
    change(&pool)
    self.pool = pool
    let stored = pool
    try await service.store.write { rows throws(UserPoolError) in
      try rows.put(stored, in: UserPoolTables.pools)
    }
  }

  /// Makes a user without an invitation.
  @discardableResult
  func add(
    _ name: String, _ attributes: [(name: String, value: String)] = [],
    password: String? = "Temporary-1", forcing: Bool = false
  ) async throws(UserPoolError) -> User {
    var request = UserCreation()
    request.poolID = pool.id
    request.name = name
    request.attributes = attributes
    request.temporaryPassword = password.map { SecretText($0) }
    request.invitation = .suppressed
    request.forcesAlias = forcing
    return try await service.users.createUser(request, CallContext(at: Self.start))
  }

  func user(_ name: String) async throws(UserPoolError) -> User {
    try await service.users.existingUser(name, in: pool.id, CallContext(at: .now)).user
  }

  func isPassword(_ text: String, of name: String) async throws(UserPoolError) -> Bool {
    let user = try await user(name)
    return try await service.passwords.isPassword(
      SecretBytes(text.utf8.span), of: user, named: user.canonicalName, in: pool, from: nil)
  }

  /// Puts a user into the store without any check.
  func put(_ user: User) async throws(UserPoolError) {
    try await service.store.write { rows throws(UserPoolError) in try rows.put(user) }
  }

  /// The messages that wait, in no order.
  func messages() async throws(UserPoolError) -> [OutgoingMessage] {
    let secrets = service.secrets
    return try await service.store.read(at: Self.start, .fresh) { rows throws(UserPoolError) in
      var messages: [OutgoingMessage] = []
      for row in try rows.scan(UserPoolTables.outbox, limit: 100) where !row.isSimulated {
        if let message = try row.message(secrets) { messages.append(message) }
      }
      return messages
    }
  }
}
