@testable internal import CognitoUserPoolClient
internal import JOSE
internal import ServiceOperations
internal import SigningKeyTesting
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Sessions: tokens that are verified, refreshed and kept.
@Suite struct SessionTests {
  private static let now = TokenIssuer.now
  /// The tokens of the sign-in expire within the margin.
  private static let late = now + .seconds(3_500)

  @Test func aSignInIsKeptAndItsTokensAreGivenOutWithoutACall() async throws {
    let issuer = try TokenIssuer()
    let sessions = try issuer.sessions()
    await expectUserPoolError(.signedOut) { _ = try await sessions.tokens(at: Self.now) }
    let issued = try issuer.tokens()
    try await sessions.keep(issued, deviceKey: nil, typed: "Jane@example.com", at: Self.now)
    let tokens = try await sessions.tokens(at: Self.now)
    #expect(tokens.idToken == issued.idToken && tokens.accessToken == issued.accessToken)
    #expect(tokens.username == "jane" && tokens.subject == "sub-jane")
    #expect(tokens.expiration == Self.now + .seconds(3_600))
    #expect(issuer.operations.isEmpty && issuer.fetches == 1)
    let names = (await sessions.currentUsername, await sessions.lastUsername)
    #expect(names.0 == "jane" && names.1 == "Jane@example.com")
    #expect("\(tokens)" == "tokens of \"jane\"")
  }

  @Test(arguments: [
    ("id", TokenIssuer.Change("aud", "other")), ("access", TokenIssuer.Change("client_id", "other")),
    ("id", TokenIssuer.Change("token_use", "access")), ("access", TokenIssuer.Change("token_use", "id")),
    ("id", TokenIssuer.Change("iss", "https://other.example")),
    ("id", TokenIssuer.Change("exp", 1_799_999_000)), ("access", TokenIssuer.Change("sub", "sub-other")),
    ("access", TokenIssuer.Change("username", "other")), ("id", TokenIssuer.Change("cognito:username", "")),
  ])
  func tokensThatBreakARuleAreRefusedAndTheSessionBeforeStays(
    use: String, change: TokenIssuer.Change
  ) async throws {
    let issuer = try TokenIssuer()
    let store = FaultyStore()
    let sessions = try issuer.sessions(store)
    try await sessions.keep(issuer.tokens("sam"), deviceKey: nil, typed: nil, at: Self.now)
    var issued = try issuer.tokens()
    let changed = try issuer.token(use, changing: [change])
    if use == "id" { issued.idToken = changed } else { issued.accessToken = changed }
    await expectUserPoolError(.tokenRefused) {
      try await sessions.keep(issued, deviceKey: nil, typed: nil, at: Self.now)
    }
    let current = await sessions.currentUsername
    #expect(current == "sam")
    #expect(try store.text(.session(username: "jane")) == nil)
    #expect(try await sessions.tokens(at: Self.now).username == "sam")
  }

  @Test(
    arguments: [
      (String?.none, "http://127.0.0.1:8080", true),
      (nil, "https://cognito-idp.eu-west-1.amazonaws.com", true),
      (nil, "https://other.example", false), ("https://users.example", "https://users.example", true),
      ("https://users.example", "https://cognito-idp.eu-west-1.amazonaws.com", false),
      ("https://users.example", "http://127.0.0.1:8080", false),
    ] as [(String?, String, Bool)])
  func aServiceAtAnotherAddressMayUseTheUsualIssuer(
    given: String?, prefix: String, isAccepted: Bool
  ) async throws {
    let issuer = try TokenIssuer()
    let pool = try UserPool(
      id: TestClient.poolID, clientID: "client1",
      endpoint: UserPoolEndpoint(address: "http://127.0.0.1:8080"),
      issuer: given.map { "\($0)/\(TestClient.poolID)" })
    let sessions = try UserPoolSessions(client: UserPoolClient(pool: pool, transport: issuer))
    let change = [TokenIssuer.Change("iss", .string("\(prefix)/\(TestClient.poolID)"))]
    let issued = IssuedTokens(
      idToken: try issuer.token("id", changing: change),
      accessToken: try issuer.token("access", changing: change),
      refreshToken: nil)
    var isKept = true
    do throws(UserPoolClientError) {
      try await sessions.keep(issued, deviceKey: nil, typed: nil, at: Self.now)
    } catch {
      guard error.code == .tokenRefused else { throw error }
      isKept = false
    }
    #expect(isKept == isAccepted)
  }

