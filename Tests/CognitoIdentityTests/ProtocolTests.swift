internal import CognitoIdentity
internal import JOSE
internal import Testing

/// The protocols: JSON 1.1 of identity pools, and forms and XML of STS.
@Suite struct ProtocolTests {
  static let bodies: [(IdentityPoolService.Operation, String, String)] = [
    (.describeIdentityPool, "", "member_missing"),
    (.describeIdentityPool, "{", "request_malformed"),
    (.describeIdentityPool, "[]", "request_malformed"),
    (.describeIdentityPool, "{\"IdentityPoolId\":\"a\",\"IdentityPoolId\":\"b\"}", "request_malformed"),
    (.describeIdentityPool, "{\"IdentityPoolId\":5}", "member_type"),
    (.describeIdentityPool, "{\"IdentityPoolId\":null}", "member_missing"),
    (.describeIdentityPool, "{\"IdentityPoolId\":\"\"}", "member_length"),
    (.describeIdentityPool, "{\"IdentityPoolId\":\"no colon\"}", "member_pattern"),
    (.describeIdentityPool, "{\"IdentityPoolId\":\"us-east-1:xyz\"}", "member_pattern"),
    (.describeIdentityPool, "{\"IdentityPoolId\":\":00\"}", "member_pattern"),
    (.describeIdentityPool, "{\"IdentityPoolId\":\"a:0:0\"}", "member_pattern"),
    (.describeIdentityPool, "{\"IdentityPoolId\":\"us-east-1:00\"}", "pool_unknown"),
    (.listIdentityPools, "{\"MaxResults\":0}", "member_range"),
    (.listIdentityPools, "{\"MaxResults\":61}", "member_range"),
    (.listIdentityPools, "{\"MaxResults\":1.5}", "member_type"),
    (.listIdentityPools, "{\"MaxResults\":1,\"NextToken\":\"\"}", "member_length"),
    (.listIdentityPools, "{\"MaxResults\":1,\"NextToken\":\"a b\"}", "member_pattern"),
    (.listIdentityPools, "{\"MaxResults\":1,\"NextToken\":\"AAAA\"}", "next_token_invalid"),
    (.listIdentityPools, "{\"MaxResults\":60}", ""),
    (.createIdentityPool, "{\"IdentityPoolName\":\"n\"}", "member_missing"),
    (
      .createIdentityPool,
      "{\"IdentityPoolName\":\"n\",\"AllowUnauthenticatedIdentities\":true,\"DeveloperProviderName\":\"accounts.google.com\"}",
      "member_refused"
    ),
    (
      .createIdentityPool,
      "{\"IdentityPoolName\":\"n\",\"AllowUnauthenticatedIdentities\":true,\"CognitoIdentityProviders\":[{\"ProviderName\":\"cognito-idp.us-east-1.amazonaws.com/us-east-1_A\",\"ClientId\":\"c\",\"ServerSideTokenCheck\":true}]}",
      "member_refused"
    ),
    (
      .createIdentityPool,
      "{\"IdentityPoolName\":\"n\",\"AllowUnauthenticatedIdentities\":true,\"OpenIdConnectProviderARNs\":[\"arn:aws:iam::123456789012:saml-provider/x\"]}",
      "member_pattern"
    ),
    (
      .getOpenIDTokenForDeveloperIdentity, "{\"IdentityPoolId\":\"us-east-1:00\",\"Logins\":{\"a\":5}}",
      "member_type"
    ),
    (
      .setIdentityPoolRoles,
      "{\"IdentityPoolId\":\"us-east-1:00\",\"Roles\":{\"admins\":\"arn:aws:iam::123456789012:role/x\"}}",
      "member_pattern"
    ),
    (
      .setIdentityPoolRoles,
      "{\"IdentityPoolId\":\"us-east-1:00\",\"Roles\":{},\"RoleMappings\":{\"x\":{\"Type\":\"Rules\"}}}",
      "member_refused"
    ),
    (
      .setIdentityPoolRoles,
      "{\"IdentityPoolId\":\"us-east-1:00\",\"Roles\":{},\"RoleMappings\":{\"x\":{\"Type\":\"Perhaps\"}}}",
      "member_refused"
    ),
    (.unlinkIdentity, "{\"IdentityId\":\"us-east-1:00\",\"LoginsToRemove\":[\"x\"]}", "member_missing"),
    (
      .tagResource,
      "{\"ResourceArn\":\"arn:aws:cognito-identity:us-east-1:1:identitypool/us-east-1:00\",\"Tags\":{}}",
      "pool_unknown"
    ),
    (.tagResource, "{\"ResourceArn\":\"arn:aws:something-else:us-east-1:1\",\"Tags\":{}}", "member_pattern"),
  ]

