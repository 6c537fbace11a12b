internal import ServiceOperations
internal import Testing

/// How requests select operations.
@Suite struct RoutingTests {
  static let router = OperationRouter(identityPools, securityTokenService, sampleRecords, sampleForms)

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

  @Test func targetsSelectOperations() throws {
    for operation in identityPools.operations {
      let name = operation.declaration.name
      let route = try Self.router.route(
        head("POST", "/", [(name: "X-AMZ-TARGET", value: "AWSCognitoIdentityService.\(name)")]))
      #expect(route?.declaration.name == name)
    }
    for target in [
      "AWSCognitoIdentityService.getId", "AWSCognitoIdentityService.GetId ", "GetId", "",
      "AWSCognitoIdentityService.", "AWSCognitoIdentityService.AssumeRoleWithWebIdentity",
    ] {
      let error = refusal { () throws(OperationError) in
        try Self.router.route(head("POST", "/", [(name: "X-Amz-Target", value: target)]))
      }
      #expect(error == .operationUnknown(target))
      #expect(error?.type == "UnknownOperationException")
    }
  }

  @Test func targetsAreSentToTheRoot() throws {
    let target = (name: "X-Amz-Target", value: "AWSCognitoIdentityService.GetId")
    let form = (name: "Content-Type", value: "application/x-www-form-urlencoded")
    #expect(try Self.router.route(head("POST", "/?a=/b", [target]))?.declaration.name == "GetId")
    #expect(try Self.router.route(head("POST", "/?a=/b", [form])) == nil)
    for (method, path) in [
      ("GET", "/"), ("PUT", "/"), ("post", "/"), ("POST", ""), ("POST", "//"), ("POST", "/a"), ("POST", "a"),
      ("POST", "/identitypools/p/identities/i/datasets/d"),
    ] {
      #expect(throws: OperationError.operationUnknown("\(method) \(path)")) {
        _ = try Self.router.route(head(method, path + "?a=1", [target]))
      }
      // Without a target, the method and the path select the operation.
      let route = try? Self.router.route(head(method, path, [form]))
      #expect(route?.declaration.name == (path.utf8.count > 10 ? "UpdateRecords" : nil))
      #expect(
        refusal { () throws(OperationError) in try Self.router.route(head(method, path, [form])) } != nil
          || route != nil)
    }
  }

  @Test(arguments: [
    ("a=1&&b=2", "a field has no name"), ("=a", "a field has no name"), ("&", "a field has no name"),
    ("a=%", "a field is not properly percent-encoded"), ("%zz=1", "a field is not properly percent-encoded"),
    ("a.b.c.d.e.f.g.h.i=1", "the name of a field has more than 8 parts"),
    ("a=1&a=2", "a field is duplicated"), ("a=1&a.b=2", "a field is duplicated"),
    ("Action=a&Action=a", "a field is duplicated"), ("Version=a&Version=b", "a field is duplicated"),
  ])
  func refusedFieldsHaveTheirRule(_ form: String, _ rule: String) {
    #expect(throws: OperationError.serialization(rule: rule)) {
      _ = try Self.router.route(form: Array(form.utf8))
    }
  }

  @Test func formsSelectOperations() throws {
    let form = head(
      "POST", "/", [(name: "content-type", value: "application/x-www-form-urlencoded; charset=utf-8")])
    #expect(try Self.router.route(form) == nil)
    let route = try Self.router.route(form: Array("Version=2011-06-15&Action=GetCallerIdentity".utf8))
    #expect(route.declaration.name == "GetCallerIdentity")
    for (body, code) in [
      ("Action=GetCallerIdentity", "operation_unknown"),
      ("Action=GetCallerIdentity&Version=2020-01-01", "operation_unknown"),
      ("Action=getcalleridentity&Version=2011-06-15", "operation_unknown"),
      ("", "operation_unknown"), ("Action=GetId&Version=2011-06-15", "operation_unknown"),
      ("Action=a&Action=b", "request_malformed"), ("=a", "request_malformed"), ("a=%", "request_malformed"),
      ("a=%ff", "request_malformed"), ("a=1&a=2", "request_malformed"), ("a=1&a.b=2", "request_malformed"),
      ("a.b=1&a=2", "request_malformed"), ("a.b.c.d.e.f.g.h.i=1", "request_malformed"),
      ((0..<101).map { "a\($0)=1" }.joined(separator: "&"), "request_malformed"),
    ] {
      let error = refusal { () throws(OperationError) in try Self.router.route(form: Array(body.utf8)) }
      // `a=1&a.b=2`: the first is a text and the second a structure of the same name.
      #expect(error?.codeText == code, "\(body)")
    }
    #expect(
      refusal { () throws(OperationError) in
        try Self.router.route(form: [UInt8](repeating: UInt8(ascii: "&"), count: 1 << 20))
      }?.codeText == "request_malformed")
  }

  @Test func pathsSelectOperations() throws {
    let path = "/identitypools/eu-west-1%3Aab/identities/x%3A1/datasets"
    let route = try #require(try Self.router.route(head("POST", path + "/a.b")))
    #expect(route.declaration.name == "UpdateRecords")
    #expect(route.label("IdentityPoolId") == "eu-west-1:ab" && route.label("DatasetName") == "a.b")
    #expect(route.label("Other") == nil)
    let list = try #require(try Self.router.route(head("GET", path + "/d/records?lastSyncCount=1")))
    #expect(list.declaration.name == "ListRecords")
    for (method, target) in [
      ("GET", path + "/a"), ("post", path + "/a"), ("POST", path + "/a/"), ("POST", path + "/"),
      ("POST", "/" + path + "/a"), ("POST", "/identitypools//identities/x/datasets/a"), ("POST", "/"),
      ("POST", ""), ("DELETE", path + "/a/records"), ("POST", path.uppercased() + "/a"),
      ("POST", "/identitypools/a%2Fidentities/x/datasets/a"),
    ] {
      let error = refusal { () throws(OperationError) in try Self.router.route(head(method, target)) }
      #expect(error?.code == .operationUnknown, "\(method) \(target)")
      #expect(error?.reported(in: .rest).status == 404)
    }
  }

  @Test func labelsAreDecodedOnce() throws {
    func label(_ text: String) throws(OperationError) -> String? {
      try Self.router.route(head("POST", "/identitypools/p/identities/i/datasets/\(text)"))?
        .label("DatasetName")
    }
    #expect(try label("%252e") == "%2e")
    #expect(try label("a%2Fb") == "a/b")
    #expect(try label("a+b") == "a+b")
    #expect(throws: OperationError.serialization(rule: "a label of the path is a dot segment")) {
      _ = try label("..")
    }
    #expect(try label("%00") == "\0")
    for text in ["%", "%4", "%zz", "%ff", "%c0%80", "%ed%a0%80"] {
      #expect(throws: OperationError.self, "\(text)") { _ = try label(text) }
    }
    let long = String(repeating: "a", count: OperationRouter.targetLimit)
    #expect(throws: OperationError.self) { _ = try label(long) }
  }

  @Test func labelsAreValidated() throws {
    let request = EncodedRequest(
      method: "POST", target: "/identitypools/p%00/identities/i/datasets/a%2Fb?x=1&x=2", headers: [],
      body: Array(#"{"SyncSessionToken":"t","IdentityPoolId":"other"}"#.utf8))
    #expect(throws: OperationError.serialization(rule: "a parameter is duplicated")) {
      _ = try RoundTripTests.input(UpdateRecords.self, request, sampleRecords)
    }
    var single = request
    single.target = "/identitypools/p%00/identities/i/datasets/a%2Fb?x=1"
    do throws(OperationError) {
      _ = try RoundTripTests.input(UpdateRecords.self, single, sampleRecords)
      Issue.record("accepted")
    } catch {
      #expect(
        error.publicMessage
          == #"2 validation errors detected: Value 'p\u{0}' at 'identityPoolId' failed to satisfy constraint:"#
          + #" Member must satisfy regular expression pattern: [\w:-]+; Value 'a/b' at 'dataset"#
          + #"Name' failed to satisfy constraint: Member must satisfy regular expression pattern:"#
          + " [a-zA-Z0-9_.:-]+")
    }
    // A member of the body does not replace a label.
    single.target = "/identitypools/p/identities/i/datasets/d"
    #expect(try RoundTripTests.input(UpdateRecords.self, single, sampleRecords).poolID == "p")
  }

  @Test func parametersHaveTypes() {
    for (query, message) in [
      ("lastSyncCount=a", "STRING_VALUE can not be converted to a Long"),
      ("lastSyncCount=%2B1", "STRING_VALUE can not be converted to a Long"),
      ("lastSyncCount=", "STRING_VALUE can not be converted to a Long"),
    ] {
      let request = EncodedRequest(
        method: "GET", target: "/identitypools/p/identities/i/datasets/d/records?\(query)", headers: [],
        body: [])
      #expect(throws: OperationError.memberType(rule: message)) {
        _ = try RoundTripTests.input(ListRecords.self, request, sampleRecords)
      }
    }
  }

  @Test func unknownMembersOfTheTokenServiceAreRefused() throws {
    let form =
      "Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn:aws:iam::123456789012:role/a"
      + "&RoleSessionName=name&WebIdentityToken=token"
    func read(_ more: String) throws(OperationError) -> AssumeRoleWithWebIdentity.Input {
      let body = Array((form + more).utf8)
      return try AssumeRoleWithWebIdentity.input(try Self.router.route(form: body), body)
    }
    #expect(try read("&DurationSeconds=900").duration == 900)
    for (more, name) in [
      ("&policy=%7B%7D", "policy"), ("&SourceIdentity=jane", "SourceIdentity"),
      ("&ProviderId=www.amazon.com", "ProviderId"), ("&policy=", "policy"),
    ] {
      #expect(throws: OperationError.memberUnknown(name)) { _ = try read(more) }
    }
    #expect(throws: OperationError.memberType(rule: "STRING_VALUE can not be converted to an Integer")) {
      _ = try read("&DurationSeconds=900.0")
    }
  }

  @Test func metricLabelsAreTheDeclaredNames() throws {
    let labels = Self.router.metricLabels
    #expect(labels.count == 1 + 23 + 2 + 4 + 1)
    #expect(labels.first == "unknown" && Set(labels.map { ExactString($0) }).count == labels.count)
    let other = ServiceDeclaration(
      "Other", signingName: "other", .json(targetPrefix: "Other"), [GetID.self, SignUp.self])
    let shared = OperationRouter(identityPools, other)
    #expect(shared.metricLabels.count == 1 + 23 + 2)
    #expect(Set(shared.metricLabels).count == shared.metricLabels.count)
    for (target, label) in [
      ("AWSCognitoIdentityService.GetId", "GetId"), ("Other.GetId", "other.GetId"),
      ("Other.SignUp", "SignUp"), ("AWSCognitoIdentityService.DescribeIdentity", "DescribeIdentity"),
    ] {
      let route = try shared.route(head("POST", "/", [(name: "X-Amz-Target", value: target)]))
      #expect(route?.metricLabel == label && shared.metricLabels.contains(label))
    }
  }
}
