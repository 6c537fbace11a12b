internal import AsyncHTTPTransport
internal import CognitoIdentityClient
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// All users of the transport: key fetches, calls of identity pools, credentials of AWS STS.
@Suite struct UserTests {
  /// A user with one of the clients.
  struct User: CaseIterable {
    let need: Need
    let client: Client

    static var allCases: [User] {
      Need.allCases.flatMap { need in Client.allCases.map { User(need: need, client: $0) } }
    }

    /// A transport that trusts the server alone.
    func transport(_ server: TestServer) -> any HTTPTransport {
      client.transport(trusting: server.certificate)
    }
  }

  enum Need: CaseIterable {
    case keys
    case identityPool
    case tokenService

    /// A valid response.
    var success: String {
      switch self {
      case .keys:
        #"{"keys":[{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#
      case .identityPool: #"{"IdentityId":"eu-west-1:0"}"#
      case .tokenService:
        """
        <R><Credentials><AccessKeyId>ASIAROLE</AccessKeyId><SecretAccessKey>s</SecretAccessKey>
        <SessionToken>t</SessionToken><Expiration>2999-01-01T00:00:00Z</Expiration></Credentials></R>
        """
      }
    }

    /// The error code for a response that is too large.
    var tooLarge: String {
      switch self {
      case .keys: "fetch_too_large"
      case .identityPool: "answer_malformed"
      case .tokenService: "credentials_service_answer"
      }
    }

    /// The error code for a missing response.
    var unreachable: String {
      switch self {
      case .keys: "fetch_connection"
      case .identityPool: "endpoint_unreachable"
      case .tokenService: "credentials_service_unreachable"
      }
    }

    /// Sends one request to `origin`.
    ///
    /// - Returns: the error's code and text; nil for success.
    func ask(_ origin: String, _ transport: any HTTPTransport) async throws -> (code: String, text: String)? {
      do {
        switch self {
        case .keys:
          var configuration = RemoteKeySetConfiguration()
          configuration.timeout = .seconds(600)
          let set = RemoteKeySet(
            try .address(origin + "/keys"), transport: transport, configuration: configuration)
          try await set.prefetch()
        case .identityPool:
          let endpoint = try IdentityEndpoint(address: origin, region: "eu-west-1")
          _ = try await IdentityCalls(endpoint: endpoint, transport: transport).identityID(
            poolID: "eu-west-1:pool")
        case .tokenService:
          let keys = try Credentials(
            accessKeyID: "AKIDBASE", secretAccessKey: SecretBytes(Array("secret".utf8).span))
          let role = try RoleRequest(roleARN: "arn:aws:iam::123456789012:role/r", endpoint: HTTPURL(origin))
          let source = AssumedRoleCredentials(
            source: StaticCredentials(keys), request: role, transport: transport)
          _ = try await source.credentials()
        }
        return nil
      } catch let error as OpenIDError {
        return (error.codeText, "\(error)")
      } catch let error as IdentityClientError {
        return (error.codeText, "\(error)")
      } catch let error as CredentialsError {
        return (error.codeText, "\(error)")
      }
    }
  }

  @Test(arguments: User.allCases)
  func speaksHTTP1(_ user: User) async throws {
    let server = try await TestServer()
    server.answer(.answer(user.need.success))
    #expect(try await user.need.ask(server.address(""), user.transport(server)) == nil)
    #expect(server.protocols == ["http/1.1"])
    #expect(server.count == 1)
  }

