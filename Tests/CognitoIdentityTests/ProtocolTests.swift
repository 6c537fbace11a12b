internal import CognitoIdentity
internal import JOSE
internal import ServiceOperations
internal import SigningKeyTesting
internal import Testing

/// The protocols: JSON 1.1 of identity pools, and forms and XML of STS.
@Suite struct ProtocolTests {
  static let bodies: [(String, String, String)] = [
    ("DescribeIdentityPool", "", "member_missing"),
    ("DescribeIdentityPool", "{", "request_malformed"),
    ("DescribeIdentityPool", "[]", "request_malformed"),
    ("DescribeIdentityPool", "{\"IdentityPoolId\":\"a\",\"IdentityPoolId\":\"b\"}", "request_malformed"),
    ("DescribeIdentityPool", "{\"IdentityPoolId\":5}", "member_type"),
    ("DescribeIdentityPool", "{\"IdentityPoolId\":null}", "member_missing"),
    ("DescribeIdentityPool", "{\"IdentityPoolId\":\"\"}", "member_length"),
    ("DescribeIdentityPool", "{\"IdentityPoolId\":\"no colon\"}", "member_pattern"),
    ("DescribeIdentityPool", "{\"IdentityPoolId\":\"us-east-1:xyz\"}", "member_pattern"),
    ("DescribeIdentityPool", "{\"IdentityPoolId\":\":00\"}", "member_pattern"),
    ("DescribeIdentityPool", "{\"IdentityPoolId\":\"a:0:0\"}", "member_pattern"),
    ("DescribeIdentityPool", "{\"IdentityPoolId\":\"us-east-1:00\"}", "pool_unknown"),
    ("ListIdentityPools", "{\"MaxResults\":0}", "member_range"),
    ("ListIdentityPools", "{\"MaxResults\":61}", "member_range"),
    ("ListIdentityPools", "{\"MaxResults\":1.5}", "member_type"),
    ("ListIdentityPools", "{\"MaxResults\":1,\"NextToken\":\"\"}", "member_length"),
    ("ListIdentityPools", "{\"MaxResults\":1,\"NextToken\":\"a b\"}", "member_pattern"),
    ("ListIdentityPools", "{\"MaxResults\":1,\"NextToken\":\"AAAA\"}", "next_token_invalid"),
    ("ListIdentityPools", "{\"MaxResults\":60}", ""),
    ("CreateIdentityPool", "{\"IdentityPoolName\":\"n\"}", "member_missing"),
    (
      "CreateIdentityPool",
      "{\"IdentityPoolName\":\"n\",\"AllowUnauthenticatedIdentities\":true,\"DeveloperProviderName\":\"accounts.google.com\"}",
      "member_refused"
    ),
    (
      "CreateIdentityPool",
      "{\"IdentityPoolName\":\"n\",\"AllowUnauthenticatedIdentities\":true,\"CognitoIdentityProviders\":[{\"ProviderName\":\"cognito-idp.us-east-1.amazonaws.com/us-east-1_A\",\"ClientId\":\"c\",\"ServerSideTokenCheck\":true}]}",
      "member_refused"
    ),
    (
      "CreateIdentityPool",
      "{\"IdentityPoolName\":\"n\",\"AllowUnauthenticatedIdentities\":true,\"OpenIdConnectProviderARNs\":[\"arn:aws:iam::123456789012:saml-provider/x\"]}",
      "member_pattern"
    ),
    (
      "GetOpenIdTokenForDeveloperIdentity", "{\"IdentityPoolId\":\"us-east-1:00\",\"Logins\":{\"a\":5}}",
      "member_type"
    ),
    (
      "SetIdentityPoolRoles",
      "{\"IdentityPoolId\":\"us-east-1:00\",\"Roles\":{\"admins\":\"arn:aws:iam::123456789012:role/x\"}}",
      "member_pattern"
    ),
    (
      "SetIdentityPoolRoles",
      "{\"IdentityPoolId\":\"us-east-1:00\",\"Roles\":{},\"RoleMappings\":{\"x\":{\"Type\":\"Rules\"}}}",
      "member_refused"
    ),
    (
      "SetIdentityPoolRoles",
      "{\"IdentityPoolId\":\"us-east-1:00\",\"Roles\":{},\"RoleMappings\":{\"x\":{\"Type\":\"Perhaps\"}}}",
      "member_choice"
    ),
    ("UnlinkIdentity", "{\"IdentityId\":\"us-east-1:00\",\"LoginsToRemove\":[\"x\"]}", "member_missing"),
    (
      "TagResource",
      "{\"ResourceArn\":\"arn:aws:cognito-identity:us-east-1:1:identitypool/us-east-1:00\",\"Tags\":{}}",
      "pool_unknown"
    ),
    ("TagResource", "{\"ResourceArn\":\"arn:aws:something-else:us-east-1:1\",\"Tags\":{}}", "member_pattern"),
  ]

