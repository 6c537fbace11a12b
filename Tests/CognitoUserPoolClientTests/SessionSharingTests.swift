@testable internal import CognitoUserPoolClient
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityEncodings

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

    init() async throws {
      issuer = try TokenIssuer()
      first = try issuer.sessions(store)
      try await first.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: SessionSharingTests.now)
      second = try issuer.sessions(store)
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
    let gate = ScriptedTransport.Gate()
    programs.issuer.script.then(
      .held(gate, .refusal(type, message)), try programs.issuer.answer(from: Self.late, refresh: "refresh-2"))
    let task = Task { [sessions = programs.second] in try await sessions.tokens(at: Self.late).idToken }
    await gate.arrived()
    let refreshed = try await programs.first.tokens(at: Self.late)
    await gate.open()
    #expect(try await task.value == refreshed.idToken)
    #expect(programs.issuer.operations.count == 2)
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
}
