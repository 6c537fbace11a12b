@testable internal import CognitoUserPoolClient
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Signing out, and calls whose tasks are cancelled.
@Suite struct SessionEndTests {
  private static let now = TokenIssuer.now
  private static let late = now + .seconds(3_500)

  private struct SignedInUser {
    let issuer: TokenIssuer
    let store = FaultyStore()
    let sessions: UserPoolSessions

    init(secret: String? = nil, typed: String? = nil) async throws {
      issuer = try TokenIssuer()
      sessions = try issuer.sessions(store, secret: secret)
      try await sessions.keep(issuer.tokens(), deviceKey: nil, typed: typed, at: SessionEndTests.now)
    }

    func expectSignedOut(lastUsername: String? = "jane") async throws {
      await expectUserPoolError(.signedOut) { _ = try await sessions.tokens(at: SessionEndTests.now) }
      #expect(try store.text(.session(username: "jane")) == nil)
      #expect(try await issuer.sessions(store).currentUsername == nil)
      #expect(await sessions.lastUsername == lastUsername)
    }
  }

  @Test func signingOutDeletesTheSessionAndRevokesTheRefreshToken() async throws {
    let user = try await SignedInUser(secret: "secret")
    user.issuer.script.then(.ok())
    try await user.sessions.signOut()
    let request = try #require(user.issuer.script.requests.first)
    #expect(user.issuer.operations == ["RevokeToken"] && request.text("Token") == "refresh-1")
    #expect(request.text("ClientId") == "client1" && request.text("ClientSecret") == "secret")
    try await user.expectSignedOut()
    // No user is signed in any more.
    try await user.sessions.signOut()
    #expect(user.issuer.operations.count == 1)
  }

  @Test func aRevocationThatFailsIsAnErrorOfAUserWhoIsSignedOut() async throws {
    let user = try await SignedInUser()
    user.issuer.script.then(.failure(.timeout(.seconds(1))))
    await expectUserPoolError(.unreachable) { try await user.sessions.signOut() }
    try await user.expectSignedOut()
  }

  @Test(arguments: ["UnsupportedOperationException", "UnsupportedTokenTypeException"])
  func aClientWithoutRevocationIsNoError(type: String) async throws {
    let user = try await SignedInUser()
    user.issuer.script.then(.refusal(type))
    try await user.sessions.signOut()
    try await user.expectSignedOut()
  }

  @Test func aSessionThatCannotBeDeletedIsAnErrorAndDeletedLater() async throws {
    let user = try await SignedInUser()
    user.issuer.script.then(.ok())
    user.store.setFull(true)
    await expectUserPoolError(.storeUnavailable) { try await user.sessions.signOut() }
    await expectUserPoolError(.signedOut) { _ = try await user.sessions.tokens(at: Self.now) }
    user.store.setFull(false)
    await expectUserPoolError(.signedOut) { _ = try await user.sessions.tokens(at: Self.now) }
    try await user.expectSignedOut()
  }

  @Test func signingOutEverywhereKeepsTheSessionIfTheServiceDoesNot() async throws {
    let user = try await SignedInUser()
    user.issuer.script.then(.refusal("TooManyRequestsException"), .ok())
    await expectUserPoolError(.refused) { try await user.sessions.signOutEverywhere(at: Self.now) }
    let tokens = try await user.sessions.tokens(at: Self.now)
    try await user.sessions.signOutEverywhere(at: Self.now)
    #expect(user.issuer.operations == ["GlobalSignOut", "GlobalSignOut"])
    #expect(user.issuer.script.requests.last?.text("AccessToken") == tokens.accessToken)
    try await user.expectSignedOut()
    await expectUserPoolError(.signedOut) { try await user.sessions.signOutEverywhere(at: Self.now) }
  }

  @Test func forgettingAUserSendsNothing() async throws {
    let user = try await SignedInUser()
    await user.sessions.keep(
      StoredDevice(groupKey: "g", key: "k", password: SecretText("p")), username: "jane")
    try await user.sessions.forgetUser("jane")
    #expect(user.issuer.operations.isEmpty)
    #expect(await user.sessions.lastUsername == nil)
    #expect(try user.store.text(.device(username: "jane")) == nil)
    #expect(try user.store.text(.session(username: "jane")) == nil)
    #expect(try user.store.text(.users) == "{}")
  }

  /// A user knows the name that was typed. The second user of it starts anew, and knows it from the store.
  @Test(arguments: [false, true]) func theTypedNameSignsOut(isStartedAnew: Bool) async throws {
    let user = try await SignedInUser(typed: "jane@example.com")
    let sessions = isStartedAnew ? try user.issuer.sessions(user.store) : user.sessions
    user.issuer.script.then(.ok())
    try await sessions.signOut("jane@example.com")
    #expect(user.issuer.operations == ["RevokeToken"])
    #expect(try user.store.text(.session(username: "jane")) == nil)
    #expect(await sessions.currentUsername == nil)
  }

  @Test func theTypedNameIsForgottenWithItsSession() async throws {
    let user = try await SignedInUser(typed: "jane@example.com")
    await user.sessions.keep(
      StoredDevice(groupKey: "g", key: "k", password: SecretText("p")), username: "jane@example.com")
    try await user.sessions.forgetUser("jane@example.com")
    #expect(try user.store.text(.device(username: "jane@example.com")) == nil)
    try await user.expectSignedOut(lastUsername: nil)
  }