  @Test(arguments: bodies)
  func requestsAreJudgedByTheModel(
    _ operation: IdentityPoolService.Operation, _ body: String, _ expected: String
  ) async throws {
    let service = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    let found = await code { _ = try await service.respond(to: operation, Array(body.utf8), at: Fixture.now) }
    #expect(found == expected)
  }

  @Test(arguments: [
    ("AWSCognitoIdentityService.GetId", true), ("AWSCognitoIdentityService.getId", false), ("GetId", false),
    ("", false),
    ("AWSCognitoIdentityService.", false),
  ])
  func targets(_ target: String, _ isOne: Bool) {
    #expect(((try? IdentityPoolService.Operation(target: target)) != nil) == isOne)
  }

  @Test func fourCallsAreOpenToAnybody() {
    let open = IdentityPoolService.Operation.allCases.filter { !$0.needsSignature }.map(\.name)
    #expect(open == ["GetCredentialsForIdentity", "GetId", "GetOpenIdToken", "UnlinkIdentity"])
  }

  @Test func refusalsTellNothingOfTheHouse() {
    let body = String(
      decoding: IdentityPoolService.errorResponse(.storeFailed("SQLite 11: /var/lib")), as: UTF8.self)
    #expect(
      body
        == #"{"__type":"InternalErrorException","message":"An internal error occurred.","code":"store_failed"}"#
    )
    let xml = SecurityTokenProtocol.errorResponse(.parameterMissing("<a>&\"\u{1}"), requestID: "r")
    #expect(xml.status == 400)
    #expect(
      String(decoding: xml.body, as: UTF8.self)
        == "<ErrorResponse xmlns=\"https://sts.amazonaws.com/doc/2011-06-15/\"><Error><Type>Sender</Type><Code>ValidationError</Code>"
        + "<Message>&lt;a&gt;&amp;&quot;\u{FFFD} must be given</Message></Error><RequestId>r</RequestId></ErrorResponse>"
    )
  }

  static let forms: [(String, String)] = [
    ("", "operation_unknown"), ("Action=X&Version=2011-06-15", "operation_unknown"),
    ("Action=GetCallerIdentity", "member_refused"), ("Action=GetCallerIdentity&Version=2011-06-15", ""),
    ("Action=GetCallerIdentity&Action=GetCallerIdentity&Version=2011-06-15", "request_malformed"),
    ("Action=%GG", "request_malformed"), ("=x", "request_malformed"), ("Action=%ff", "request_malformed"),
    ("&", "request_malformed"),
    (String((0..<101).map { "a\($0)=1" }.joined(separator: "&")), "request_malformed"),
  ]

  @Test(arguments: forms)
  func formsAreReadStrictly(_ form: String, _ expected: String) async {
    #expect(await code { _ = try SecurityTokenProtocol.Request(Array(form.utf8)) } == expected)
  }

  static let roleForms: [(String, String)] = [
    ("", "member_missing"), ("&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Fx", "member_missing"),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&Policy=%7B%7D", "member_refused"),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&PolicyArns.member.1.arn=x", "member_refused"),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&ProviderId=www.amazon.com", "member_refused"),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&DurationSeconds=+900", "member_type"),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&DurationSeconds=1e3", "member_type"),
    ("&RoleArn=a&RoleSessionName=me&WebIdentityToken=x&DurationSeconds=900", "member_length"),
  ]

  @Test(arguments: roleForms)
  func whatWouldChangeTheSessionIsRefused(_ more: String, _ expected: String) async throws {
    let service = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    let form = "Action=AssumeRoleWithWebIdentity&Version=2011-06-15" + more
    let found = await code {
      _ = try await SecurityTokenProtocol(service).assumeRole(
        SecurityTokenProtocol.Request(Array(form.utf8)), requestID: "r", at: Fixture.now)
    }
    #expect(found == expected)
  }

  @Test func poolsAreBounded() async throws {
    let service = IdentityPoolService(
      store: try MemoryRecordStore(tables: IdentityTables.all),
      sealing: try SealingKeys(master: .random(count: 32)),
      logins: LoginVerifier(), settings: .init(poolLimit: 2))
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