  @Test func tokensOfAnotherKeyAreRefused() async throws {
    let issuer = try TokenIssuer()
    let forger = try TokenIssuer(key: VectorKeys.rsa(41, keyID: "k1"))
    let sessions = try issuer.sessions()
    await expectUserPoolError(.tokenRefused) {
      try await sessions.keep(forger.tokens(), deviceKey: nil, typed: nil, at: Self.now)
    }
    #expect(await sessions.currentUsername == nil)
  }

  @Test func allCallersShareOneRefresh() async throws {
    let issuer = try TokenIssuer()
    let sessions = try issuer.sessions()
    try await sessions.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: Self.now)
    let gate = Gate()
    issuer.script.then(.held(gate, try issuer.answer(from: Self.late)))
    let first = Task { try await sessions.tokens(at: Self.late).idToken }
    try await eventually { gate.waiting > 0 }
    let others = (0..<15).map { _ in Task { try await sessions.tokens(at: Self.late).idToken } }
    await letOthersRun()
    gate.open()
    let token = try await first.value
    for other in others { #expect(try await other.value == token) }
    #expect(issuer.operations == ["GetTokensFromRefreshToken"])
    #expect(issuer.script.requests.first?.text("RefreshToken") == "refresh-1")
    // The new tokens serve without another call, and the refresh token stays.
    #expect(try await sessions.tokens(at: Self.late + .seconds(3_000)).idToken == token)
    let end = Self.late + .seconds(3_600)
    issuer.script.then(try issuer.answer(from: end))
    _ = try await sessions.tokens(at: end)
    #expect(issuer.script.requests.last?.text("RefreshToken") == "refresh-1")
  }

  /// As with a clock that is ahead: the tokens never have the margin, and yet not every call refreshes them.
  @Test func tokensWithLittleTimeLeftServeForHalfOfIt() async throws {
    let issuer = try TokenIssuer()
    let sessions = try issuer.sessions()
    try await sessions.keep(issuer.tokens(for: 60), deviceKey: nil, typed: nil, at: Self.now)
    _ = try await sessions.tokens(at: Self.now + .seconds(29))
    #expect(issuer.operations.isEmpty)
    let half = Self.now + .seconds(30)
    issuer.script.then(try issuer.answer(from: half, for: 60))
    for seconds in [0, 29] { _ = try await sessions.tokens(at: half + .seconds(seconds)) }
    #expect(issuer.operations.count == 1)
  }

  @Test func aReplacedRefreshTokenIsStoredBeforeTheTokensAreVerified() async throws {
    let issuer = try TokenIssuer()
    let store = FaultyStore()
    try await issuer.sessions(store).keep(issuer.tokens(), deviceKey: "key", typed: nil, at: Self.now)
    // A new start, at which the keys cannot be fetched.
    let sessions = try issuer.sessions(store)
    issuer.failKeys(true)
    await expectUserPoolError(.unreachable) { _ = try await sessions.tokens(at: Self.late) }
    #expect(issuer.operations.isEmpty)
    issuer.failKeys(false)

    let other = try TokenIssuer(key: VectorKeys.rsa(42, keyID: "k2"))
    issuer.script.then(try other.answer(from: Self.late, refresh: "refresh-2"))
    let again = try issuer.sessions(store)
    // The stored tokens are valid for a while yet, so that the refused ones do no harm.
    #expect(try await again.tokens(at: Self.late).expiration == Self.now + .seconds(3_600))
    #expect(issuer.script.requests.last?.text("DeviceKey") == "key")
    #expect(try store.text(.session(username: "jane"))?.utf8.firstRange(of: "refresh-2".utf8) != nil)
    issuer.script.then(try issuer.answer(from: Self.late))
    let tokens = try await issuer.sessions(store).tokens(at: Self.late)
    #expect(tokens.expiration == Self.late + .seconds(3_600))
    #expect(issuer.script.requests.last?.text("RefreshToken") == "refresh-2")
  }

