internal import AsyncHTTPClient
internal import AsyncHTTPTransport
internal import NIOSSL
internal import Testing
internal import TokenSecurityTesting

/// The proxy of the environment, the address rule, clients of the caller.
@Suite struct ProxyTests {
  private static func request(_ url: String, size: Int = 1_000) throws -> TransportRequest {
    TransportRequest(
      url: try HTTPURL(url), limits: TransportLimits(timeout: .seconds(600), responseSize: size))
  }

  @Test(arguments: [
    ("*", "https://a.example/", true), ("a.example", "https://a.example/", true),
    ("A.Example", "https://a.example/", true), (" b.example , a.example ", "https://a.example/", true),
    ("a.example", "https://x.a.example/", true), ("a.example", "https://xa.example/", false),
    (".a.example", "https://x.a.example/", true), (".a.example", "https://a.example/", false),
    ("a.example:443", "https://a.example/", true), ("a.example:8443", "https://a.example/", false),
    ("", "https://a.example/", false), (",", "https://a.example/", false),
    ("example", "https://a.example/", true),
    ("10.0.0.0/8", "https://10.1.2.3/", true), ("10.0.0.0/8", "https://11.1.2.3/", false),
    ("10.0.0.0/8", "https://10.example/", false), ("10.1.2.3", "https://10.1.2.3/", true),
    ("10.1.2.3:8443", "https://10.1.2.3/", false), ("fd00::/8", "https://[fd00::1]/", true),
    ("fd00::1", "https://[fd00:0::1]/", true), ("[fd00::1]", "https://[fd00::1]:8443/", true),
    ("", "https://localhost:8443/", true), ("", "https://127.0.0.1/", true), ("", "https://[::1]/", true),
  ])
  func exceptions(_ list: String, _ url: String, _ isExcluded: Bool) throws {
    let settings = try #require(
      ProxySettings { $0 == "HTTPS_PROXY" ? "proxy.example:3128" : $0 == "NO_PROXY" ? list : nil })
    #expect(try settings.excludes(HTTPURL(url)) == isExcluded)
  }

  @Test func namesInLowerCaseAndEmptyValues() throws {
    #expect(ProxySettings { _ in nil } == nil)
    #expect(ProxySettings { _ in "" } == nil)
    let settings = try #require(
      ProxySettings { ["https_proxy": "proxy.example:3128", "no_proxy": "a.example"][$0] })
    #expect(try settings.excludes(HTTPURL("https://a.example/")))
  }

  /// A malformed proxy setting is not bypassed, and its password is not printed.
  @Test(arguments: [
    "https://proxy.example:3128", "socks5://proxy.example:1080", "http://user:secret@",
    "http://proxy.example:x",
    "http://user:%zz@proxy.example", "http://proxy.example/path", "proxy example",
  ])
  func aMalformedProxyIsNotBypassed(_ value: String) async throws {
    for client in Client.allCases {
      let transport = client.transport(
        TransportConfiguration(), environment: { $0 == "HTTPS_PROXY" ? value : nil })
      await #expect(throws: TransportError.connection("HTTPS_PROXY is not a valid HTTP proxy")) {
        try await transport.send(Self.request("https://a.example/"))
      }
    }
  }

  @Test(arguments: Client.allCases)
  func theProxyCanBeDisabledAndIsNotUsedForLoopback(_ client: Client) async throws {
    let server = try await TestServer()
    server.answer(.answer("ok"))
    let closed = try ClosedPort()
    let proxy = "127.0.0.1:\(closed.number)"
    let broken = { @Sendable (name: String) in name == "HTTPS_PROXY" ? "http://\(proxy)" : nil }
    let roots = TransportConfiguration.TrustRoots.file(server.certificate)
    for setting in [TransportConfiguration.Proxy.environment, .none] {
      let transport = client.transport(
        TransportConfiguration(trustRoots: roots, proxy: setting), environment: broken)
      #expect(try await transport.send(Self.request(server.address("/"))).body == Array("ok".utf8))
    }
    // Other hosts use the proxy, and the error names it.
    let transport = client.transport(TransportConfiguration(trustRoots: roots), environment: broken)
    await #expect(throws: TransportError.connection("no connection to \(proxy)")) {
      try await transport.send(Self.request("https://a.example/"))
    }
    withExtendedLifetime(closed) {}
  }

  /// A proxy's own answer is no response.
  @Test(arguments: Client.allCases, ["407 Proxy Authentication Required", "302 Found", "503 Busy"])
  func aProxyThatRefuses(_ client: Client, _ status: String) async throws {
    let proxy = try await TestServer(isProxy: true)
    proxy.refuseTunnels("HTTP/1.1 \(status)\r\nLocation: /\r\nContent-Length: 2\r\n\r\n{}")
    let transport = client.transport(
      TransportConfiguration(trustRoots: .file(proxy.certificate)),
      environment: { $0 == "HTTPS_PROXY" ? "127.0.0.1:\(proxy.port)" : nil })
    let error = await #expect(throws: TransportError.self) {
      try await transport.send(Self.request("https://a.example/"))
    }
    #expect(error?.code == .connection && proxy.tunnels.count == 1)
    if client == .libcurl {
      let number = status.prefix(3)
      #expect(error == .connection("the proxy refused the connection with status \(number)"))
    }
  }

  /// The rule sees the URL even with a proxy, which would resolve the name.
  @Test(arguments: Client.allCases, ["", "127.0.0.1:1"])
  func theAddressRuleSeesTheURL(_ client: Client, _ proxy: String) async throws {
    let transport = client.transport(
      TransportConfiguration(addresses: .publicAddressesOnly),
      environment: { $0 == "HTTPS_PROXY" ? proxy : nil })
    for url in ["https://10.0.0.1/", "https://db.internal/", "https://localhost/"] {
      await #expect(
        throws: TransportError.addressRefused(address: url, reason: "it is not a public address")
      ) { try await transport.send(Self.request(url)) }
    }
  }

  @Test(arguments: Client.allCases)
  func theLowerLimitApplies(_ client: Client) async throws {
    let server = try await TestServer()
    server.answer(.answer(String(repeating: " ", count: 500)))
    let roots = TransportConfiguration.TrustRoots.file(server.certificate)
    for (own, shared) in [(100, 1_000), (1_000, 100)] {
      let transport = client.transport(
        TransportConfiguration(
          trustRoots: roots, limits: TransportLimits(timeout: .seconds(600), responseSize: shared)))
      await #expect(throws: TransportError.tooLarge(limit: 100)) {
        try await transport.send(Self.request(server.address("/"), size: own))
      }
    }
    server.answer(TestServer.Script(closes: false))
    let timers = SettableClock()
    let transport = client.transport(
      TransportConfiguration(
        trustRoots: roots, limits: TransportLimits(timeout: .seconds(500), responseSize: 100)),
      environment: { _ in nil }, timers: timers)
    let (sent, request) = (server.count, try Self.request(server.address("/")))
    let call = Task { () async throws(TransportError) in try await transport.send(request) }
    try await eventually { server.count > sent && timers.sleepers == 1 }
    timers.advance(by: .seconds(500))
    await #expect(throws: TransportError.timeout(.seconds(500))) { try await call.value }
  }

  /// A client of the caller: the limits apply, and a redirect that it followed is refused.
  @Test func aClientOfTheCallers() async throws {
    let server = try await TestServer()
    var configuration = HTTPClient.Configuration()
    configuration.tlsConfiguration = .makeClientConfiguration()
    configuration.tlsConfiguration?.trustRoots = .file(server.certificate)
    configuration.httpVersion = .http1Only
    let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    do {
      let transport = HTTPClientTransport(client: client)
      server.answer(.answer("ok"))
      #expect(try await transport.send(Self.request(server.address("/"))).status == 200)
      await #expect(throws: TransportError.tooLarge(limit: 1)) {
        try await transport.send(Self.request(server.address("/"), size: 1))
      }
      let other = server.address("/other")
      server.answer { path in
        path == "/" ? .answer("", status: "302 Found", fields: ["Location: \(other)"]) : .answer("other")
      }
      await #expect(
        throws: TransportError.connection(
          "the HTTP client followed a redirect; configure it with .disallow")
      ) { try await transport.send(Self.request(server.address("/"))) }
    }
    // The caller's client is still usable.
    try await client.shutdown()
  }
}
