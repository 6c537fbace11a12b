internal import CurlTransport
internal import Foundation
internal import Testing
internal import TokenSecurityTesting

/// Requests as they are sent, and responses as they are read.
@Suite struct MessageTests {
  private static func request(
    _ server: TestServer, _ method: String = "GET", _ headers: TransportHeaders = [:], _ body: String = ""
  ) throws -> TransportRequest {
    TransportRequest(
      method: method, url: try HTTPURL(server.address("/a/../b?c=%20d")), headers: headers,
      body: Array(body.utf8), limits: TransportLimits(timeout: .seconds(600), responseSize: 100_000))
  }

  /// The lines of a request's head in lower case, without those that differ.
  private static func lines(_ text: String) -> Set<String> {
    let head = text.components(separatedBy: "\r\n\r\n")[0].lowercased()
    return Set(head.components(separatedBy: "\r\n").dropFirst().filter { $0 != "connection: close" })
  }

  @Test(
    arguments: Client.allCases,
    [("GET", ""), ("DELETE", ""), ("HEAD", ""), ("POST", "a=b"), ("PUT", "x"), ("GET", "x"), ("POST", "")])
  func requestsAreSentAsTheyAre(_ client: Client, _ message: (method: String, body: String)) async throws {
    let server = try await TestServer()
    server.answer(.answer(""))
    let transport = client.transport(trusting: server.certificate)
    let wanted: Set = ["host: localhost:\(server.port)", "user-agent: token-security"]
    let length: Set =
      message.body.isEmpty && message.method != "POST" ? [] : ["content-length: \(message.body.utf8.count)"]
    _ = try await transport.send(Self.request(server, message.method, [:], message.body))
    let text = try #require(server.requests.first)
    #expect(text.hasPrefix("\(message.method) /a/../b?c=%20d HTTP/1.1\r\n"))
    #expect(text.hasSuffix("\r\n\r\n" + message.body))
    #expect(Self.lines(text) == wanted.union(length))
    // The caller's fields, and no other values of the same names.
    let fields: TransportHeaders = [
      "User-Agent": "own", "Accept": "text/x", "Content-Type": "text/y", "X-Empty": "", "X-Twice": "1",
      "Content-Length": "7", "Transfer-Encoding": "chunked",
    ]
    _ = try await transport.send(Self.request(server, message.method, fields, message.body))
    let own = Self.lines(try #require(server.requests.last).replacing("x-empty:\r\n", with: "x-empty: \r\n"))
    let sent = Set(own.map { $0.hasSuffix(":") ? $0 + " " : $0 })
    #expect(
      sent
        == length.union([
          "host: localhost:\(server.port)", "user-agent: own", "accept: text/x", "content-type: text/y",
          "x-empty: ", "x-twice: 1",
        ]))
  }

  /// A large body is sent at once, without waiting for a `100 Continue`.
  @Test(arguments: Client.allCases)
  func largeBodiesAreSentAtOnce(_ client: Client) async throws {
    let server = try await TestServer()
    server.answer(.answer("ok"))
    let body = String(repeating: "b", count: 5 << 18)
    let response = try await client.transport(trusting: server.certificate).send(
      Self.request(server, "POST", [:], body))
    #expect(response.body == Array("ok".utf8))
    let text = try #require(server.requests.first)
    #expect(text.hasSuffix("\r\n\r\n" + body) && !Self.lines(text).contains { $0.hasPrefix("expect:") })
  }

  @Test(arguments: Client.allCases)
  func responsesAreReadAsTheyAre(_ client: Client) async throws {
    let server = try await TestServer()
    // Bytes that claim to be compressed, fields of an interim response, a name that occurs twice, a trailer.
    let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    let head =
      "HTTP/1.1 404 Not Found\r\nContent-Encoding: gzip\r\nX-a: 1\r\nx-A:  2\r\nSet-Cookie: a=b\r\nTransfer-Encoding: chunked\r\n\r\n"
    server.answer(
      TestServer.Script(parts: [interim + head + "3\r\nabc\r\n", "2\r\nde\r\n0\r\nX-Trailer: t\r\n\r\n"]))
    let transport = client.transport(trusting: server.certificate)
    for _ in 0..<2 {
      let response = try await transport.send(Self.request(server))
      #expect(response.status == 404 && response.body == Array("abcde".utf8))
      #expect(response.headers["x-a"] == "1, 2" && response.headers["content-encoding"] == "gzip")
      #expect(response.headers["link"] == nil && response.headers["x-trailer"] == nil)
      let names = response.headers.fields.map(\.name)
      #expect(names.prefix(4) == ["Content-Encoding", "X-a", "x-A", "Set-Cookie"])
    }
    // No cookie is kept.
    #expect(server.requests.allSatisfy { !Self.lines($0).contains { $0.hasPrefix("cookie") } })
  }