  @Test(arguments: ["UnknownOperationException", "NotImplementedException", "UnsupportedOperationException"])
  func aServiceWithoutTheNewOperationIsAskedByInitiateAuth(type: String) async throws {
    let issuer = try TokenIssuer()
    let sessions = try issuer.sessions(secret: "secret")
    try await sessions.keep(issuer.tokens(), deviceKey: "key", typed: nil, at: Self.now)
    issuer.script.then(.refusal(type), try issuer.answer(from: Self.late))
    _ = try await sessions.tokens(at: Self.late)
    let end = Self.late + .seconds(3_600)
    issuer.script.then(try issuer.answer(from: end))
    _ = try await sessions.tokens(at: end)
    #expect(issuer.operations == ["GetTokensFromRefreshToken", "InitiateAuth", "InitiateAuth"])
    let requests = issuer.script.requests
    #expect(requests[0].text("ClientSecret") == "secret")
    #expect(requests[1].text("AuthFlow") == "REFRESH_TOKEN_AUTH" && requests[1].text("ClientId") == "client1")
    let parameters = requests[1].object("AuthParameters")
    #expect(parameters.names.sorted() == ["DEVICE_KEY", "REFRESH_TOKEN", "SECRET_HASH"])
    #expect(parameters["REFRESH_TOKEN"] == "refresh-1" && parameters["DEVICE_KEY"] == "key")
    let hash = try TestClient.pool(secret: "secret").client.secretHash(username: "jane")
    #expect(parameters["SECRET_HASH"]?.string == hash)
  }

