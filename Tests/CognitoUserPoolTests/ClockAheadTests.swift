internal import CognitoUserPool
internal import Records
internal import SecureRemotePassword
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// A clock that is ahead for some seconds on one of two nodes, while users sign in.
@Suite struct ClockAheadTests {
  /// Ten minutes are more than the life of a session, and 40 days more than that of a sign-in.
  static let distances: [Duration] = [.seconds(600), .seconds(40 * 86_400)]

  @Test(arguments: StoreKind.allCases, Self.distances)
  func nothingIsLostAndNothingServesTwice(_ kind: StoreKind, _ distance: Duration) async throws {
    let uptime = SettableClock()
    var removal = RemovalRule()
    removal.uptime = { uptime.elapsed }
    let pool = try await TestPool(["AutoVerifiedAttributes": ["email"]], on: kind, removal: removal)
    let other = try await pool.node()
    try await pool.admin("SetUserPoolMfaConfig", SoftwareTokenTests.factors("OPTIONAL"))
    // Both nodes have run for more than a day, and removed what had ended. The first sign-in makes keys at the real time.
    let began = pool.clock.time
    try await pool.addUser("first")
    _ = try await pool.signIn("first")
    #expect(try await counts(pool, at: began).usedValues == 1)
    for _ in 0..<30 {
      for node in [pool, other] { try await remove(node, at: pool.clock.time) }
      uptime.advance(by: .seconds(3_600))
      pool.clock.advance(by: .seconds(3_600))
    }
    #expect(try await counts(pool, at: began).usedValues == 0)
    let before = try await Before(pool)
    let (start, rows) = (pool.clock.time, try await counts(pool, at: pool.clock.time))
    #expect(
      rows.codes > 0 && rows.attempts > 0 && rows.usedValues > 0 && rows.messages > 0 && rows.signIns > 1)
    for _ in 0..<2 {
      try await remove(other, at: pool.clock.time + distance)
      uptime.advance(by: .seconds(5))
      pool.clock.advance(by: .seconds(5))
      try await remove(pool, at: pool.clock.time)
    }
    #expect(try await counts(pool, at: start) == rows)
    for node in [pool, other] { try await before.isStillThere(node) }
    try await before.servesOnce(other)
  }

  private func remove(_ node: TestPool, at now: Timestamp) async throws {
    while try await node.service.maintenance.removeEndedRows(at: now) {}
  }

  /// The numbers of rows that end.
  private struct Counts: Equatable, Sendable {
    let codes, attempts, usedValues, messages, signIns: Int
  }

  private func counts(_ pool: TestPool, at time: Timestamp) async throws -> Counts {
    try await pool.store.read(at: time, .fresh) { rows throws(UserPoolError) in
      Counts(
        codes: try rows.count(UserPoolTables.codes, limit: 99),
        attempts: try rows.count(UserPoolTables.attempts, limit: 99),
        usedValues: try rows.count(UserPoolTables.usedValues, limit: 99),
        messages: try rows.count(UserPoolTables.outbox, limit: 99),
        signIns: try rows.count(UserPoolTables.signIns, limit: 99))
    }
  }

  /// Data of users, present and past, before the clock was ahead.
  private struct Before {
    let tokens: SignInTokens
    /// A challenge that waits, and one that was answered with a code.
    let waiting, answered: SignInAnswer
    let code: String
    let confirmation: String

    init(_ pool: TestPool) async throws {
      try await pool.addUser()
      tokens = try await pool.signIn()
      try await pool.call(
        "SignUp",
        [
          "ClientId": .string(pool.client.id), "Username": "joe", "Password": .string(TestPool.password),
          "UserAttributes": [["Name": "email", "Value": "joe@example.com"]],
        ])
      confirmation = try await pool.code()
      try await pool.addUser("kim")
      let kim = try await pool.signIn("kim")
      let token = try await pool.addSoftwareToken(kim)
      try await pool.prefer("SoftwareTokenMfaSettings", kim)
      pool.clock.advance(by: .seconds(60))
      try await pool.addUser("ann")
      try await pool.admin(
        "AdminSetUserPassword",
        ["Username": "ann", "Password": .string(TestPool.password), "Permanent": false])
      waiting = try await pool.signInByPassword("ann", TestPool.password)
      answered = try await pool.signInBySRP("kim", TestPool.password)
      code = try token.code(at: pool.clock.time)
      _ = try await pool.respond(answered, ["SOFTWARE_TOKEN_MFA_CODE": code]).tokens
      // The last one, so that no success forgets it.
      #expect(await Self.wrongPassword(pool) == UserPoolError.passwordWrong.codeText)
    }

    private static func wrongPassword(_ pool: TestPool) async -> String {
      await errorCode { _ = try await pool.signInByPassword(TestPool.user, "Wrong-horse-7") }
    }

    /// A sign-in, and what was used.
    func isStillThere(_ node: TestPool) async throws {
      _ = try await node.initiate("REFRESH_TOKEN_AUTH", ["REFRESH_TOKEN": tokens.refresh ?? ""]).tokens
      try await node.call("GetUser", ["AccessToken": .string(tokens.access)])
      let answer = ["SOFTWARE_TOKEN_MFA_CODE": code]
      #expect(
        await errorCode { _ = try await node.respond(answered, answer) }
          == UserPoolError.sessionUsed.codeText)
      let next = try await node.signInBySRP("kim", TestPool.password)
      #expect(
        await refusal { _ = try await node.respond(next, answer) }
          == "ExpiredCodeException: Your software token has already been used once.")
    }

    /// The message, the code, the session and the count of wrong passwords.
    func servesOnce(_ node: TestPool) async throws {
      let memory = MessageMemory()
      #expect(try await MessageDelivery(node.service, sender: memory).sendDue(at: node.clock.time) == 1)
      #expect(memory.messages.map(\.destination) == ["joe@example.com"])
      try await node.call(
        "ConfirmSignUp",
        [
          "ClientId": .string(node.client.id), "Username": "joe",
          "ConfirmationCode": .string(confirmation),
        ])
      _ = try await node.respond(waiting, ["USERNAME": "ann", "NEW_PASSWORD": "Another-horse-9"]).tokens
      for _ in 0..<4 { #expect(await Self.wrongPassword(node) == UserPoolError.passwordWrong.codeText) }
      #expect(
        await errorCode { _ = try await node.signInByPassword(TestPool.user, TestPool.password) }
          == UserPoolError.passwordAttemptsExceeded.codeText)
    }
  }
}
