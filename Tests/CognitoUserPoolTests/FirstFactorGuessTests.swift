internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// Wrong codes as the first factor delay a stranger, and close nothing else.
@Suite struct FirstFactorGuessTests {
  private static let stranger = "203.0.113.9"

  private static func begin(
    _ bench: SignInBench, _ name: String, from address: String
  ) async throws -> SignInChallenge {
    try await bench.initiate(
      .userAuth, ["USERNAME": name, "PREFERRED_CHALLENGE": "EMAIL_OTP"], from: address
    ).challenge
  }

  private static func refusal(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return ""
    } catch {
      return (error as? UserPoolError)?.codeText ?? "\(error)"
    }
  }

  /// Enters wrong codes from an address, with pauses that outlast each wait.
  private static func guess(
    _ bench: SignInBench, _ name: String, from address: String, _ count: Int
  ) async throws -> [String] {
    var answers: [String] = []
    for _ in 0..<count {
      bench.advance(.seconds(901))
      answers.append(
        await refusal {
          let session = try await begin(bench, name, from: address).session
          _ = try await bench.respond(
            .emailOTP, ["USERNAME": name, "EMAIL_OTP_CODE": "x"], session: session, from: address)
        })
    }
    return answers
  }

  /// A stranger is refused after 20 codes; the user signs in with a code from elsewhere, and with the password from
  /// anywhere.
  @Test func aStrangerIsDelayed() async throws {
    let bench = try await SignInChoiceTests.bench()
    let unknown = try await SignInChoiceTests.unknown(bench)
    for name in ["alice", unknown] {
      let answers = try await Self.guess(bench, name, from: Self.stranger, 22)
      #expect(
        answers == [String](repeating: "mfa_code_mismatch", count: 20)
          + [String](repeating: "password_attempts_exceeded", count: 2))
    }
    _ = try await MessageDelivery(bench.service, sender: MessageMemory()).sendDue(at: bench.now)
    let challenge = try await Self.begin(bench, "alice", from: "198.51.100.1")
    let code = try await bench.sentCode(to: SignInChoiceTests.email)
    // Also the right code, where the stranger is.
    let error = await Self.refusal {
      _ = try await bench.respond(
        .emailOTP, ["USERNAME": "alice", "EMAIL_OTP_CODE": code], session: challenge.session,
        from: Self.stranger)
    }
    #expect(error == "password_attempts_exceeded")
    _ = try await bench.respond(
      .emailOTP, ["USERNAME": "alice", "EMAIL_OTP_CODE": code], session: challenge.session,
      from: "198.51.100.1"
    ).tokens
    _ = try await bench.initiate(
      .userPasswordAuth, ["USERNAME": "alice", "PASSWORD": SignInBench.password], from: Self.stranger
    ).tokens
    // The stranger is told no code any more, and none is sent.
    #expect(
      await Self.refusal { _ = try await Self.begin(bench, "alice", from: Self.stranger) }
        == "password_attempts_exceeded")
    // The next day.
    bench.advance(CodeGuesses.window)
    #expect(try await Self.guess(bench, "alice", from: Self.stranger, 1) == ["mfa_code_mismatch"])
  }

  /// Many addresses close the way to addresses that are not known, the same for an unknown name, and not to the
  /// user's own.
  @Test func manyAddresses() async throws {
    let bench = try await SignInChoiceTests.bench()
    let unknown = try await SignInChoiceTests.unknown(bench)
    let challenge = try await Self.begin(bench, "alice", from: "198.51.100.1")
    let code = try await bench.sentCode(to: SignInChoiceTests.email)
    _ = try await bench.respond(
      .emailOTP, ["USERNAME": "alice", "EMAIL_OTP_CODE": code], session: challenge.session,
      from: "198.51.100.1"
    ).tokens
    var all: [[String]] = []
    for name in ["alice", unknown] {
      var answers: [String] = []
      for number in 0..<64 {
        // Within a day.
        bench.advance(.seconds(200))
        answers.append(
          await Self.refusal {
            let address = "192.0.2.\(number)"
            let session = try await Self.begin(bench, name, from: address).session
            _ = try await bench.respond(
              .emailOTP, ["USERNAME": name, "EMAIL_OTP_CODE": "x"], session: session, from: address)
          })
      }
      all.append(answers)
    }
    #expect(all[0] == all[1])
    #expect(all[0].filter { $0 == "mfa_code_mismatch" }.count == 60)
    #expect(Array(all[0].suffix(4)) == [String](repeating: "password_attempts_exceeded", count: 4))
    _ = try await MessageDelivery(bench.service, sender: MessageMemory()).sendDue(at: bench.now)
    let own = try await Self.begin(bench, "alice", from: "198.51.100.1")
    let next = try await bench.sentCode(to: SignInChoiceTests.email)
    _ = try await bench.respond(
      .emailOTP, ["USERNAME": "alice", "EMAIL_OTP_CODE": next], session: own.session, from: "198.51.100.1"
    ).tokens
  }

  /// Codes for a new password have bounds of their own, and a stranger's do not stop the user elsewhere.
  @Test(arguments: [true, false]) func newPasswords(_ hides: Bool) async throws {
    let fixture = try await AccountsFixture { _, client in client.preventsExistenceErrors = hides }
    try await fixture.addConfirmed("jane")
    _ = try await fixture.forget("jane", later: .seconds(1))
    func reset(_ code: String, from address: String, later: Duration) async throws(UserPoolError) {
      try await fixture.service.passwordRecovery.confirmForgotPassword(
        fixture.call("jane"), code: code, password: SecretText("N3w-Passw0rd"),
        CallContext(at: AccountsFixture.start + later, address: address))
    }
    for _ in 0..<20 {
      await #expect(throws: UserPoolError.codeMismatch) {
        try await reset("wrong", from: Self.stranger, later: .seconds(2))
      }
    }
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await reset("wrong", from: Self.stranger, later: .seconds(2))
    }
    // Twenty wrong codes end a code, and not the way.
    _ = try await fixture.forget("jane", later: .seconds(5))
    let code = try await fixture.code(for: "jane@example.com")
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await reset(code, from: Self.stranger, later: .seconds(6))
    }
    try await reset(code, from: "198.51.100.1", later: .seconds(6))
    #expect(try await fixture.isPassword("N3w-Passw0rd", of: "jane"))
  }

  /// Resets by an administrator are not seen in the limit of the user's own requests, nor stopped by it.
  @Test func resetsOfAdministrators() async throws {
    let fixture = try await AccountsFixture { _, client in client.preventsExistenceErrors = true }
    try await fixture.addConfirmed("jane")
    for number in 0..<20 {
      try await fixture.service.users.resetPassword(
        of: "jane", in: fixture.pool.id, CallContext(at: AccountsFixture.start + .seconds(number)))
    }
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await fixture.service.users.resetPassword(
        of: "jane", in: fixture.pool.id, CallContext(at: AccountsFixture.start + .seconds(20)))
    }
    for _ in 0..<20 { _ = try await fixture.forget("jane", later: .seconds(30)) }
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await fixture.forget("jane", later: .seconds(30))
    }
  }

  /// A row that is damaged ends no process.
  @Test func aCountThatIsTooLarge() async throws {
    let place = try await CodeGuessTests.Place()
    let start = CodeGuessTests.Place.start
    let code = try place.code(.user("a"), from: "192.0.2.1")
    try await place.store.write(at: start) { rows throws(UserPoolError) in
      var row = AttemptRow()
      (row.poolID, row.kind, row.key) = (CodeGuessTests.Place.pool, CodeWay.reset.name, code.key)
      (row.first, row.end, row.count) = (start, start + CodeGuessTests.day, .max)
      var known = GuessSource()
      (known.id, known.count, known.known) = (code.source, 1, start - .seconds(40 * 86_400))
      row.sources = [known]
      try rows.put(row, in: UserPoolTables.attempts)
    }
    #expect(try await place.enter() == "attempt_limit_exceeded")
  }
}
