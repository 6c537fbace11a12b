@testable internal import CognitoIdentity
internal import Records
internal import Testing

/// Calls with credentials of an identity whose role has policies.
@Suite struct RolePolicyCallTests {
  private typealias Policies = PermissionPolicyTests

  /// A user with credentials, who signed in from a token with a tag.
  private static func session(
    _ f: Fixture, _ tags: NameMap<String> = [:]
  ) async throws -> SessionTokens.Session {
    let issued = try await f.service.issueDeveloperToken(
      poolID: f.pool.id, logins: [Fixture.developer: "jane"], tags: tags, at: Fixture.now)
    let credentials = try await f.service.issueCredentials(
      for: issued.identityID, logins: [CredentialsTests.tokenName: issued.token], at: Fixture.now)
    let session = credentials.session
    return try #require(session)
  }

  private static func call(
    _ operation: String, _ body: [UInt8] = Array("{}".utf8), _ session: SessionTokens.Session, _ f: Fixture,
    from address: String? = nil, at now: Timestamp = Fixture.now
  ) async throws(IdentityError) {
    guard let route = try IdentityPoolService.route(operation) else { return }
    let context = IdentityPoolOperations.Context(caller: .session(session), at: now, from: address)
    _ = try await IdentityPoolOperations(f.service).call(route, body, in: context)
      .respond(context, requestID: "r")
  }

  private static let list = Array(#"{"MaxResults": 1}"#.utf8)

  /// The operations without a resource, as AWS lists them.
  private static let withoutResource = [
    "CreateIdentityPool", "DeleteIdentities", "DescribeIdentity", "ListIdentityPools",
  ]

  @Test(arguments: AccessKeyScopeTests.signed)
  func everyOperationNeedsItsActionAndResource(_ operation: String) async throws {
    let f = try await Fixture(.memory)
    let session = try await Self.session(f)
    let body = AccessKeyScopeTests.body(operation, f.pool.id, session.identityID)
    func code() async -> String {
      await CognitoIdentityTests.code { try await Self.call(operation, body, session, f) }
    }
    #expect(await code() == "caller_forbidden")
    let pool = "arn:aws:cognito-identity:us-east-1:123456789012:identitypool/\(f.pool.id)"
    let hasResource = !Self.withoutResource.contains(operation)
    for (action, resource, isAllowed) in [
      (operation, hasResource ? pool : "*", true), (operation, "*", true), (operation + "x", "*", false),
      (operation, hasResource ? pool + "x" : pool, false),
    ] {
      try await Policies.put(Policies.allow("cognito-identity:\(action)", resource), in: f)
      // What an operation refuses afterwards is another code.
      let refused = await code() == "role_policy_refused"
      #expect(refused != isAllowed, "\(action) \(resource)")
      if isAllowed, operation.hasPrefix("Delete") { return }
    }
    try await Policies.put(
      Policies.allow("*"), Policies.allow("cognito-identity:\(operation)").replacing("Allow", with: "Deny"),
      in: f)
    #expect(await code() == "role_policy_refused")
  }

  /// The refusal of a call by policies; nil for one that is allowed or refused otherwise.
  private static func refusal(
    _ session: SessionTokens.Session, _ f: Fixture, from address: String? = nil
  ) async -> PolicyRefusal? {
    do throws(IdentityError) {
      try await call("ListIdentityPools", list, session, f, from: address)
      return nil
    } catch {
      guard case .policyRefused(let refusal) = error else { return nil }
      return refusal
    }
  }

  /// What the caller gets, and what the log gets.
  @Test func refusalsSayWhoAndWhat() async throws {
    let f = try await Fixture(.memory)
    let session = try await Self.session(f)
    try await Policies.put(
      Policies.allow(
        "cognito-identity:ListIdentityPools", "*", #""IpAddress": {"aws:SourceIp": "203.0.113.0/24"}"#),
      in: f)
    let refusal = try #require(await Self.refusal(session, f, from: "198.51.100.1"))
    let error = IdentityError.policyRefused(refusal)
    #expect(
      error.publicMessage
        == "User: arn:aws:sts::123456789012:assumed-role/app-user/CognitoIdentityCredentials "
        + "is not authorized to perform: cognito-identity:ListIdentityPools on resource: *")
    #expect(error.type == "AccessDeniedException" && error.status == 400)
    #expect(error.codeText == "role_policy_refused")
    #expect(refusal.reason == "access_not_allowed_by_identity")
    #expect(
      refusal.explanation
        == "no identity policy allows cognito-identity:ListIdentityPools on *; "
        + #"statement 1 of the identity policy "p0": IpAddress aws:SourceIp "203.0.113.0/24" [access_condition_mismatch]"#
    )
    #expect(error.description == "\(error.publicMessage): \(refusal.explanation)")
    try await Policies.put(
      Policies.allow("*"), Policies.allow("*").replacing("Allow", with: "Deny"), in: f)
    let denied = try #require(await Self.refusal(session, f))
    #expect(denied.reason == "access_denied_by_statement")
    #expect(denied.explanation.hasSuffix(#"is denied by statement 1 of the identity policy "p1""#))
  }

