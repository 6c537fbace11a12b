internal import CognitoIdentityClient
@testable internal import CognitoUserPoolClient
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// A signed-in user's ID token as a login of an identity pool.
@Suite struct SessionLoginTests {
  private static let now = TokenIssuer.now
  private static let late = now + .seconds(3_500)
  private static let name = "cognito-idp.eu-west-1.amazonaws.com/\(TestClient.poolID)"

  /// Sessions, and a provider that uses them, each with a service of its own.
  private struct Device {
    let issuer: TokenIssuer
    let pool = ScriptedTransport()
    let sessions: UserPoolSessions
    let provider: IdentityProvider

    init() async throws {
      issuer = try TokenIssuer()
      sessions = try issuer.sessions()
      provider = try IdentityProvider(
        poolID: "eu-west-1:00000000-0000-4000-8000-000000000000",
        calls: IdentityCalls(endpoint: try IdentityEndpoint(region: "eu-west-1"), transport: pool),
        logins: sessions)
      await sessions.inform(provider)
    }

    func credentials() async throws -> Credentials {
      try await provider.credentials(at: SessionLoginTests.now)
    }
  }

  private static func identity(_ name: String) -> ScriptedTransport.Answer {
    .ok(["IdentityId": .string("eu-west-1:\(name)")])
  }

  private static func credentials(_ name: String) -> ScriptedTransport.Answer {
    .ok([
      "IdentityId": .string("eu-west-1:\(name)"),
      "Credentials": .object([
        "AccessKeyId": "ASIAEXAMPLE", "SecretKey": "secret", "SessionToken": "token",
        "Expiration": 1_800_090_000,
      ]),
    ])
  }

  @Test func aGuestHasNoLoginAndAUserHasOne() async throws {
    let device = try await Device()
    #expect(device.sessions.loginName == Self.name)
    #expect(try await device.sessions.logins().isEmpty)
    // `logins()` has the system's time.
    let issued = try device.issuer.tokens(from: .now)
    try await device.sessions.keep(issued, deviceKey: nil, typed: nil, at: .now)
    let logins = try await device.sessions.logins()
    #expect(logins.count == 1 && logins[Self.name] == issued.idToken)
  }

  @Test func aGuestWhoSignsInKeepsTheIdentityAndSigningOutClearsIt() async throws {
    let device = try await Device()
    device.pool.then(Self.identity("a"), Self.credentials("a"))
    _ = try await device.credentials()
    let issued = try device.issuer.tokens(from: .now)
    try await device.sessions.keep(issued, deviceKey: nil, typed: nil, at: .now)
    device.pool.then(Self.credentials("a"))
    _ = try await device.credentials()
    #expect(device.pool.operations == ["GetId", "GetCredentialsForIdentity", "GetCredentialsForIdentity"])
    let request = try #require(device.pool.requests.last)
    #expect(request.text("IdentityId") == "eu-west-1:a")
    #expect(request.object("Logins")[Self.name]?.string == issued.idToken)
    #expect(await device.provider.cachedIdentityID == "eu-west-1:a")
    // The same user again changes nothing.
    try await device.sessions.keep(issued, deviceKey: nil, typed: nil, at: .now)
    _ = try await device.credentials()
    #expect(device.pool.operations.count == 3)

    device.issuer.script.then(.ok())
    try await device.sessions.signOut()
    #expect(await device.provider.cachedIdentityID == nil)
    device.pool.then(Self.identity("b"), Self.credentials("b"))
    _ = try await device.credentials()
    #expect(await device.provider.cachedIdentityID == "eu-west-1:b")
    #expect(device.pool.requests.last?.object("Logins").names == [])
  }

  @Test func anotherUserHasAnotherIdentity() async throws {
    let device = try await Device()
    try await device.sessions.keep(device.issuer.tokens(from: .now), deviceKey: nil, typed: nil, at: .now)
    device.pool.then(Self.identity("a"), Self.credentials("a"))
    _ = try await device.credentials()
    let sam = try device.issuer.tokens("sam", from: .now)
    try await device.sessions.keep(sam, deviceKey: nil, typed: nil, at: .now)
    #expect(await device.provider.cachedIdentityID == nil)
    try await device.sessions.makeCurrent("jane")
    #expect(await device.provider.cachedIdentityID == nil)
  }

  /// A user was deleted, and another one has got the name.
  @Test func anotherUserOfTheSameNameHasAnotherIdentity() async throws {
    let device = try await Device()
    try await device.sessions.keep(device.issuer.tokens(from: .now), deviceKey: nil, typed: nil, at: .now)
    device.pool.then(Self.identity("a"), Self.credentials("a"))
    _ = try await device.credentials()
    let change = [TokenIssuer.Change("sub", "sub-other")]
    let other = IssuedTokens(
      idToken: try device.issuer.token("id", from: .now, changing: change),
      accessToken: try device.issuer.token("access", from: .now, changing: change), refreshToken: nil)
    try await device.sessions.keep(other, deviceKey: nil, typed: nil, at: .now)
    #expect(await device.provider.cachedIdentityID == nil)
  }

  @Test func aSessionThatEndsIsNoGuest() async throws {
    let device = try await Device()
    // The tokens end within the margin.
    let issued = try device.issuer.tokens(from: .now, for: 301)
    try await device.sessions.keep(issued, deviceKey: nil, typed: nil, at: .now)
    device.pool.then(Self.identity("a"), Self.credentials("a"))
    _ = try await device.credentials()
    await device.provider.clearCredentials()
    let end = Timestamp.now + .seconds(301)
    device.issuer.script.then(.refusal("NotAuthorizedException", "Refresh Token has been revoked"))
    await expectUserPoolError(.refused) { _ = try await device.sessions.tokens(at: end) }
    #expect(await device.provider.cachedIdentityID == nil)
    #expect(device.pool.operations.count == 2)
  }

  @Test(
    arguments: [
      (ScriptedTransport.Answer.failure(.timeout(.seconds(1))), IdentityClientError.Code.unreachable),
      (.refusal("NotAuthorizedException", "Invalid Refresh Token"), .loginsUnavailable),
      (.refusal("TooManyRequestsException"), .loginsUnavailable), (.ok(), .loginsUnavailable),
    ] as [(ScriptedTransport.Answer, IdentityClientError.Code)])
  func aTokenThatCannotBeRefreshedIsTheFailureOfTheLogins(
    failure: ScriptedTransport.Answer, code: IdentityClientError.Code
  ) async throws {
    let issuer = try TokenIssuer()
    let store = FaultyStore()
    let start = Timestamp.now - .seconds(3_600)
    try await issuer.sessions(store).keep(
      issuer.tokens(from: start), deviceKey: nil, typed: nil, at: start)
    let sessions = try issuer.sessions(store)
    issuer.script.then(failure)
    await #expect { _ = try await sessions.logins() } throws: { ($0 as? IdentityClientError)?.code == code }
  }

  @Test func aLostStoreIsTheStatesFailure() async throws {
    let issuer = try TokenIssuer()
    let store = FaultyStore()
    try await issuer.sessions(store).keep(issuer.tokens(from: .now), deviceKey: nil, typed: nil, at: .now)
    let sessions = try issuer.sessions(store)
    store.setLost(true)
    await #expect { _ = try await sessions.logins() } throws: {
      ($0 as? IdentityClientError)?.code == .stateUnavailable
    }
  }
}
