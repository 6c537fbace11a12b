internal import AsyncHTTPTransport
internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Key sets over real HTTPS, from correct and faulty servers.
@Suite struct FetchTests {
  private let key: JWK
  private let keys: String

  init() throws {
    key = try JWK.generate(.es256)
    keys = JSONValue.object(["keys": .array([.object(key.publicJWK ?? [:])])]).description
  }

  private func set(
    _ client: Client, _ server: TestServer, _ path: String = "/jwks.json",
    trusting certificate: String? = nil,
    timers: any Clock<Duration> = ContinuousClock(),
    _ change: (inout RemoteKeySetConfiguration) -> Void = { _ in }
  ) throws -> RemoteKeySet {
    var configuration = Self.patient
    change(&configuration)
    return RemoteKeySet(
      .address(try HTTPURL(server.address(path))),
      transport: Self.transport(client, certificate ?? server.certificate, timers: timers),
      configuration: configuration, logger: .silent, timers: timers
    ) { 0 }
  }

  private static func transport(
    _ client: Client, _ certificate: String, timers: any Clock<Duration>
  ) -> any HTTPTransport {
    client.transport(TransportConfiguration(trustRoots: .file(certificate)), timers: timers)
  }

  private func error(_ set: RemoteKeySet) async -> FetchError? {
    do throws(OpenIDError) {
      try await set.prefetch()
      return nil
    } catch {
      guard case .keysUnavailable(_, let fault) = error else { return nil }
      return fault
    }
  }

  @Test(arguments: Client.allCases)
  func fetchesAndCaches(_ client: Client) async throws {
    let server = try await TestServer()
    server.answer(.answer(keys, fields: ["Cache-Control: max-age=600", "ETag: \"v1\""]))
    let set = try set(client, server)
    try await set.prefetch()
    #expect(set.cached?.keys.map(\.keyID) == [key.keyID])
    try await set.prefetch()
    #expect(server.questions == ["/jwks.json"])
  }

  /// A busy machine fetches late.
  private static var patient: RemoteKeySetConfiguration {
    var configuration = RemoteKeySetConfiguration()
    configuration.timeout = .seconds(600)
    return configuration
  }

  @Test(arguments: Client.allCases)
  func discoversAndVerifies(_ client: Client) async throws {
    let server = try await TestServer()
    let issuer = server.address("")
    let (keys, address) = (keys, server.address("/keys"))
    server.answer { path in
      path == "/keys" ? .answer(keys) : .answer("{\"issuer\":\"\(issuer)\",\"jwks_uri\":\"\(address)\"}")
    }
    let verifier = try OpenIDVerifier(
      [.openIDProvider(IDTokenRules(issuers: [issuer], clientIDs: ["client"]))],
      transport: client.transport(trusting: server.certificate), configuration: Self.patient)
    let claims = TokenClaims(issuer: issuer, subject: "jane", audience: ["client"])
    let token = try TokenSigner(key: key).issue(claims)
    #expect(try await verifier.verifyFetchingKeys(token).claims.subject == "jane")
    #expect(try verifier.verify(token).claims.subject == "jane")
    #expect(server.questions == ["/.well-known/openid-configuration", "/keys"])
  }

