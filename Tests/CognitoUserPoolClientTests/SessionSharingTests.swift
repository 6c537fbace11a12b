@testable internal import CognitoUserPoolClient
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Several programs, or several values of one, that share a store.
@Suite struct SessionSharingTests {
  private static let now = TokenIssuer.now
  /// The tokens of the sign-in expire within the margin.
  private static let late = now + .seconds(3_500)

  /// Two programs, in both of which a user is signed in.
  private struct Programs {
    let issuer: TokenIssuer
    let store = FaultyStore()
    let first, second: UserPoolSessions
    /// The clock of the second one's pauses.
    let timers = SettableClock()

    init() async throws {
      issuer = try TokenIssuer()
      first = try issuer.sessions(store)
      try await first.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: SessionSharingTests.now)
      second = try issuer.sessions(store, timers: timers)
      _ = try await second.tokens(at: SessionSharingTests.now)
    }
  }

  @Test func tokensThatAnotherProgramHasRefreshedAreTakenOver() async throws {
    let programs = try await Programs()
    programs.issuer.script.then(try programs.issuer.answer(from: Self.late, refresh: "refresh-2"))
    let refreshed = try await programs.first.tokens(at: Self.late)
    #expect(try await programs.second.tokens(at: Self.late).idToken == refreshed.idToken)
    #expect(programs.issuer.operations.count == 1)
    // And so is the refresh token.
    let end = Self.late + .seconds(3_600)
    programs.issuer.script.then(try programs.issuer.answer(from: end))
    _ = try await programs.second.tokens(at: end)
    #expect(programs.issuer.script.requests.last?.text("RefreshToken") == "refresh-2")
  }

  /// The service refuses the token that the other program has replaced: this is no end of the session.
  @Test(arguments: [
    ("RefreshTokenReuseException", "reused"), ("NotAuthorizedException", "Refresh Token has been revoked"),
  ])
  func aRefreshThatAnotherProgramOvertakesKeepsTheSession(type: String, message: String) async throws {
    let programs = try await Programs()
    let gate = Gate()
    programs.issuer.script.then(
      .held(gate, .refusal(type, message)), try programs.issuer.answer(from: Self.late, refresh: "refresh-2"))
    let task = Task { [sessions = programs.second] in try await sessions.tokens(at: Self.late).idToken }
    try await eventually { gate.waiting > 0 }
    let refreshed = try await programs.first.tokens(at: Self.late)
    gate.open()
    #expect(try await task.value == refreshed.idToken)
    #expect(programs.issuer.operations.count == 2)
    #expect(await programs.second.currentUsername == "jane")
    let stored = try programs.store.text(.session(username: "jane"))
    #expect(stored?.utf8.firstRange(of: "refresh-2".utf8) != nil)
  }

  /// The refusal is here before the other program has its response.
  @Test func aRefreshTokenThatAnotherProgramUsesNowKeepsBothSessions() async throws {
    let programs = try await Programs()
    let gate = Gate()
    programs.issuer.script.then(
      .held(gate, try programs.issuer.answer(from: Self.late, refresh: "refresh-2")),
      .refusal("RefreshTokenReuseException"))
    let first = Task { [sessions = programs.first] in try await sessions.tokens(at: Self.late).idToken }
    try await eventually { gate.waiting > 0 }
    let second = Task { [sessions = programs.second] in try await sessions.tokens(at: Self.late).idToken }
    // It has looked for the tokens of the other program, and looks again.
    try await eventually { programs.timers.sleepers == 1 }
    gate.open()
    let refreshed = try await first.value
    programs.timers.advance(by: .milliseconds(100))
    let adopted = try await second.value
    #expect(adopted == refreshed)
    #expect(await programs.second.currentUsername == "jane")
    let stored = try programs.store.text(.session(username: "jane"))
    #expect(stored?.utf8.firstRange(of: "refresh-2".utf8) != nil)
  }

  @Test func theSessionOfAnotherUserWithTheNameIsNotTakenOver() async throws {
    let programs = try await Programs()
    let change = [TokenIssuer.Change("sub", "sub-other")]
    let other = IssuedTokens(
      idToken: try programs.issuer.token("id", changing: change),
      accessToken: try programs.issuer.token("access", changing: change),
      refreshToken: SecretText("refresh-9"))
    try await programs.first.keep(other, deviceKey: nil, typed: nil, at: Self.now)
    programs.issuer.script.then(try programs.issuer.answer(from: Self.late))
    #expect(try await programs.second.tokens(at: Self.late).subject == "sub-jane")
    #expect(programs.issuer.script.requests.map { $0.text("RefreshToken") } == ["refresh-1"])
  }

  /// Its refresh token is still good, because the revocation has failed: the session would come back.
  @Test func aUserWhoSignedOutInAnotherProgramIsNotSignedInAgain() async throws {
    let programs = try await Programs()
    programs.issuer.script.then(.failure(.timeout(.seconds(1))))
    await expectUserPoolError(.unreachable) { try await programs.first.signOut() }
    await expectUserPoolError(.signedOut) { _ = try await programs.second.tokens(at: Self.late) }
    #expect(programs.issuer.operations == ["RevokeToken"])
    #expect(await programs.second.currentUsername == nil)
    #expect(try programs.store.text(.session(username: "jane")) == nil)
  }

  @Test func aRefreshDuringASignOutInAnotherProgramIsDiscarded() async throws {
    let programs = try await Programs()
    let gate = Gate()
    let revocation = Gate()
    programs.issuer.script.then(
      .held(gate, try programs.issuer.answer(from: Self.late, refresh: "refresh-2")), .ok(),
      .held(revocation, .ok()))
    let task = Task { [sessions = programs.second] in try await sessions.tokens(at: Self.late).idToken }
    try await eventually { gate.waiting > 0 }
    try await programs.first.signOut()
    gate.open()
    await expectUserPoolError(.signedOut) { _ = try await task.value }
    try await eventually { revocation.waiting > 0 }
    let requests = programs.issuer.script.requests
    #expect(requests.map { $0.text("Token") } == ["", "refresh-1", "refresh-2"])
    revocation.open()
    #expect(try programs.store.text(.session(username: "jane")) == nil)
  }

  /// It has not read the session before.
  @Test func aProgramNoticesTheSignOutOfAnother() async throws {
    let programs = try await Programs()
    let third = try programs.issuer.sessions(programs.store)
    programs.issuer.script.then(.ok())
    try await programs.first.signOut()
    await expectUserPoolError(.signedOut) { _ = try await third.tokens(at: Self.now) }
    #expect(await third.currentUsername == nil)
    #expect(await third.lastUsername == "jane")
  }

  @Test(arguments: [false, true]) func theNamesOfAnotherProgramStay(isForgotten: Bool) async throws {
    let programs = try await Programs()
    let sam = try programs.issuer.tokens("sam")
    try await programs.first.keep(sam, deviceKey: nil, typed: nil, at: Self.now)
    if isForgotten {
      try await programs.second.forgetUser("jane")
    } else {
      programs.issuer.script.then(.ok())
      try await programs.second.signOut()
    }
    #expect(try programs.store.text(.session(username: "jane")) == nil)
    let next = try programs.issuer.sessions(programs.store)
    #expect(await next.currentUsername == "sam")
    #expect(await next.lastUsername == "sam")
  }
}
