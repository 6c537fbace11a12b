internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// A call in which a password, a code or another proof of a caller is compared.
struct Guess: Sendable, CustomTestStringConvertible {
  /// The kind of a call's guess.
  enum Kind: Sendable {
    case right, wrong
    /// The right secret of another user, under a name that no user has.
    case unknownName

    var name: String { self == .unknownName ? "nobody" : TestPool.user }
    var password: String { self == .wrong ? "Wrong-horse-7" : TestPool.password }
  }

  /// Makes a call.
  typealias Attempt = @Sendable (Kind) async throws -> Void

  let name: String
  /// The members of requests that it covers: `ChangePassword.PreviousPassword`.
  let members: [String]
  /// The flow or the challenge that it covers.
  var step: String?
  /// The commits of a call with a right and with a wrong guess.
  let commits: (right: Int, wrong: Int)
  /// Whether unknown names are answered as wrong guesses.
  var hidesNames = false
  /// The guess that the call accepts; nil for none. That of an earlier password is refused, and any other one
  /// accepted.
  var accepted: Kind? = .right
  /// Makes a pool over a store, and does what comes before the call.
  let prepare: @Sendable (any RecordStore) async throws -> Attempt

  var testDescription: String { name }
}

extension Guess {
  /// A pool with a user, whose keys are made.
  static func pool(
    _ store: any RecordStore, _ settings: JSONObject = [:], hooks: [HookTrigger] = [],
    attributes: [String: String] = [:]
  ) async throws -> TestPool {
    let pool = try await TestPool(
      settings, client: ["PreventUserExistenceErrors": "ENABLED"], hooks: hooks, over: store)
    try await pool.addUser(attributes: attributes)
    _ = try await pool.signIn()
    return pool
  }

  /// A pool whose user has a software token, and the token.
  static func poolWithToken(_ store: any RecordStore) async throws -> (TestPool, TestSoftwareToken) {
    let pool = try await pool(store)
    try await pool.admin("SetUserPoolMfaConfig", SoftwareTokenTests.factors("OPTIONAL"))
    let tokens = try await pool.signIn()
    let token = try await pool.addSoftwareToken(tokens)
    try await pool.prefer("SoftwareTokenMfaSettings", tokens)
    // The token's code of that time is used.
    pool.clock.advance(by: .seconds(60))
    return (pool, token)
  }

  /// A code of another time than the present.
  static func wrongCode(_ token: TestSoftwareToken, _ pool: TestPool) throws -> String {
    try token.code(at: pool.clock.time + .seconds(6_000))
  }
}

extension TestPool {
  /// Changes the pool's row.
  func changePool(_ change: @escaping @Sendable (inout UserPool) -> Void) async throws {
    let id = id
    try await store.write(at: clock.time) { rows throws(UserPoolError) in
      var pool = try rows.existingPool(id)
      change(&pool)
      try rows.put(pool, in: UserPoolTables.pools)
    }
  }

  /// Changes the user's row.
  func changeUser(_ change: @escaping @Sendable (inout User) -> Void) async throws {
    let id = id
    try await store.write(at: clock.time) { rows throws(UserPoolError) in
      var user = try rows.existingUser(named: TestPool.user, in: rows.existingPool(id))
      change(&user)
      try rows.put(user)
    }
  }
}