  /// Without a session only the stored names say which user typed it.
  @Test(arguments: ["jane", "jane@example.com"]) func aUserWhoSignedOutIsForgotten(name: String) async throws
  {
    let user = try await SignedInUser(typed: "jane@example.com")
    await user.sessions.keep(
      StoredDevice(groupKey: "g", key: "k", password: SecretText("p")), username: "jane")
    await user.sessions.shareDevice("k", from: "jane@example.com", with: "jane")
    #expect(try user.store.text(.device(username: "jane@example.com")) != nil)
    user.issuer.script.then(.ok())
    try await user.sessions.signOut()
    let next = try user.issuer.sessions(user.store)
    #expect(await next.lastUsername == "jane@example.com")
    try await next.forgetUser(name)
    #expect(await next.lastUsername == nil)
    #expect(try user.store.text(.users) == "{}")
    for name in ["jane", "jane@example.com"] {
      #expect(try user.store.text(.device(username: name)) == nil)
    }
  }

  @Test func aCancelledCallerLeavesTheRefreshToTheOthers() async throws {
    let user = try await SignedInUser()
    let gate = Gate()
    user.issuer.script.then(.held(gate, try user.issuer.answer(from: Self.late, refresh: "refresh-2")))
    let first = Task { [sessions = user.sessions] in try await sessions.tokens(at: Self.late).idToken }
    try await eventually { gate.waiting > 0 }
    first.cancel()
    await expectUserPoolError(.cancelled) { _ = try await first.value }
    let second = Task { [sessions = user.sessions] in try await sessions.tokens(at: Self.late).expiration }
    await letOthersRun()
    gate.open()
    #expect(try await second.value == Self.late + .seconds(3_600))
    #expect(user.issuer.operations.count == 1)
    #expect(try user.store.text(.session(username: "jane"))?.utf8.firstRange(of: "refresh-2".utf8) != nil)
  }

  @Test func aSignInThatIsCancelledWhileKeysAreFetchedLeavesTheSessionBefore() async throws {
    let issuer = try TokenIssuer()
    let store = FaultyStore()
    try await issuer.sessions(store).keep(issuer.tokens("sam"), deviceKey: nil, typed: nil, at: Self.now)
    let sessions = try issuer.sessions(store)
    let gate = Gate()
    issuer.holdKeys(gate)
    let issued = try issuer.tokens()
    let task = Task { try await sessions.keep(issued, deviceKey: nil, typed: nil, at: Self.now).username }
    try await eventually { gate.waiting > 0 }
    task.cancel()
    await expectUserPoolError(.cancelled) { _ = try await task.value }
    issuer.holdKeys(nil)
    gate.open()
    #expect(try await sessions.tokens(at: Self.now).username == "sam")
    try await sessions.keep(issued, deviceKey: nil, typed: nil, at: Self.now)
    #expect(try await sessions.tokens(at: Self.now).username == "jane")
  }

  @Test func aCancelledSignOutIsASignOutAndTheRevocationGoesOn() async throws {
    let user = try await SignedInUser()
    let gate = Gate()
    user.issuer.script.then(.held(gate, .ok()))
    let task = Task { [sessions = user.sessions] in try await sessions.signOut() }
    try await eventually { gate.waiting > 0 }
    task.cancel()
    await expectUserPoolError(.cancelled) { try await task.value }
    gate.open()
    #expect(user.issuer.operations == ["RevokeToken"])
    try await user.expectSignedOut()
  }

  /// Its refresh token came too late for the sign-out, and is revoked for itself.
  @Test func aRefreshForAUserWhoSignedOutIsDiscarded() async throws {
    let user = try await SignedInUser()
    let gate = Gate()
    let revocation = Gate()
    user.issuer.script.then(
      .held(gate, try user.issuer.answer(from: Self.late, refresh: "refresh-2")), .ok(),
      .held(revocation, .ok()))
    let task = Task { [sessions = user.sessions] in try await sessions.tokens(at: Self.late).idToken }
    try await eventually { gate.waiting > 0 }
    try await user.sessions.signOut()
    gate.open()
    await expectUserPoolError(.signedOut) { _ = try await task.value }
    try await eventually { revocation.waiting > 0 }
    let requests = user.issuer.script.requests
    #expect(requests.map(\.operation) == ["GetTokensFromRefreshToken", "RevokeToken", "RevokeToken"])
    #expect(requests.map { $0.text("Token") } == ["", "refresh-1", "refresh-2"])
    revocation.open()
    try await user.expectSignedOut()
  }

  @Test func aRefreshForAnEarlierSignInDoesNotReplaceTheNewOne() async throws {
    let user = try await SignedInUser()
    let gate = Gate()
    user.issuer.script.then(.held(gate, .refusal("NotAuthorizedException", "Refresh Token has been revoked")))
    let task = Task { [sessions = user.sessions] in try await sessions.tokens(at: Self.late).expiration }
    try await eventually { gate.waiting > 0 }
    let newer = try user.issuer.tokens(from: Self.late, refresh: "refresh-9")
    try await user.sessions.keep(newer, deviceKey: nil, typed: nil, at: Self.late)
    gate.open()
    #expect(try await task.value == Self.late + .seconds(3_600))
    #expect(try user.store.text(.session(username: "jane"))?.utf8.firstRange(of: "refresh-9".utf8) != nil)
  }
}
