internal import CognitoUserPool
internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// For a client that hides who exists, wrong codes get the same answers for all names, whatever the state of the user and of the
/// code.
@Suite struct HiddenCodeTests {
  /// The state of a name when wrong codes are entered.
  enum State: String, CaseIterable, Sendable {
    case unknown, unknownAfterRequest
    case confirmed, unconfirmed, requested, reset, disabled, forced, withoutAddress
    /// The code has ended.
    case ended
    /// Too many wrong codes were entered before.
    case exhausted
  }

  private static let name = "jane"
  /// Long after what the states need, so that no count of theirs is left.
  private static let later = Duration.seconds(7_200)

  private static func fixture(_ state: State) async throws -> AccountsFixture {
    let fixture = try await AccountsFixture { pool, client in
      pool.autoVerified = state == .withoutAddress ? [] : [.email]
      client.preventsExistenceErrors = true
    }
    switch state {
    case .unknown: break
    case .unknownAfterRequest: _ = try await fixture.forget(name)
    case .confirmed: try await fixture.addConfirmed(name)
    case .unconfirmed: try await fixture.signUp(name)
    case .requested:
      try await fixture.addConfirmed(name)
      _ = try await fixture.forget(name, later: Self.later - .seconds(60))
    case .reset:
      try await fixture.addConfirmed(name)
      try await fixture.change(name) { $0.status = .resetRequired }
    case .disabled:
      try await fixture.addConfirmed(name)
      try await fixture.change(name) { $0.isEnabled = false }
    case .forced:
      try await fixture.addConfirmed(name)
      try await fixture.change(name) { $0.status = .forceChangePassword }
    case .withoutAddress: try await fixture.signUp(name, [])
    case .ended:
      try await fixture.addConfirmed(name)
      _ = try await fixture.forget(name)
    case .exhausted:
      try await fixture.signUp(name)
      // An hour allows 15.
      for number in 0..<20 {
        try? await fixture.confirm(name, "wrong", later: .seconds(number < 15 ? 0 : 3_600))
      }
    }
    return fixture
  }

  private static func refusal(_ body: () async throws(UserPoolError) -> Void) async -> String {
    do throws(UserPoolError) {
      try await body()
      return ""
    } catch {
      return error.codeText
    }
  }

  /// Enters wrong codes until the limit within a time, and again after it.
  private static func expectMismatches(
    _ state: State, limit: Int, window: Duration,
    _ enter: (AccountsFixture, Duration) async throws(UserPoolError) -> Void
  ) async throws {
    let fixture = try await fixture(state)
    var answers: [String] = []
    for number in 0..<(2 * limit + 4) {
      let time = later + (number <= limit ? .zero : window)
      answers.append(
        await refusal { () throws(UserPoolError) in
          try await enter(fixture, time)
        })
    }
    let judged = [String](repeating: "verification_code_mismatch", count: limit)
    #expect(
      answers == judged + ["attempt_limit_exceeded"] + judged
        + Array(repeating: "attempt_limit_exceeded", count: 3))
  }

  @Test(arguments: State.allCases) func wrongCodesForAPassword(_ state: State) async throws {
    try await Self.expectMismatches(state, limit: 20, window: CodeGuesses.window) {
      fixture, time throws(UserPoolError) in
      try await fixture.reset(Self.name, "wrong", later: time)
    }
  }

  @Test(arguments: State.allCases) func wrongCodesForASignUp(_ state: State) async throws {
    try await Self.expectMismatches(state, limit: 15, window: LimitKind.window) {
      fixture, time throws(UserPoolError) in
      try await fixture.confirm(Self.name, "wrong", later: time)
    }
  }

  /// A wrong code of a name without a code takes the place of no code: one that a wrong clock took for ended serves again.
  @Test func noCodeIsReplaced() async throws {
    let fixture = try await Self.fixture(.requested)
    let code = try await fixture.code(for: "jane@example.com")
    let ahead = Self.later + .seconds(86_400 * 40)
    #expect(
      await Self.refusal { () throws(UserPoolError) in
        try await fixture.reset(Self.name, "wrong", later: ahead)
      } == "verification_code_mismatch")
    try await fixture.reset(Self.name, code, later: Self.later)
  }

  /// A message that an address does not get any more, for which a stranger asked, takes no code away.
  @Test func aMessageThatIsNotSentReplacesNoCode() async throws {
    let fixture = try await Self.fixture(.unconfirmed)
    let code = try await fixture.code(for: "jane@example.com")
    for number in 0..<19 { try await fixture.signUp("other\(number)") }
    let sent = try await fixture.messages().count
    _ = try await fixture.resend(Self.name)
    #expect(try await fixture.messages().count == sent)
    try await fixture.confirm(Self.name, code)
  }

  /// The right code counts, and is refused like a wrong one after its end and after too many wrong ones.
  @Test func rightCodes() async throws {
    let fixture = try await Self.fixture(.requested)
    let code = try await fixture.code(for: "jane@example.com")
    #expect(
      await Self.refusal { () throws(UserPoolError) in
        try await fixture.reset(Self.name, code, later: Self.later + .seconds(3_600))
      } == "verification_code_mismatch")
    for _ in 0..<19 {
      _ = try? await fixture.reset(Self.name, AccountsFixture.other(code), later: Self.later)
    }
    try await fixture.reset(Self.name, code, later: Self.later)
    let exhausted = try await Self.fixture(.exhausted)
    let late = try await exhausted.code(for: "jane@example.com")
    #expect(
      await Self.refusal { () throws(UserPoolError) in
        try await exhausted.confirm(Self.name, late, later: Self.later)
      } == "verification_code_mismatch")
  }
}
