@testable internal import CognitoUserPoolClient
internal import JOSE
internal import OpenIDConnect
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Sessions against the service itself.
@Suite struct LocalSessionTests {
  private static let rotating: JSONObject = [
    "RefreshTokenRotation": ["Feature": "ENABLED", "RetryGracePeriodSeconds": 0],
    "ExplicitAuthFlows": ["ALLOW_USER_SRP_AUTH"],
  ]

  /// A user who is signed in.
  private struct SignedInUser {
    let service: LocalService
    let store = FaultyStore()
    let sessions: UserPoolSessions

    init(_ settings: JSONObject = [:], client members: JSONObject = [:]) async throws {
      service = try await LocalService(settings, client: members)
      try await service.addUser("jane")
      sessions = try UserPoolSessions(client: try service.makeClient(), store: store)
      let step = try await sessions.signIn(username: "jane", password: LocalSignInTests.secret())
      try await sessions.keep(step.done(), at: service.now)
    }

    /// The stored session; nil for none.
    var stored: String? { get throws { try store.load(key)?.text } }

    /// Puts a session back into the store.
    func put(_ text: String) throws { try store.save(SecretText(text), for: key) }

    var key: SessionKey {
      let pool = sessions.client.pool
      return SessionKey(poolID: pool.id, clientID: pool.client.id, item: .session(username: "jane"))
    }

    /// The tokens after the present ones have expired.
    func later() async throws(UserPoolClientError) -> UserPoolTokens {
      service.advance(.seconds(3_600))
      return try await sessions.tokens(at: service.now)
    }
  }

  @Test(arguments: [false, true])
  func tokensAreRefreshed(hasSecret: Bool) async throws {
    let user = try await SignedInUser(client: ["GenerateSecret": .bool(hasSecret)])
    let first = try await user.sessions.tokens(at: user.service.now)
    #expect(first.username == "jane")
    let second = try await user.later()
    #expect(second.idToken != first.idToken && second.subject == first.subject)
    #expect(second.user.originTokenID == first.user.originTokenID)
    #expect(user.service.operations.last == "GetTokensFromRefreshToken")
    user.service.refuse("GetTokensFromRefreshToken", "UnknownOperationException")
    let third = try await user.later()
    #expect(third.idToken != second.idToken && user.service.operations.last == "InitiateAuth")
  }

  @Test func aReplacedRefreshTokenServesTheNextTime() async throws {
    let user = try await SignedInUser(client: Self.rotating)
    let stored = try user.stored
    for _ in 0..<3 { _ = try await user.later() }
    let newest = try user.stored
    #expect(newest != stored)
    // Another start has the newest one.
    let next = try UserPoolSessions(client: try user.service.makeClient(), store: user.store)
    user.service.advance(.seconds(3_600))
    _ = try await next.tokens(at: user.service.now)
    // The first start takes over what the other one has stored.
    user.service.advance(.seconds(3_600))
    _ = try await user.sessions.tokens(at: user.service.now)
    #expect(await user.sessions.currentUsername == "jane")
    // A copy of the store still has one that was replaced: the service ends the session.
    let copy = MemorySessionStore()
    try copy.save(SecretText(try #require(newest)), for: user.key)
    let other = try UserPoolSessions(client: try user.service.makeClient(), store: copy)
    user.service.advance(.seconds(3_600))
    await #expect {
      _ = try await other.tokens(of: "jane", at: user.service.now)
    } throws: {
      ($0 as? UserPoolClientError)?.isRefusal("RefreshTokenReuseException") == true
    }
    await expectUserPoolError(.signedOut) { _ = try await other.tokens(of: "jane", at: user.service.now) }
  }

  @Test func aTrackedDeviceTakesPartInRefreshes() async throws {
    let user = try await SignedInUser(
      [
        "DeviceConfiguration": [
          "ChallengeRequiredOnNewDevice": true, "DeviceOnlyRememberedOnUserPrompt": false,
        ]
      ])
    let key = try #require(try await user.sessions.deviceKey(of: "jane"))
    // The service's time stays: the proof of a password has the time of its client.
    let tokens = try await user.sessions.tokens(at: user.service.now + .seconds(3_590))
    #expect(tokens.access.token.claims["device_key"]?.string == key)
    // The device stays after the sign-out, and is used again.
    try await user.sessions.signOut()
    let step = try await user.sessions.signIn(username: "jane", password: LocalSignInTests.secret())
    let signedIn = try step.done()
    #expect(signedIn.device == .known(key: key))
    try await user.sessions.keep(signedIn, at: user.service.now)
    // A forgotten device ends the session.
    let access = try await user.sessions.tokens(at: user.service.now).accessToken
    try await user.sessions.client.forgetDevice(key, accessToken: access)
    await expectUserPoolError(.refused) { _ = try await user.later() }
    #expect(await user.sessions.currentUsername == nil)
  }

  @Test func signingOutRevokes() async throws {
    let user = try await SignedInUser()
    let text = try #require(try user.stored)
    try await user.sessions.signOut()
    // Someone who kept the file gets nothing for it.
    try user.put(text)
    let thief = try UserPoolSessions(client: try user.service.makeClient(), store: user.store)
    user.service.advance(.seconds(3_600))
    await expectUserPoolError(.refused) { _ = try await thief.tokens(of: "jane", at: user.service.now) }
    await expectUserPoolError(.signedOut) { _ = try await thief.tokens(of: "jane", at: user.service.now) }
  }

  @Test func signingOutEverywhereEndsOtherSessions() async throws {
    let user = try await SignedInUser()
    let other = try UserPoolSessions(client: try user.service.makeClient())
    let step = try await other.signIn(username: "jane", password: LocalSignInTests.secret())
    try await other.keep(step.done(), at: user.service.now)
    try await user.sessions.signOutEverywhere(at: user.service.now)
    #expect(await user.sessions.currentUsername == nil)
    user.service.advance(.seconds(3_600))
    await expectUserPoolError(.refused) { _ = try await other.tokens(at: user.service.now) }
    #expect(await other.currentUsername == nil)
  }

  @Test func aDisabledOrDeletedUserIsSignedOut() async throws {
    for operation in ["AdminDisableUser", "AdminDeleteUser"] {
      let user = try await SignedInUser()
      try await user.service.admin(operation, ["Username": "jane"])
      await expectUserPoolError(.refused) { _ = try await user.later() }
      #expect(await user.sessions.currentUsername == nil)
    }
  }

  @Test func anAwayServiceKeepsTheSession() async throws {
    let user = try await SignedInUser()
    user.service.setDown(true)
    await expectUserPoolError(.unreachable) { _ = try await user.later() }
    user.service.setDown(false)
    #expect(try await user.sessions.tokens(at: user.service.now).username == "jane")
  }
}
