internal import HTTPExchange
@testable internal import ServiceOperations
internal import Testing

/// Members in header fields, and what must not be sent in them.
@Suite struct HeaderFieldTests {
  /// A line break would end the field, and what follows it would be another field or request.
  @Test(arguments: [
    "a\r\nX-Other: b", "a\n", "\r", "a\0b", "\u{1F}", "\u{7F}", "a\tb", "\r\n\r\nGET / HTTP/1.1",
  ])
  func controlCharactersAreNotSent(_ value: String) async {
    let service = RESTCallTests.Service()
    let client = OperationClient(sampleDatasets, at: "http://127.0.0.1:1", service)
    let refused = OperationCallError.requestRefused(
      rule: #"its header field "x-amz-Client-Context" has a control character"#)
    await #expect(throws: refused) {
      _ = try await client.call(SetConfiguration.self) {
        $0.poolID = "p"
        $0.context = value
      }
    }
    #expect(refused.codeText == "operation_request_refused" && service.targets.isEmpty)
    // The name of a field that a caller has added, too.
    var request = client.request(ListDatasets.self, .init())
    request.headers.append((name: value, value: "a"))
    await #expect(throws: OperationCallError.self) {
      _ = try await client.send(request, for: ListDatasets.self)
    }
    #expect(service.targets.isEmpty)
  }

  @Test func otherTextIsSent() async throws {
    let service = RESTCallTests.Service()
    let client = OperationClient(sampleDatasets, at: "http://127.0.0.1:1", service)
    await #expect(throws: OperationCallError.self) {
      _ = try await client.call(SetConfiguration.self) {
        $0.poolID = "p"
        $0.context = "a b: \"é\" ~"
      }
    }
    #expect(service.targets == ["POST /identitypools/p/configuration"])
  }

  @Test func responsesHaveNoControlCharacters() {
    for (binding, status) in [
      (ServiceBinding.rest, 429), (.json(targetPrefix: "a"), 400),
      (.query(version: "1", namespace: "https://a.example/"), 400),
    ] {
      let split = EncodedResponse(OperationError.tooManyRequests, binding, requestID: "a\r\nSet-Cookie: b")
      #expect(split.headers.map(\.name) == ["Content-Type", "Cache-Control", "x-amzn-ErrorType"])
      #expect(!split.body.isEmpty && split.status == status)
      let whole = EncodedResponse(OperationError.tooManyRequests, binding, requestID: "a")
      #expect(whole.headers.map(\.name).contains("x-amzn-RequestId"))
    }
    let fields = [(name: "A", value: "1"), (name: "B\n", value: "2"), (name: "C", value: "3\u{7F}")]
    #expect(EncodedResponse(status: 200, headers: fields, body: []).headers.map(\.name) == ["A"])
  }

  /// An operation whose token is in a header field.
  enum Revoke: ServiceOperation {
    static let declaration = OperationDeclaration(
      "Revoke", .anyone, "Revokes a token.", route: .post("/revoke"))

    struct Input: Structure {
      var token = SecretText()

      mutating func members(_ m: inout Members) {
        m.required("Token", &token, .any, in: .header("X-Token"))
      }
    }
  }

  @Test func secretsAreWhereTheyAreDeclared() throws {
    let service = ServiceDeclaration("Tokens", signingName: "tokens", .rest, [Revoke.self])
    let request = Revoke.encode(.init { $0.token = SecretText("s3\"cret") }, service.binding)
    #expect(request.body.isEmpty)
    #expect(
      request.headers.map { "\($0.name): \($0.value)" } == [
        "Content-Type: application/json", "X-Token: s3\"cret",
      ])
    let head = OperationRequestHead(method: "POST", target: "/revoke", headers: request.headers)
    let input = try Revoke.input(try #require(try OperationRouter(service).route(head)), request.body)
    #expect(input.token.withBytes { $0.count } == 7)
  }

  /// A body that is refused as a whole may have a secret in it.
  @Test(arguments: ["secret", #"{"Password":"secret""#, #"["secret"]"#, #""secret""#, #"{"a":"0123456789"}"#])
  func refusedBodiesAreEmptied(_ text: String) {
    var body = Array(text.utf8)
    #expect(throws: OperationError.self) { _ = try MemberInput(json: &body, limit: 17) }
    #expect(body.isEmpty)
  }
}