  static let conditions: [(String, Bool)] = [
    (#""StringEquals": {"cognito-identity.amazonaws.com:sub": "IDENTITY"}"#, true),
    (#""StringEquals": {"cognito-identity.amazonaws.com:sub": "other"}"#, false),
    (#""StringEquals": {"cognito-identity.amazonaws.com:aud": "POOL"}"#, true),
    (#""ForAnyValue:StringEquals": {"cognito-identity.amazonaws.com:amr": "authenticated"}"#, true),
    (#""ForAnyValue:StringLike": {"cognito-identity.amazonaws.com:amr": "login.my.app:*"}"#, true),
    (#""ForAnyValue:StringEquals": {"cognito-identity.amazonaws.com:amr": "unauthenticated"}"#, false),
    (#""StringEquals": {"aws:PrincipalTag/team": "blue"}"#, true),
    (#""StringEquals": {"aws:PrincipalTag/Team": "${aws:PrincipalTag/TEAM}"}"#, true),
    (#""StringEquals": {"aws:PrincipalTag/team": "red"}"#, false),
    (#""StringEquals": {"aws:PrincipalTag/twice": "a"}"#, false),
    (#""IpAddress": {"aws:SourceIp": "203.0.113.0/24"}"#, true),
    (#""IpAddress": {"aws:SourceIp": "198.51.100.0/24"}"#, false),
    (#""DateGreaterThan": {"aws:CurrentTime": "2027-01-15T07:59:59Z"}"#, true),
    (#""DateGreaterThan": {"aws:CurrentTime": "2027-01-15T08:00:00Z"}"#, false),
    (#""NumericEquals": {"aws:EpochTime": "1800000000"}"#, true),
    (#""StringEquals": {"aws:userid": "IDENTITY:CognitoIdentityCredentials"}"#, true),
    (#""ArnEquals": {"aws:PrincipalArn": "arn:aws:iam::123456789012:role/app-user"}"#, true),
    (#""StringEquals": {"aws:PrincipalAccount": "123456789012"}"#, true),
    (#""StringEquals": {"aws:PrincipalType": "AssumedRole"}"#, true),
    (#""StringEquals": {"aws:FederatedProvider": "cognito-identity.amazonaws.com"}"#, true),
    (#""StringEquals": {"aws:RequestedRegion": "us-east-1"}"#, true),
    (#""StringEquals": {"aws:username": "jane"}"#, false), (#""Null": {"aws:username": "true"}"#, true),
  ]

  @Test(arguments: conditions)
  func conditionKeys(_ condition: String, _ isMet: Bool) async throws {
    let f = try await Fixture(.memory)
    let session = try await Self.session(f, ["team": "blue", "twice": "a", "TWICE": "b"])
    let text = condition.replacing("IDENTITY", with: session.identityID).replacing("POOL", with: f.pool.id)
    try await Policies.put(Policies.allow("cognito-identity:*", "*", text), in: f)
    let found = await code {
      try await Self.call(
        "ListIdentityPools", Self.list, session, f, from: "203.0.113.7")
    }
    #expect(found == (isMet ? "" : "role_policy_refused"))
  }

  /// Without an address, a policy that needs one allows nothing.
  @Test func anUnknownAddress() async throws {
    let f = try await Fixture(.memory)
    let session = try await Self.session(f)
    try await Policies.put(
      Policies.allow("*", "*", #""IpAddress": {"aws:SourceIp": "0.0.0.0/0"}"#), in: f)
    #expect(
      await code { try await Self.call("ListIdentityPools", Self.list, session, f) } == "role_policy_refused")
    try await Self.call("ListIdentityPools", Self.list, session, f, from: "192.0.2.1")
  }

  /// The role counts as it is now: policies that were put, a row that cannot be loaded, and a role that was removed.
  @Test(arguments: Fixture.Kind.allCases)
  func theRoleAsItIsNow(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let session = try await Self.session(f)
    func code() async -> String {
      await CognitoIdentityTests.code { try await Self.call("ListIdentityPools", Self.list, session, f) }
    }
    #expect(await code() == "caller_forbidden")
    try await Policies.put(Policies.allow("cognito-identity:List*"), in: f)
    #expect(await code() == "")
    let start = #"{"arn":"\#(Fixture.role)","trustPolicy":"{}","longestSession":3600"#
    let row = Array(#"\#(start),"policies":[{"name":"a","document":"{}"}]}"#.utf8)
    let damaged = try #require(StoredRole.encoding.decode(row, 2))
    try await f.store.write { rows throws(IdentityError) in try rows.put(damaged, in: IdentityTables.roles) }
    #expect(await code() == "role_policy_refused")
    try await f.store.write { rows throws(IdentityError) in try rows.removeRole(Fixture.role) }
    #expect(await code() == "caller_forbidden")
    // Anyone may ask who it is, whatever policies say.
    let form = Array("Action=GetCallerIdentity&Version=2011-06-15".utf8)
    let route = try IdentityPoolService.router.route(form: form)
    let context = IdentityPoolOperations.Context(caller: .session(session), at: Fixture.now)
    let call = try await IdentityPoolOperations(f.service).call(route, form, in: context)
    let response = try await call.respond(context, requestID: "r").response
    #expect(
      String(decoding: response.body, as: UTF8.self).contains("<UserId>\(session.userID)</UserId>"))
  }

  /// Methods are in the sealed token, and old tokens have none. Long ones do not make it too long.
  @Test func methodsOfSessions() async throws {
    let f = try await Fixture(.memory)
    func opened(_ methods: [String]) throws -> (methods: [String], size: Int) {
      let session = SessionTokens.Session(
        roleARN: Fixture.role, name: "s", identityID: "us-east-1:1", poolID: f.pool.id, tags: [:],
        methods: methods)
      let issued = try f.service.sessions.issue(session, lifetime: .seconds(900), at: Fixture.now)
      let found = try f.service.sessions.open(issued.sessionToken, of: issued.accessKeyID, at: Fixture.now)
      return (try #require(found.session).methods, issued.sessionToken.utf8.count)
    }
    #expect(try opened([]).methods == [])
    #expect(try opened(["authenticated", "a", "a:b"]).methods == ["authenticated", "a", "a:b"])
    let long = ["authenticated"] + (0..<20).flatMap { ["p\($0)", String(repeating: "u", count: 1_000)] }
    let found = try opened(long)
    #expect(found.methods.contains("authenticated") && found.methods.contains("p19") && found.size < 4_096)
  }
}
