internal import ServiceOperations
internal import Testing

/// How calls of the query protocol select operations without a form.
@Suite struct QueryRoutingTests {
  private func head(
    _ method: String, _ target: String, _ headers: [(name: String, value: String)] = []
  ) -> OperationRequestHead {
    OperationRequestHead(method: method, target: target, headers: headers)
  }

  private func refusal(_ route: () throws(OperationError) -> OperationRoute?) -> OperationError? {
    do throws(OperationError) {
      _ = try route()
      return nil
    } catch {
      return error
    }
  }

  /// object_store 0.14.2 and minio-py 7.2.20 send the parameters of AssumeRoleWithWebIdentity in the query of a POST,
  /// boto3 and aws-iam-authenticator those of GetCallerIdentity in the query of a presigned GET.
  @Test func queriesSelectOperations() throws {
    let form = [(name: "Content-Type", value: "application/x-www-form-urlencoded")]
    let query = "/?Version=2011-06-15&Action=GetCallerIdentity"
    for (method, headers) in [
      ("POST", []), ("POST", form), ("POST", [(name: "Content-Type", value: "text/plain")]), ("GET", []),
    ] {
      let head = head(method, query, headers)
      #expect(try RoutingTests.router.route(head) == nil)
      #expect(try RoutingTests.router.route(form: [], head).declaration.name == "GetCallerIdentity")
      // Never both, whichever would win.
      for body in ["Action=GetCallerIdentity&Version=2011-06-15", "a=1", "{}", "&"] {
        #expect(
          throws: OperationError.serialization(
            rule: "there are parameters in the query, and a body: one of them must be empty")
        ) { try RoutingTests.router.route(form: Array(body.utf8), head) }
      }
    }
    // A query without an action does not hide the form.
    let body = Array("Action=GetCallerIdentity&Version=2011-06-15".utf8)
    #expect(
      try RoutingTests.router.route(form: body, head("POST", "/?", form)).declaration.name
        == "GetCallerIdentity")
    #expect(throws: OperationError.self) {
      try RoutingTests.router.route(form: body, head("POST", "/?x=1", form))
    }
    // Parameters of a signature are not members.
    let presigned =
      query + "&X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=a&X-Amz-Date=b&X-Amz-Expires=60"
      + "&X-Amz-SignedHeaders=host&X-Amz-Security-Token=c&X-Amz-Content-Sha256=e&X-Amz-Region-Set=f&X-Amz-Signature=d"
    let route = try RoutingTests.router.route(form: [], head("GET", presigned))
    #expect(throws: Never.self) { _ = try GetCallerIdentity.input(route, []) }
    let signed = head("POST", "/?X-Amz-Signature=d", form)
    #expect(try RoutingTests.router.route(form: body, signed).declaration.name == "GetCallerIdentity")
  }

  @Test(arguments: [
    ("Action=GetCallerIdentity&Action=GetCallerIdentity&Version=2011-06-15", "request_malformed"),
    ("Action=GetCallerIdentity&Version=2011-06-15&Version=2011-06-15", "request_malformed"),
    ("Action=GetCallerIdentity&Version=2011-06-15&a=1&a=1", "request_malformed"),
    ("Action=GetCallerIdentity&Version=2011-06-15&a=%", "request_malformed"),
    ("Action=GetCallerIdentity", "operation_unknown"), ("Action=&Version=2011-06-15", "operation_unknown"),
    ("Action=GetId&Version=2011-06-15", "operation_unknown"),
    (
      "Action=GetCallerIdentity&Version=2011-06-15&a=" + String(repeating: "a", count: 16_384),
      "request_malformed"
    ),
    ("Action=a&" + (0..<100).map { "a\($0)=1" }.joined(separator: "&"), "request_malformed"),
  ])
  func refusedQueries(_ query: String, _ code: String) throws {
    let head = head("POST", "/?" + query)
    #expect(try RoutingTests.router.route(head) == nil)
    #expect(
      refusal { () throws(OperationError) in try RoutingTests.router.route(form: [], head) }?.codeText == code
    )
  }

  /// A request that has no `Action`, another method or another path is no call of the query protocol.
  @Test(arguments: [
    ("GET", "/"), ("GET", "/?"), ("GET", "/?action=GetCallerIdentity"), ("GET", "/?a=Action=b"),
    ("HEAD", "/?Action=GetCallerIdentity"), ("PUT", "/?Action=GetCallerIdentity"),
    ("GET", "/a?Action=GetCallerIdentity"), ("GET", "//?Action=GetCallerIdentity"),
    ("get", "/?Action=GetCallerIdentity"), ("POST", "/?XAction=GetCallerIdentity"),
  ])
  func otherQueries(_ method: String, _ target: String) {
    #expect(!RoutingTests.router.hasAction(method: method, target: target))
    #expect(
      refusal { () throws(OperationError) in try RoutingTests.router.route(head(method, target)) }?.code
        == .operationUnknown)
  }
}
