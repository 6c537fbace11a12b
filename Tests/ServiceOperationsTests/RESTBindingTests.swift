internal import ServiceOperations
internal import Testing

/// REST-JSON: what selects an operation, and what its path, query, header fields and body give it.
@Suite struct RESTBindingTests {
  static let router = OperationRouter(sampleDatasets)
  static let datasets = "/identitypools/p/identities/i/datasets"

  private func route(
    _ method: String, _ target: String, _ headers: [(name: String, value: String)] = []
  ) throws(OperationError) -> OperationRoute {
    let head = OperationRequestHead(method: method, target: target, headers: headers)
    guard let route = try Self.router.route(head) else { throw .operationUnknown("a form") }
    return route
  }

  /// The value of the label `DatasetName`, or the code of the refusal.
  private func label(_ target: String) -> String {
    do throws(OperationError) {
      let route = try route("GET", target)
      return route.label("DatasetName") ?? "none"
    } catch {
      return error.codeText
    }
  }

  private func list(_ query: String, body: String = "") throws(OperationError) -> ListDatasets.Input {
    try ListDatasets.input(try route("GET", Self.datasets + query), Array(body.utf8))
  }

  private func refusal(_ query: String) -> OperationError? {
    do throws(OperationError) {
      _ = try list(query)
      return nil
    } catch {
      return error
    }
  }