  @Test(arguments: User.allCases)
  func sendsOnce(_ user: User) async throws {
    let server = try await TestServer()
    // The connection is closed without a response, or after half of one.
    for parts in [[], ["HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"]] {
      server.answer(TestServer.Script(parts: parts))
      let before = server.count
      #expect(
        try await user.need.ask(server.address(""), user.transport(server))?.code == user.need.unreachable)
      #expect(server.count == before + 1)
    }
    // Without a server there is one attempt to connect.
    let closed = try ClosedPort()
    let error = try await user.need.ask("https://127.0.0.1:\(closed.number)", user.transport(server))
    #expect(error?.code == user.need.unreachable)
    #expect(error?.text.contains("no connection to 127.0.0.1:\(closed.number)") == true)
  }

  /// async-http-client traps at a status below 100.
  @Test(arguments: User.allCases, ["000 X", "001 OK", "099 OK", "600 OK", "999 OK"])
  func refusesAStatusThatDoesNotExist(_ user: User, _ status: String) async throws {
    let server = try await TestServer()
    for body in ["", "{}"] {
      server.answer(.answer(body, status: status))
      let error = try await user.need.ask(server.address(""), user.transport(server))
      #expect(error?.code == user.need.unreachable)
      #expect(error?.text.contains("status is not 100 to 599") == true)
    }
  }

  @Test(arguments: User.allCases)
  func endsAfterInterimResponses(_ user: User) async throws {
    let server = try await TestServer()
    let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    server.answer(
      TestServer.Script(parts: [interim, interim] + TestServer.Script.answer(user.need.success).parts))
    #expect(try await user.need.ask(server.address(""), user.transport(server)) == nil)
  }

  @Test(arguments: User.allCases)
  func doesNotFollowRedirects(_ user: User) async throws {
    let (server, other) = (try await TestServer(), try await TestServer())
    for status in ["302 Found", "307 Temporary Redirect"] {
      server.answer(.answer("", status: status, fields: ["Location: \(other.address("/"))"]))
      #expect(try await user.need.ask(server.address(""), user.transport(server)) != nil)
    }
    #expect(server.count == 2)
    #expect(other.count == 0)
  }

  @Test(arguments: User.allCases, [true, false])
  func limitsTheSizeOfResponses(_ user: User, _ isAnnounced: Bool) async throws {
    let server = try await TestServer()
    let length = isAnnounced ? "Content-Length: \(100 << 20)\r\n" : ""
    let part = String(repeating: " ", count: 1 << 20)
    server.answer(
      TestServer.Script(
        parts: ["HTTP/1.1 200 OK\r\n\(length)Connection: close\r\n\r\n"] + Array(repeating: part, count: 100))
    )
    #expect(try await user.need.ask(server.address(""), user.transport(server))?.code == user.need.tooLarge)
  }

  @Test(arguments: User.allCases)
  func reportsUntrustedCertificates(_ user: User) async throws {
    let (server, other) = (try await TestServer(), try await TestServer(names: "DNS:evil.example"))
    for (server, roots) in [(server, other), (other, other)] {
      let error = try await user.need.ask(server.address(""), user.transport(roots))
      #expect(error?.code == user.need.unreachable)
      #expect(
        error?.text.contains("the server's certificate is not trusted for this name") == true)
    }
    #expect(server.count + other.count == 0)
  }

  @Test(arguments: User.allCases)
  func sendsPlainHTTPToLoopbackOnly(_ user: User) async throws {
    for origin in ["http://keys.example", "http://10.0.0.1:8080"] {
      let error = try await user.need.ask(origin, user.client.transport(TransportConfiguration()))
      #expect(
        ["fetch_not_secure", "client_configuration_invalid", user.need.unreachable].contains(error?.code))
      #expect(error?.text.contains("http") == true)
    }
  }

  @Test(arguments: User.allCases)
  func usesTheProxy(_ user: User) async throws {
    let proxy = try await TestServer(names: "DNS:service.example", isProxy: true)
    proxy.answer(.answer(user.need.success))
    let configuration = TransportConfiguration(trustRoots: .file(proxy.certificate))
    let variables = [
      "HTTPS_PROXY": "http://us%65r:p%40ss@127.0.0.1:\(proxy.port)", "NO_PROXY": "other.example",
    ]
    let transport = user.client.transport(configuration, environment: { variables[$0] })
    #expect(try await user.need.ask("https://service.example", transport) == nil)
    #expect(proxy.count == 1)
    #expect(proxy.protocols == ["http/1.1"])
    let tunnel = try #require(proxy.tunnels.first)
    #expect(tunnel.hasPrefix("CONNECT service.example:443 HTTP/1.1\r\n"))
    #expect(tunnel.lowercased().contains("proxy-authorization: basic dxnlcjpwqhnz\r\n"))
    #expect(proxy.tunnels.count == 1)
  }

  /// Limits of time that clocks and timers cannot count.
  @Test(
    arguments: Client.allCases,
    [
      Duration(attoseconds: .max), .seconds(Int64.max), Duration(attoseconds: .min), .seconds(Int64.min),
      .zero,
    ])
  func timeLimitsOfAnyLength(_ client: Client, _ limit: Duration) async throws {
    let server = try await TestServer()
    server.answer(.answer("{}"))
    var configuration = TransportConfiguration(trustRoots: .file(server.certificate))
    if limit > .zero { configuration.connectTimeout = limit }
    let request = TransportRequest(
      url: try HTTPURL(server.address("/")), limits: TransportLimits(timeout: limit, responseSize: 100))
    do {
      let response = try await client.transport(configuration).send(request)
      #expect(limit > .zero && response.status == 200)
    } catch {
      #expect(limit <= .zero && error.code == .timeout)
      #expect("\(error)".hasSuffix("within 0 s"))
    }
    #expect("\(TransportError.timeout(limit))".isEmpty == false)
  }

  /// The clients write methods and fields as they are.
  @Test(
    arguments: Client.allCases,
    ["", "GET /b HTTP/1.1\r\nX: y\r\n\r\nGET", "GET ", "G\0T", "GÉT", "GET/", "(GET)"])
  func sendsNoMethodThatIsNotAToken(_ client: Client, _ method: String) async throws {
    let server = try await TestServer()
    server.answer(.answer("{}"))
    let request = TransportRequest(
      method: method, url: try HTTPURL(server.address("/a")),
      limits: TransportLimits(timeout: .seconds(600), responseSize: 100))
    await #expect(throws: TransportError.connection("the request's method is not a token")) {
      try await client.transport(trusting: server.certificate).send(request)
    }
    #expect(server.count == 0)
  }

  @Test(
    arguments: Client.allCases,
    [
      ("", "a", "name"), ("X Y", "a", "name"), ("X:", "a", "name"), ("X\r\nY", "a", "name"),
      ("X", "a\r\nY: b", "value"), ("X", "a\nb", "value"), ("X", "a\0", "value"), ("X", "\u{7F}", "value"),
    ])
  func sendsNoFieldThatIsMalformed(_ client: Client, _ field: (name: String, value: String, part: String))
    async throws
  {
    let server = try await TestServer()
    server.answer(.answer("{}"))
    var request = TransportRequest(
      url: try HTTPURL(server.address("/a")),
      limits: TransportLimits(timeout: .seconds(600), responseSize: 100))
    request.headers.append(field.name, field.value)
    let rule = field.part == "name" ? "is not a token" : "has a control character"
    await #expect(
      throws: TransportError.connection("the \(field.part) of a header field of the request \(rule)")
    ) { try await client.transport(trusting: server.certificate).send(request) }
    #expect(server.count == 0)
  }
}