  @Test(arguments: Client.allCases)
  func aClockThatIsSetBackCausesNoFetches(_ client: Client) async throws {
    let server = try await TestServer()
    server.answer(.answer(keys, fields: ["Cache-Control: max-age=600"]))
    let issuer = "https://issuer.example"
    let policy = TokenPolicy(issuer: .exactly(issuer), audience: "api")
    let verifier = try OpenIDVerifier(
      [TrustedIssuer(policy: policy, keys: .remote(.address(try HTTPURL(server.address("/")))))],
      transport: client.transport(trusting: server.certificate), configuration: Self.patient)
    let now = NumericDate(seconds: NumericDate.now.seconds)
    let claims = TokenClaims(issuer: issuer, subject: "jane", audience: ["api"])
    let token = try TokenSigner(key: key).issue(claims, at: now)
    _ = try await verifier.verifyFetchingKeys(token, at: now)
    let yesterday = now.advanced(bySeconds: -86_400)
    await #expect(throws: OpenIDError.token(.issuedInFuture(at: now, now: yesterday))) {
      try await verifier.verifyFetchingKeys(token, at: yesterday)
    }
    _ = try verifier.verify(token, at: now)
    #expect(server.count == 1)
  }

  @Test(arguments: Client.allCases)
  func aHangingServerTimesOut(_ client: Client) async throws {
    let server = try await TestServer()
    server.answer(TestServer.Script(closes: false))
    let timers = SettableClock()
    let set = try set(client, server, timers: timers)
    async let error = error(set)
    // Both the set and the transport have a limit.
    try await eventually { server.count == 1 && timers.sleepers == 2 }
    timers.advance(by: .seconds(600))
    #expect(await error == .transport(.timeout(.seconds(600))))
    #expect(server.count == 1)
  }

  /// Waits until the server has sent several parts more.
  private static func parts(of server: TestServer) async throws {
    let sent = server.sent
    try await eventually { server.sent > sent + 3 }
  }

  @Test(arguments: Client.allCases)
  func aTricklingServerTimesOut(_ client: Client) async throws {
    let server = try await TestServer()
    // A byte every 20 ms: each part is in time, the whole response would take many minutes. First a field of the head,
    // then the body.
    for head in ["HTTP/1.1 200 OK\r\nX-A: ", "HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n"] {
      server.answer(
        TestServer.Script(parts: [head] + Array(repeating: "a", count: 70_000), pause: .milliseconds(20)))
      let timers = SettableClock()
      let set = try set(client, server, timers: timers)
      async let error = error(set)
      try await Self.parts(of: server)
      try await eventually { timers.sleepers == 2 }
      timers.advance(by: .seconds(300))
      // Received parts do not begin the limit anew.
      try await Self.parts(of: server)
      timers.advance(by: .seconds(300))
      #expect(await error == .transport(.timeout(.seconds(600))))
    }
  }

  /// The client alone: its time limit covers the body, and a cancelled task ends.
  @Test(arguments: Client.allCases)
  func theClientsTimeLimitCoversTheBody(_ client: Client) async throws {
    let server = try await TestServer()
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
    server.answer(
      TestServer.Script(parts: [head] + Array(repeating: " ", count: 100_000), pause: .milliseconds(20)))
    let timers = SettableClock()
    let transport = Self.transport(client, server.certificate, timers: timers)
    func request(_ timeout: Duration) throws -> TransportRequest {
      TransportRequest(
        url: try HTTPURL(server.address("/")),
        limits: TransportLimits(timeout: timeout, responseSize: 1 << 20))
    }
    let slow = try request(.seconds(600))
    let call = Task { () async throws(TransportError) in try await transport.send(slow) }
    try await Self.parts(of: server)
    try await eventually { timers.sleepers == 1 }
    timers.advance(by: .seconds(600))
    await #expect(throws: TransportError.timeout(.seconds(600))) { try await call.value }
    let endless = try request(.seconds(86_400 * 365 * 1_000))
    let task = Task { () async throws(TransportError) in try await transport.send(endless) }
    task.cancel()
    await #expect(throws: TransportError.timeout(endless.limits.timeout)) { try await task.value }
  }

  @Test(arguments: Client.allCases)
  func wrongLengthsAreErrors(_ client: Client) async throws {
    let server = try await TestServer()
    // `Content-Length` is larger than the body, and the connection is closed.
    server.answer(
      TestServer.Script(parts: ["HTTP/1.1 200 OK\r\nContent-Length: \(keys.utf8.count + 10)\r\n\r\n" + keys]))
    guard case .transport(.connection) = await error(try set(client, server)) else {
      Issue.record("a short body was taken for whole")
      return
    }
    // `Content-Length` is smaller than the body: the JSON is truncated.
    server.answer(
      TestServer.Script(parts: ["HTTP/1.1 200 OK\r\nContent-Length: \(keys.utf8.count - 10)\r\n\r\n" + keys]))
    #expect(await error(try set(client, server))?.codeText == "fetch_unreadable")
  }

  @Test(arguments: Client.allCases, [true, false])
  func aHundredMegabytesAreNotRead(_ client: Client, _ isAnnounced: Bool) async throws {
    let server = try await TestServer()
    let part = String(repeating: " ", count: 1 << 20)
    let length = isAnnounced ? "Content-Length: \(100 << 20)\r\n" : ""
    server.answer(
      TestServer.Script(
        parts: ["HTTP/1.1 200 OK\r\n\(length)Connection: close\r\n\r\n"] + Array(repeating: part, count: 100))
    )
    #expect(await error(try set(client, server)) == .transport(.tooLarge(limit: 262_144)))
    // The client stops reading.
    let request = TransportRequest(
      url: try HTTPURL(server.address("/")),
      limits: TransportLimits(timeout: .seconds(600), responseSize: 1_000))
    await #expect(throws: TransportError.tooLarge(limit: 1_000)) {
      try await client.transport(trusting: server.certificate).send(request)
    }
  }

  /// Other responses without keys, and their errors.
  @Test(
    arguments: Client.allCases,
    [
      (TestServer.Script.answer("{}", status: "500 Internal Server Error"), FetchError.status(500)),
      (.answer("{}", status: "404 Not Found"), .status(404)),
      (.answer("<html><body>sign in</body></html>", type: "text/html"), .webPage),
      (.answer(#"{"keys":[]}"#), .noUsableKey(refused: 0)),
      (.answer(#"{"keys":[{"kty":"EC"}]}"#), .noUsableKey(refused: 1)),
      (
        .answer("", status: "302 Found", fields: ["Location: https://evil.example/jwks.json"]),
        .redirect(status: 302, location: "https://evil.example/jwks.json")
      ),
      (
        .answer("", status: "307 Temporary Redirect", fields: ["Location: /other"]),
        .redirect(status: 307, location: "/other")
      ),
    ])
  func otherResponsesAreRefused(_ client: Client, _ response: (script: TestServer.Script, wanted: FetchError))
    async throws
  {
    let server = try await TestServer()
    server.answer(response.script)
    #expect(await error(try set(client, server)) == response.wanted)
    // One request: the redirect was not followed.
    #expect(server.count == 1)
  }

  @Test(arguments: Client.allCases)
  func certificatesAreChecked(_ client: Client) async throws {
    let (server, other) = (try await TestServer(), try await TestServer())
    server.answer(.answer(keys))
    let untrusted = FetchError.transport(
      .connection("the server's certificate is not trusted for this name"))
    #expect(await error(try set(client, server, trusting: other.certificate)) == untrusted)
    let stranger = try await TestServer(names: "DNS:evil.example")
    stranger.answer(.answer(keys))
    #expect(await error(try set(client, stranger)) == untrusted)
    #expect(server.count + stranger.count == 0)
  }

  @Test(arguments: Client.allCases)
  func aMissingServerIsAnError(_ client: Client) async throws {
    let closed = try ClosedPort()
    let place = "127.0.0.1:\(closed.number)"
    let set = RemoteKeySet(
      .address(try HTTPURL("https://\(place)/")), transport: client.transport(TransportConfiguration()))
    #expect(await error(set) == .transport(.connection("no connection to \(place)")))
    withExtendedLifetime(closed) {}
  }
}