  @Test func methodsSelectOperations() throws {
    #expect(try route("GET", Self.datasets).declaration.name == "ListDatasets")
    #expect(try route("GET", Self.datasets + "/d").declaration.name == "DescribeDataset")
    #expect(try route("DELETE", Self.datasets + "/d").declaration.name == "DeleteDataset")
    for method in ["POST", "PUT", "HEAD", "get", "GET ", "", "DELETE\0"] {
      #expect(throws: OperationError.operationUnknown("\(method) \(Self.datasets)/d")) {
        _ = try route(method, Self.datasets + "/d?x=1")
      }
    }
  }

  /// A path is split at its slashes, and its parts are decoded once.
  @Test func paths() {
    for (segment, value) in [
      ("d", "d"), ("a%2Fb", "a/b"), ("a%2fb", "a/b"), ("%2F", "/"), ("a%252Fb", "a%2Fb"),
      ("%252e%252e", "%2e%2e"), ("...", "..."), ("..a", "..a"), ("a%3Fb", "a?b"), ("a;v=1", "a;v=1"),
      ("a+b", "a+b"), ("a%20b", "a b"), ("%C3%A9", "é"), ("a#b", "a#b"), ("a%00b", "a\0b"),
      ("{DatasetName}", "{DatasetName}"),
      // Dot segments, encoded or not: a proxy that removes them sends another path.
      (".", "request_malformed"), ("..", "request_malformed"), ("%2e", "request_malformed"),
      ("%2E%2e", "request_malformed"), (".%2e", "request_malformed"), ("%2E.", "request_malformed"),
      // Not an encoding of UTF-8.
      ("%", "request_malformed"), ("%2", "request_malformed"), ("%zz", "request_malformed"),
      ("%ff", "request_malformed"), ("%c0%ae", "request_malformed"), ("%ed%a0%80", "request_malformed"),
      ("%u002e", "request_malformed"),
      // Empty labels, and other numbers of segments.
      ("", "operation_unknown"), ("/", "operation_unknown"), ("d/", "operation_unknown"),
      ("/d", "operation_unknown"), ("d/..", "operation_unknown"),
      ("x/../d", "operation_unknown"),
    ] {
      #expect(label("\(Self.datasets)/\(segment)") == value, "\(segment)")
    }
    for target in [
      "", "/", "*", "?", "//", "identitypools/p/identities/i/datasets/d",
      "//identitypools/p/identities/i/datasets/d",
      "/identitypools//identities/i/datasets/d", "/identitypools/p/identities/i/./datasets/d",
      "/identitypools/p%2Fidentities/i/datasets/d", "/identitypools/p/identities%2Fi/datasets/d",
      "/identitypools/p/identities/i/datasets%2Fd", "/IdentityPools/p/identities/i/datasets/d",
      "/%69dentitypools/p/identities/i/datasets/d", "https://host/identitypools/p/identities/i/datasets/d",
      "/x/../identitypools/p/identities/i/datasets/d", "\\identitypools\\p\\identities\\i\\datasets\\d",
      "/identitypools/p/identities/i/datasets/d/records", "/identitypools/p/identities/i/datasets\u{301}/d",
    ] {
      #expect(label(target) == "operation_unknown", "\(target)")
    }
    #expect(label("/identitypools/p/identities/../datasets/d") == "request_malformed")
    #expect(label("\(Self.datasets)/\(String(repeating: "a", count: 16_384))") == "request_malformed")
    #expect(label(String(repeating: "/", count: 1 << 20)) == "request_malformed")
  }

  @Test func parameters() throws {
    let input = try list(
      "?maxResults=%31%30&nextToken=a?b+c%2B%26%3d&full=true&since=2026-01-02T03:04:05Z&other=1")
    #expect(input.identityID == "i" && input.maxResults == 10 && input.nextToken == "a?b c+&=")
    #expect(input.isFull == true && input.since?.seconds == 1_767_323_045)
    // Names are exact, and those of the protocol, not of the members.
    let other = try list("?maxresults=5&MaxResults=5&IdentityId=other&nextToken=")
    #expect(other.maxResults == nil && other.identityID == "i" && other.nextToken == "")
    for empty in ["", "?", "?&", "?&&"] {
      let found = refusal(empty)
      #expect(empty.utf8.count < 2 ? found == nil : found?.code == .serialization, "\(empty)")
    }
    for (query, sentence) in [
      ("?maxResults=1&maxResults=1", "a parameter is duplicated"),
      ("?%6daxResults=1&maxResults=1", "a parameter is duplicated"),
      ("?=1", "a field has no name"),
      ("?nextToken=%", "a field is not properly percent-encoded"),
      ("?nextToken=%ff", "a field is not properly percent-encoded"),
      ("?maxResults=", "STRING_VALUE can not be converted to an Integer"),
      ("?maxResults=+1", "STRING_VALUE can not be converted to an Integer"),
      ("?maxResults=1.0", "STRING_VALUE can not be converted to an Integer"),
      ("?maxResults=2147483648", "STRING_VALUE can not be converted to an Integer"),
      ("?maxResults=\u{661}", "STRING_VALUE can not be converted to an Integer"),
      ("?full=TRUE", "STRING_VALUE can not be converted to a Boolean"),
      ("?since=1", "STRING_VALUE can not be converted to milliseconds since epoch"),
      ("?" + (0..<101).map { "a\($0)" }.joined(separator: "&"), "there are more than 100 fields"),
    ] {
      let expected: OperationError =
        sentence.utf8.starts(with: "STRING_VALUE".utf8)
        ? .memberType(rule: sentence) : .serialization(rule: sentence)
      #expect(refusal(query) == expected, "\(query)")
    }
    #expect(
      refusal("?maxResults=61")?.publicMessage
        == "1 validation error detected: Value '61' at 'maxResults' failed to satisfy constraint: Member must"
        + " have value less than or equal to 60")
  }

  /// A member has one place: the body does not set what the path, the query or a header field has.
  @Test func bodies() throws {
    let body = #"{"MaxResults":5,"maxResults":5,"NextToken":"t","IdentityId":"other"}"#
    let input = try list("", body: body)
    #expect(input.maxResults == nil && input.nextToken == nil && input.identityID == "i")
    let target = "/identitypools/a%3A1/configuration"
    func set(
      _ body: String, _ headers: [(name: String, value: String)] = []
    ) throws(OperationError) -> SetConfiguration.Input {
      try SetConfiguration.input(try route("POST", target, headers), Array(body.utf8))
    }
    let found = try set(#"{"Streams":["s"],"Context":"no"}"#, [(name: "X-AMZ-CLIENT-CONTEXT", value: "c")])
    #expect(found.poolID == "a:1" && found.streams == ["s"] && found.context == "c")
    #expect(try set("").streams == nil)
    #expect(throws: OperationError.serialization(rule: "the header field x-amz-Client-Context is duplicated"))
    {
      _ = try set(
        "", [(name: "x-amz-client-context", value: "a"), (name: "X-Amz-Client-Context", value: "a")])
    }
    #expect(throws: OperationError.self) { _ = try set(#"{"Streams":["1","2","3"]}"#) }
  }

  /// A field that selects the operation is there once.
  @Test func targetsAreNotDuplicated() {
    let head = OperationRequestHead(
      method: "POST", target: "/",
      headers: [(name: "X-Amz-Target", value: "a.SignUp"), (name: "x-amz-target", value: "a.SignUp")])
    #expect(throws: OperationError.serialization(rule: "the header field X-Amz-Target is duplicated")) {
      _ = try OperationRouter(sampleUsers).route(head)
    }
  }
}