  @Test(arguments: [false, true])
  func refreshesHaveTheTextsForTriggers(older: Bool) async throws {
    let issuer = try TokenIssuer()
    let sessions = try issuer.sessions(older: older, clientMetadata: ["device": "phone"])
    try await sessions.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: Self.now)
    issuer.script.then(try issuer.answer(from: Self.late))
    _ = try await sessions.tokens(at: Self.late)
    #expect(issuer.operations == [older ? "InitiateAuth" : "GetTokensFromRefreshToken"])
    #expect(issuer.script.requests[0].object("ClientMetadata") == ["device": "phone"])
  }

  @Test func anApplicationCanChooseTheOlderOperation() async throws {
    let issuer = try TokenIssuer()
    let sessions = try issuer.sessions(older: true)
    try await sessions.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: Self.now)
    issuer.script.then(try issuer.answer(from: Self.late))
    _ = try await sessions.tokens(at: Self.late)
    #expect(issuer.operations == ["InitiateAuth"])
    #expect(issuer.script.requests[0].object("AuthParameters").names == ["REFRESH_TOKEN"])
  }

  @Test(
    arguments: [
      (ScriptedTransport.Answer.failure(.timeout(.seconds(1))), UserPoolClientError.Code.unreachable),
      (.refusal("TooManyRequestsException"), .refused), (.refusal("InternalErrorException"), .refused),
      (.refusal("NotAuthorizedException", "Unable to verify secret hash for client client1"), .refused),
      (.refusal("NotAuthorizedException", "Refresh token rotation is enabled for this client"), .refused),
      (.refusal("InvalidParameterException"), .refused), (.refusal("ResourceNotFoundException"), .refused),
      (.response(status: 503, body: [:]), .unreachable), (.ok(), .responseMalformed),
    ] as [(ScriptedTransport.Answer, UserPoolClientError.Code)])
  func aFailureThatPassesKeepsTheSession(
    failure: ScriptedTransport.Answer, code: UserPoolClientError.Code
  ) async throws {
    let issuer = try TokenIssuer()
    let store = FaultyStore()
    let sessions = try issuer.sessions(store)
    try await sessions.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: Self.now)
    issuer.script.then(failure)
    // They expire within the margin, and are valid.
    let tokens = try await sessions.tokens(at: Self.late)
    #expect(tokens.expiration == Self.now + .seconds(3_600))
    let end = Self.now + .seconds(3_600)
    let fresh = try issuer.sessions(store)
    issuer.script.then(failure)
    await expectUserPoolError(code) { _ = try await fresh.tokens(at: end) }
    issuer.script.then(try issuer.answer(from: end))
    #expect(try await fresh.tokens(at: end).expiration == end + .seconds(3_600))
    #expect(await fresh.currentUsername == "jane")
  }

  @Test(arguments: [
    ("NotAuthorizedException", "Refresh Token has been revoked"),
    ("NotAuthorizedException", "Invalid Refresh Token"),
    ("NotAuthorizedException", "Refresh Token has expired"),
    ("NotAuthorizedException", "User is disabled."), ("UserNotFoundException", "User does not exist."),
    ("RefreshTokenReuseException", "reused"), ("PasswordResetRequiredException", "reset"),
    ("UserNotConfirmedException", "User is not confirmed."),
    ("ResourceNotFoundException", "Device does not exist."),
  ])
  func aRefusalThatEndsTheSessionDropsIt(type: String, message: String) async throws {
    let issuer = try TokenIssuer()
    let store = FaultyStore()
    let timers = SettableClock()
    let sessions = try issuer.sessions(store, timers: timers)
    try await sessions.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: Self.now)
    let device = StoredDevice(groupKey: "g", key: "k", password: SecretText("p"))
    await sessions.keep(device, username: "jane")
    issuer.script.then(.refusal(type, message))
    // Also while the old tokens are valid: they are not used any more.
    await #expect(throws: UserPoolClientError.refused(type: type, message: message)) {
      _ = try await timers.advancing(by: .seconds(1)) { try await sessions.tokens(at: Self.late) }
    }
    await expectUserPoolError(.signedOut) { _ = try await sessions.tokens(at: Self.late) }
    #expect(try store.text(.session(username: "jane")) == nil)
    let names = (await sessions.currentUsername, await sessions.lastUsername)
    #expect(names.0 == nil && names.1 == "jane")
    #expect(await sessions.device(username: "jane")?.key == "k")
  }

  @Test func aSessionWithoutARefreshTokenEndsWithItsTokens() async throws {
    let issuer = try TokenIssuer()
    let store = FaultyStore()
    let first = try issuer.sessions(store)
    try await first.keep(issuer.tokens(refresh: nil), deviceKey: nil, typed: nil, at: Self.now)
    #expect(try await issuer.sessions(store).tokens(at: Self.late).username == "jane")
    let end = Self.now + .seconds(3_600)
    await expectUserPoolError(.signedOut) { _ = try await first.tokens(at: end) }
    #expect(await first.currentUsername == nil && issuer.operations.isEmpty)
  }

  @Test func tokensOfAnotherUserDoNotReplaceTheSession() async throws {
    let issuer = try TokenIssuer()
    let store = FaultyStore()
    let sessions = try issuer.sessions(store)
    try await sessions.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: Self.now)
    let end = Self.now + .seconds(3_600)
    issuer.script.then(try issuer.answer("sam", from: end, refresh: "refresh-of-sam"))
    await expectUserPoolError(.tokenRefused) { _ = try await sessions.tokens(at: end) }
    #expect(try store.text(.session(username: "jane"))?.utf8.firstRange(of: "refresh-1".utf8) != nil)
    issuer.script.then(try issuer.answer(from: end))
    #expect(try await sessions.tokens(at: end).username == "jane")
  }

  @Test func afterTwoFailuresThereIsAPause() async throws {
    let issuer = try TokenIssuer()
    let time = TestTime()
    let sessions = try issuer.sessions { time.value }
    try await sessions.keep(issuer.tokens(), deviceKey: nil, typed: nil, at: Self.now)
    let end = Self.now + .seconds(3_600)
    for _ in 0..<3 {
      await expectUserPoolError(.unreachable) { _ = try await sessions.tokens(at: end) }
    }
    // Nothing is scripted: two calls failed, and the third did not happen.
    #expect(issuer.operations.count == 2)
    time.set(.seconds(1))
    issuer.script.then(try issuer.answer(from: end))
    _ = try await sessions.tokens(at: end)
    #expect(issuer.operations.count == 3)
  }
}