  /// Connections that end in the middle of a response.
  @Test(
    arguments: Client.allCases,
    [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", "HTTP/1.1 200 OK\r\nX-A: b",
      "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n", "",
    ])
  func partsOfResponsesAreErrors(_ client: Client, _ text: String) async throws {
    let server = try await TestServer()
    server.answer(TestServer.Script(parts: [text]))
    let error = await #expect(throws: TransportError.self) {
      try await client.transport(trusting: server.certificate).send(Self.request(server))
    }
    #expect(error?.code == .connection)
    #expect(server.count == 1)
  }

  @Test(arguments: Client.allCases)
  func aCancelledRequestEndsItsConnection(_ client: Client) async throws {
    let server = try await TestServer()
    server.answer(TestServer.Script(parts: ["HTTP/1.1 200 OK\r\n"], closes: false))
    let transport = client.transport(trusting: server.certificate)
    let request = try Self.request(server)
    let call = Task { () async throws(TransportError) in try await transport.send(request) }
    try await eventually { server.sent == 1 }
    call.cancel()
    await #expect(throws: TransportError.timeout(.seconds(600))) { try await call.value }
    try await eventually { server.ended == 1 }
  }

  /// The head of a response has a limit, too.
  @Test(arguments: Client.allCases)
  func endlessHeadsAreNotRead(_ client: Client) async throws {
    let server = try await TestServer()
    let line = "X-A: \(String(repeating: "a", count: 1_000))\r\n"
    server.answer(
      TestServer.Script(
        parts: ["HTTP/1.1 200 OK\r\n"] + Array(repeating: line, count: 10_000), closes: false))
    let error = await #expect(throws: TransportError.self) {
      try await client.transport(trusting: server.certificate).send(Self.request(server))
    }
    #expect(error?.code == .connection)
    #expect(server.sent < 10_000)
  }

  @Test func libcurlsHeadsAreChecked() async throws {
    let server = try await TestServer()
    let transport = Client.libcurl.transport(trusting: server.certificate)
    let large = String(repeating: "X: \(String(repeating: "a", count: 1_000))\r\n", count: 70)
    let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 3_000)
    for (text, reason) in [
      ("HTTP/1.1 200 OK\r\n\(large)\r\n", "the response's head has more than 65536 bytes"),
      ("\(interim)HTTP/1.1 200 OK\r\n\r\n", "the response's head has more than 65536 bytes"),
      ("HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n", "the response's head is malformed"),
      ("HTTP/1.1 200 OK\r\n: a\r\n\r\n", "the response's head is malformed"),
      ("HTTP/1.1 200 OK\r\nX-A: a\rX-B: b\r\n\r\n", "the response's head is malformed"),
      ("HTTP/1.1 200 OK\r\nX-A: \u{1B}[2J\r\n\r\n", "the response's head is malformed"),
      ("HTTP/1.1 200 OK\r\nX-A : a\r\n\r\n", "the response's head is malformed"),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 2\r\n\r\nhello",
        "the response's Content-Length is malformed, or there are several"
      ),
      (
        "HTTP/1.1 200 OK\r\nContent-Length: 2abc\r\n\r\nhello",
        "the response's Content-Length is malformed, or there are several"
      ),
      (
        "HTTP/1.1 200 OK\r\ncontent-length: +2\r\n\r\nhi",
        "the response's Content-Length is malformed, or there are several"
      ),
    ] {
      server.answer(TestServer.Script(parts: [text]))
      await #expect(throws: TransportError.connection(reason)) {
        try await transport.send(Self.request(server))
      }
    }
  }

  @Test func trustRootsThatAreMissingAreAnError() async throws {
    let server = try await TestServer()
    let transport = CurlHTTPTransport(trustRoots: .file("/nonexistent.pem"), proxy: .none)
    await #expect(throws: TransportError.connection("the file of trust roots cannot be used")) {
      try await transport.send(Self.request(server))
    }
    // The machine's roots are not those of the test's server.
    await #expect(
      throws: TransportError.connection("the server's certificate is not trusted for this name")
    ) { try await CurlHTTPTransport(proxy: .none).send(Self.request(server)) }
    #expect(server.count == 0)
  }
}
