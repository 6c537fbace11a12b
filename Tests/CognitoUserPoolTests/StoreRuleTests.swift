internal import CognitoUserPool
internal import Records
internal import SecureRemotePassword
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The effects of one among many calls at once, and the rows that maintenance removes, on all stores.
@Suite struct StoreRuleTests {
  /// The codes of the errors of calls on two nodes at once; empty for success. A busy store is called again, as
  /// clients do.
  private static func outcomes(
    _ pool: TestPool, _ call: @escaping @Sendable (TestPool) async throws -> Void
  ) async throws -> [String] {
    let nodes = [pool, try await pool.node()]
    return await withTaskGroup(of: String.self) { group in
      for number in 0..<12 {
        group.addTask {
          for _ in 0..<100 {
            let code = await errorCode { try await call(nodes[number % 2]) }
            if code != UserPoolError.storeBusy.codeText { return code }
          }
          return "busy"
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(arguments: StoreKind.allCases) func aSessionServesOnce(_ kind: StoreKind) async throws {
    let pool = try await TestPool(on: kind)
    try await pool.addUser()
    try await pool.admin(
      "AdminSetUserPassword",
      ["Username": .string(TestPool.user), "Password": "Temporary-horse-8", "Permanent": false])
    let challenge = try await pool.signInByPassword(TestPool.user, "Temporary-horse-8")
    #expect(challenge.name == "NEW_PASSWORD_REQUIRED")
    let outcomes = try await Self.outcomes(pool) { node in
      _ = try await node.respond(
        challenge, ["USERNAME": TestPool.user, "NEW_PASSWORD": "Another-horse-9"]
      ).tokens
    }
    #expect(outcomes.count(where: { $0 == "" }) == 1, "\(outcomes)")
    #expect(!outcomes.contains("busy"))
    _ = try await pool.signInByPassword(TestPool.user, "Another-horse-9").tokens
  }

  @Test(arguments: StoreKind.allCases) func aSecretBlockServesOnce(_ kind: StoreKind) async throws {
    let pool = try await TestPool(on: kind)
    try await pool.addUser()
    let signIn = try CognitoPasswordSignIn(userPoolID: pool.id, client: pool.client, username: TestPool.user)
    let challenge = SignInAnswer(
      members: try await pool.call("InitiateAuth", JSONValue(parsing: signIn.request.json).object ?? [:]))
    let response = try signIn.respond(
      to: challenge.challenge, password: SecretBytes(TestPool.password.utf8.span), at: pool.clock.time)
    let json = response.json
    let outcomes = try await Self.outcomes(pool) { node in
      try await node.call("RespondToAuthChallenge", JSONValue(parsing: json).object ?? [:])
    }
    #expect(outcomes.count(where: { $0 == "" }) == 1, "\(outcomes)")
    #expect(!outcomes.contains("busy"))
  }

  @Test(arguments: StoreKind.allCases) func aCodeConfirmsOnce(_ kind: StoreKind) async throws {
    let pool = try await TestPool(["AutoVerifiedAttributes": ["email"]], on: kind)
    try await pool.call(
      "SignUp",
      [
        "ClientId": .string(pool.client.id), "Username": "jane", "Password": .string(TestPool.password),
        "UserAttributes": [["Name": "email", "Value": "jane@example.com"]],
      ])
    let code = try await pool.code()
    let outcomes = try await Self.outcomes(pool) { node in
      try await node.call(
        "ConfirmSignUp",
        [
          "ClientId": .string(node.client.id), "Username": "jane", "ConfirmationCode": .string(code),
        ])
    }
    #expect(outcomes.count(where: { $0 == "" }) == 1, "\(outcomes)")
    #expect(!outcomes.contains("busy"))
    #expect(try await pool.storedUser("jane").status == .confirmed)
  }

  @Test(arguments: StoreKind.allCases) func wrongPasswordsAtOnceAreAllCounted(_ kind: StoreKind) async throws
  {
    let pool = try await TestPool(on: kind)
    try await pool.addUser()
    let outcomes = try await Self.outcomes(pool) { node in
      _ = try await node.signInByPassword(TestPool.user, "Wrong-horse-7")
    }
    // Those that began before the fifth was counted are wrong passwords, too.
    #expect(outcomes.count(where: { $0 == UserPoolError.passwordWrong.codeText }) >= 5, "\(outcomes)")
    let refused: Set = [
      UserPoolError.passwordWrong.codeText, UserPoolError.passwordAttemptsExceeded.codeText,
    ]
    #expect(refused.isSuperset(of: outcomes), "\(outcomes)")
    #expect(
      await errorCode { _ = try await pool.signInByPassword(TestPool.user, TestPool.password) }
        == UserPoolError.passwordAttemptsExceeded.codeText)
  }

  /// Sign-ins and used values are kept for a day however many there are: their loss would end sign-ins, and let something
  /// serve twice.
  @Test func strangersFillTwoTables() {
    let names = UserPoolTables.all.filter { $0.layout.isFilledByStrangers }.map(\.name)
    #expect(names == ["user_code", "user_attempt"])
  }

  @Test(arguments: StoreKind.allCases) func endedRowsAreRemoved(_ kind: StoreKind) async throws {
    var removal = RemovalRule()
    (removal.memory, removal.spacing) = (.zero, .zero)
    let pool = try await TestPool(["AutoVerifiedAttributes": ["email"]], on: kind, removal: removal)
    try await pool.addUser()
    _ = try await pool.signIn()
    try await pool.call(
      "SignUp",
      [
        "ClientId": .string(pool.client.id), "Username": "joe", "Password": .string(TestPool.password),
        "UserAttributes": [["Name": "email", "Value": "joe@example.com"]],
      ])
    #expect(
      await errorCode { _ = try await pool.signInByPassword(TestPool.user, "Wrong-horse-7") }
        == UserPoolError.passwordWrong.codeText)
    let start = pool.clock.time
    func counts() async throws -> [Int] {
      // At the beginning's time, at which no row has ended.
      try await pool.store.read(at: start, .fresh) { rows throws(UserPoolError) in
        [
          try rows.count(UserPoolTables.codes, limit: 9), try rows.count(UserPoolTables.attempts, limit: 9),
          try rows.count(UserPoolTables.usedValues, limit: 9),
          try rows.count(UserPoolTables.outbox, limit: 9),
          try rows.count(UserPoolTables.signIns, limit: 9), try rows.count(UserPoolTables.users, limit: 9),
        ]
      }
    }
    let before = try await counts()
    #expect(before.allSatisfy { $0 > 0 }, "\(before)")
    while try await pool.service.maintenance.removeEndedRows(at: start) {}
    #expect(try await counts() == before)
    while try await pool.service.maintenance.removeEndedRows(at: start + .seconds(2 * 86_400)) {}
    #expect(try await counts() == [0, 0, 0, 0, 1, 2])
    while try await pool.service.maintenance.removeEndedRows(at: start + .seconds(40 * 86_400)) {}
    #expect(try await counts() == [0, 0, 0, 0, 0, 2])
  }
}
