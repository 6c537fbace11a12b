@testable internal import CognitoUserPoolClient
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// A call that is cancelled leaves a session that works, wherever it waited.
@Suite struct SessionCancellationTests {
  private static let now = TokenIssuer.now
  private static let late = now + .seconds(3_500)

  /// A user who is signed in, and a gate at which responses wait.
  private struct SignedInUser {
    let issuer: TokenIssuer
    let store = FaultyStore()
    let sessions: UserPoolSessions
    let gate = Gate()

    init() async throws {
      issuer = try TokenIssuer()
      sessions = try issuer.sessions(store)
      try await sessions.keep(
        issuer.tokens(), deviceKey: nil, typed: nil, at: SessionCancellationTests.now)
    }

    /// Cancels a call that waits at the gate. Work that others share goes on; what is the caller's alone ends.
    func cancel(isShared: Bool, _ call: @escaping @Sendable () async throws -> Void) async throws {
      let task = Task { try await call() }
      try await eventually { gate.waiting > 0 }
      task.cancel()
      if !isShared { gate.open() }
      await expectUserPoolError(.cancelled) { try await task.value }
      gate.open()
    }
  }

  @Test(arguments: [false, true]) func whileTokensAreRefreshed(isOlder: Bool) async throws {
    let user = try await SignedInUser()
    if isOlder { user.issuer.script.then(.refusal("UnknownOperationException")) }
    user.issuer.script.then(
      .held(user.gate, try user.issuer.answer(from: Self.late, refresh: "refresh-2")))
    try await user.cancel(isShared: true) { [sessions = user.sessions] in
      _ = try await sessions.tokens(at: Self.late)
    }
    #expect(try await user.sessions.tokens(at: Self.late).expiration == Self.late + .seconds(3_600))
    #expect(user.issuer.operations.count == (isOlder ? 2 : 1))
    #expect(try user.store.text(.session(username: "jane"))?.utf8.firstRange(of: "refresh-2".utf8) != nil)
  }

  @Test func whileKeysAreFetchedForStoredTokens() async throws {
    let user = try await SignedInUser()
    let next = try user.issuer.sessions(user.store)
    user.issuer.holdKeys(user.gate)
    try await user.cancel(isShared: true) { _ = try await next.tokens(at: Self.now) }
    user.issuer.holdKeys(nil)
    #expect(try await next.tokens(at: Self.now).username == "jane")
    #expect(user.issuer.operations.isEmpty)
  }

  @Test func whileAllSignInsAreEnded() async throws {
    let user = try await SignedInUser()
    user.issuer.script.then(.held(user.gate, .ok()))
    try await user.cancel(isShared: false) { [sessions = user.sessions] in
      try await sessions.signOutEverywhere(at: Self.now)
    }
    // The answer is not known: the session stays until the service says that it has ended.
    #expect(try await user.sessions.tokens(at: Self.now).username == "jane")
    user.issuer.script.then(.ok())
    try await user.sessions.signOutEverywhere(at: Self.now)
    #expect(await user.sessions.currentUsername == nil)
  }

  /// The refresh before the call is cancelled, and the call is not sent.
  @Test func whileTokensAreRefreshedToEndAllSignIns() async throws {
    let user = try await SignedInUser()
    user.issuer.script.then(.held(user.gate, try user.issuer.answer(from: Self.late)))
    try await user.cancel(isShared: true) { [sessions = user.sessions] in
      try await sessions.signOutEverywhere(at: Self.late)
    }
    #expect(try await user.sessions.tokens(at: Self.late).expiration == Self.late + .seconds(3_600))
    #expect(user.issuer.operations == ["GetTokensFromRefreshToken"])
  }
}