  @Test(arguments: bodies)
  func requestsAreJudgedByTheModel(
    _ operation: String, _ body: String, _ expected: String
  ) async throws {
    let service = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    let found = await code { try await service.call(operation, body) }
    #expect(found == expected)
  }

  @Test(arguments: ["GetId", "getId", ""])
  func targets(_ name: String) {
    #expect(((try? IdentityPoolService.route(name)) != nil) == (name == "GetId"))
  }

  @Test func fourCallsAreOpenToAnybody() {
    let open = identityPools.operations.filter { $0.declaration.access == .anyone }
      .map { $0.declaration.name.text }
    #expect(open.sorted() == ["GetCredentialsForIdentity", "GetId", "GetOpenIdToken", "UnlinkIdentity"])
  }

  /// Reading operations change nothing; all others name what they change.
  @Test func changesAreDeclared() {
    for operation in identityPools.operations {
      let declaration = operation.declaration
      let changes =
        switch declaration.access {
        case .signed(let signature): signature.developer != .reading
        default: true
        }
      #expect((declaration.changes?.isEmpty == false) == changes, "\(declaration.name)")
    }
    // Credentials for callers who sign are in audit logs; those of users and guests are too many.
    let silent = (securityTokenService.operations + signingKeyService.operations).filter {
      $0.declaration.changes == nil
    }
    #expect(
      silent.map { $0.declaration.name.text }
        == ["AssumeRoleWithWebIdentity", "GetCallerIdentity", "GetScopedSigningKey"])
  }

  /// Every operation of both services has a handler.
  @Test func everyOperationIsBuilt() async throws {
    let service = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    for operation in identityPools.operations {
      let name = operation.declaration.name.text
      #expect(await code { try await service.call(name, "[") } == "request_malformed", "\(name)")
    }
    for operation in securityTokenService.operations {
      let form = "Action=\(operation.declaration.name)&Version=2011-06-15"
      #expect(await code { try await service.call(form: form) } != "operation_not_built")
    }
  }

  /// The members that an output names as changed are ids of the pool and the identity.
  @Test func whatWasChangedIsNamed() async throws {
    let f = try await Fixture(.memory)
    let route = try #require(try IdentityPoolService.route("GetId"))
    let call = try await IdentityPoolOperations(f.service).call(
      route, Array(#"{"IdentityPoolId": "\#(f.pool.id)"}"#.utf8), by: .unsigned)
    #expect(call.changed.map(\.texts) == [[f.pool.id]])
    let outcome = try await call.respond(.init(caller: .unsigned, at: Fixture.now), requestID: "r")
    let made = try #require(outcome.changed.first)
    #expect(made.name == "IdentityId" && outcome.changed.count == 1)
    #expect(
      made.texts == [try await f.service.listIdentities(inPool: f.pool.id, size: 1).elements[0].identity.id])
  }

  @Test func refusalsTellNothingOfTheHouse() {
    let body = EncodedResponse(
      IdentityError.storeFailed("SQLite 11: /var/lib"), identityPools.binding, requestID: "r")
    #expect(
      String(decoding: body.body, as: UTF8.self)
        == #"{"__type":"InternalErrorException","message":"An internal error occurred.","code":"store_failed"}"#
    )
    #expect(body.status == 500)
    let xml = EncodedResponse(
      IdentityError.parameterRefused("<a>&\"\u{1}", rule: "no"), securityTokenService.binding, requestID: "r")
    #expect(xml.status == 400)
    #expect(
      String(decoding: xml.body, as: UTF8.self)
        == "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Type>Sender</Type><Code>ValidationError</Code>"
        + "<Message>&lt;a&gt;&amp;&quot;\u{FFFD}: no</Message></Error><RequestId>r</RequestId></ErrorResponse>"
    )
  }

  /// All violations of a request are in one message.
  @Test func violationsAreReportedAtOnce() async throws {
    let service = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    do throws(IdentityError) {
      try await service.call("ListIdentities", #"{"IdentityPoolId": "no colon", "MaxResults": 61}"#)
      Issue.record("accepted")
    } catch {
      #expect(error.codeText == "members_invalid" && error.type == "ValidationException")
      #expect(
        error.publicMessage
          == "2 validation errors detected: Value 'no colon' at 'identityPoolId' failed to satisfy constraint: "
          + #"Member must satisfy regular expression pattern: [\w-]+:[0-9a-f-]+; "#
          + "Value '61' at 'maxResults' failed to satisfy constraint: "
          + "Member must have value less than or equal to 60")
    }
  }

  static let forms: [(String, String)] = [
    ("", "operation_unknown"), ("Action=X&Version=2011-06-15", "operation_unknown"),
    ("Action=GetCallerIdentity", "operation_unknown"), ("Action=GetCallerIdentity&Version=2011-06-15", ""),
    ("Action=GetCallerIdentity&Action=GetCallerIdentity&Version=2011-06-15", "request_malformed"),
    ("Action=%GG", "request_malformed"), ("=x", "request_malformed"), ("Action=%ff", "request_malformed"),
    ("&", "request_malformed"),
    (String((0..<101).map { "a\($0)=1" }.joined(separator: "&")), "request_malformed"),
  ]

  @Test(arguments: forms)
  func formsAreReadStrictly(_ form: String, _ expected: String) async throws {
    let service = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    #expect(await code { try await service.call(form: form) } == expected)
  }

  static let roleForms: [(String, String)] = [
    ("", "member_missing"), ("&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fx", "members_invalid"),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&Policy=", "members_invalid"),
    (
      "&RoleArn=arn:aws:iam::123456789012:role/x&RoleSessionName=me&WebIdentityToken=jwt.x.y&PolicyArns.member.1.arn=x",
      "member_length"
    ),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&ProviderId=www.amazon.com", "member_not_supported"),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&DurationSeconds=+900", "member_type"),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&DurationSeconds=1e3", "member_type"),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&DurationSeconds=900", "member_length"),
    (
      "&RoleArn=arn:aws:iam::123456789012:role/x&RoleSessionName=me&WebIdentityToken=x&DurationSeconds=900",
      "member_length"
    ),
  ]

  @Test(arguments: roleForms)
  func whatWouldChangeTheSessionIsRefused(_ more: String, _ expected: String) async throws {
    let service = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    let form = "Action=AssumeRoleWithWebIdentity&Version=2011-06-15" + more
    #expect(await code { try await service.call(form: form) } == expected)
  }

  @Test func poolsAreBounded() async throws {
    let service = IdentityPoolService(
      store: try MemoryRecordStore(tables: IdentityTables.all),
      sealing: try SealingKeys(master: .random(count: 32)),
      logins: LoginVerifier(), settings: .init(poolLimit: 2), keyMaker: .vectors())
    for name in ["a", "b"] { _ = try await service.createPool(named: name) }
    #expect(await code { _ = try await service.createPool(named: "c") } == "pools_full")
    #expect(await code { _ = try SealingKeys(master: .random(count: 31)) } == "identity_crypto_failed")
  }

  /// A pool's settings are unchanged by the store and by the protocol.
  @Test(arguments: Fixture.Kind.allCases)
  func poolsComeBackAsTheyWere(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    #expect(try await f.service.describePool(f.pool.id) == f.service.listPools(size: 60).elements.first)
    let rule = RoleMapping.Rule(claim: "sub", match: .startsWith, value: "x", roleARN: Fixture.role)
    let mapping = RoleMapping(kind: .rules, ambiguity: .deny, rules: [rule])
    try await f.service.setRoles(["authenticated": Fixture.role], mappings: ["p": mapping], ofPool: f.pool.id)
    _ = try await f.service.setPrincipalTags(
      ["a": "sub"], usesDefaults: true, ofPool: f.pool.id, provider: "p")
    let pool = try await f.service.describePool(f.pool.id)
    #expect(pool.roleMappings == ["p": mapping] && pool.principalTagMaps["p"]?.usesDefaults == true)
    #expect(IdentityPool(storedDocument: pool.storedDocument) == pool)
    #expect(IdentityPool(storedDocument: Array("{}".utf8)) == nil)
  }
}
