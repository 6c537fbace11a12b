internal import AccessPolicies
@testable internal import CognitoIdentity
internal import Records
internal import Testing
internal import TokenLifetime

/// `AssumeRole` and `GetSessionToken`: who may call them, and what their credentials may do.
@Suite struct AssumedRoleTests {
  private typealias Caller = IdentityPoolOperations.Caller
  private typealias Policies = PermissionPolicyTests

  private static let role = "arn:aws:iam::123456789012:role/admin"
  private static let chained = "arn:aws:iam::123456789012:role/chained"
  private static let root = "arn:aws:iam::123456789012:root"
  private static let user = "arn:aws:iam::123456789012:user/developer"

  private static func trust(
    _ principal: String, _ actions: [String] = ["sts:AssumeRole"], _ condition: String = "",
    effect: String = "Allow"
  ) -> String {
    let list = actions.map { "\"\($0)\"" }.joined(separator: ", ")
    let more = condition.isEmpty ? "" : #", "Condition": {\#(condition)}"#
    return
      #"{"Version": "2012-10-17", "Statement": [{"Effect": "\#(effect)", "Principal": {"AWS": "\#(principal)"}, "#
      + #""Action": [\#(list)]\#(more)}]}"#
  }

  private static func put(
    _ trust: String, _ f: Fixture, role: String = role,
    policies: [String] = [Policies.allow("cognito-identity:*")]
  ) async throws {
    try await f.service.putRole(
      StoredRole(
        arn: role, trustPolicy: trust, longestSession: .seconds(7_200),
        policies: policies.enumerated().map {
          try PermissionPolicy(name: "p\($0.offset)", document: $0.element)
        }
      ))
  }

  private static func assume(
    _ caller: Caller, _ f: Fixture, role: String = role,
    _ change: (inout IdentityPoolService.RoleRequest) -> Void = { _ in }
  ) async throws(IdentityError) -> SessionTokens.Session {
    var request = IdentityPoolService.RoleRequest(roleARN: role, sessionName: "jane")
    change(&request)
    let issued = try await f.service.assumeRole(
      request, in: .init(caller: caller, at: Fixture.now, from: "203.0.113.7"))
    // As the service opens it.
    let opened = try f.service.sessions.open(issued.sessionToken, of: issued.accessKeyID, at: Fixture.now)
    guard let session = opened.session, session == issued.session else { throw .sessionTokenInvalid }
    return session
  }

  private static func developer(_ scope: AccessKeyScope = .everything) -> Caller {
    .developer(accessKeyID: "AKIAEXAMPLE", scope: scope)
  }

  @Test func trustDecides() async throws {
    let f = try await Fixture(.memory)
    #expect(await code { _ = try await Self.assume(Self.developer(), f) } == "role_policy_refused")
    for (principal, expected) in [
      (Self.root, ""), ("123456789012", ""), (Self.user, ""),
      ("arn:aws:iam::999999999999:root", "role_policy_refused"),
      ("arn:aws:iam::123456789012:user/other", "role_policy_refused"), (Self.chained, "role_policy_refused"),
    ] {
      try await Self.put(Self.trust(principal), f)
      #expect(await code { _ = try await Self.assume(Self.developer(), f) } == expected, "\(principal)")
      #expect(await code { _ = try await Self.assume(.unsigned, f) } == "call_unsigned")
    }
    // Of an identity's token alone.
    #expect(
      await code { _ = try await Self.assume(Self.developer(), f, role: Fixture.role) }
        == "role_policy_refused")
    let denied =
      Self.trust(Self.root).dropLast(2)
      + #", {"Effect": "Deny", "Principal": {"AWS": "\#(Self.user)"}, "Action": "sts:AssumeRole"}]}"#
    try await Self.put(String(denied), f)
    #expect(await code { _ = try await Self.assume(Self.developer(), f) } == "role_policy_refused")
  }

  /// An access key needs its own right, whatever the trust policy says.
  @Test func rightsOfKeys() async throws {
    let f = try await Fixture(.memory)
    let other = try PermissionPolicy(name: "other", document: Policies.allow("cognito-identity:*"))
    let allow = try PermissionPolicy(name: "allow", document: Policies.allow("sts:AssumeRole", Self.role))
    for principal in [Self.root, Self.user] {
      try await Self.put(Self.trust(principal), f)
      for (scope, expected) in [
        (AccessKeyScope.everything, ""), (try AccessKeyScope(capabilities: [.issuing]), ""),
        (try AccessKeyScope(capabilities: [.reading, .administering]), "caller_forbidden"),
        (try AccessKeyScope(pools: [f.pool.id]), "caller_forbidden"),
        (try AccessKeyScope(policies: [other]), "role_policy_refused"),
        (try AccessKeyScope(policies: [other, allow]), ""),
        (try AccessKeyScope(pools: [f.pool.id], policies: [allow]), "caller_forbidden"),
      ] {
        #expect(
          await code { _ = try await Self.assume(Self.developer(scope), f) } == expected,
          "\(principal) \(scope)")
      }
    }
    // One that was removed.
    #expect(
      await code { _ = try await Self.assume(.developer(accessKeyID: "AKIAAAAAAAAAAAAAAAAA"), f) }
        == "caller_forbidden")
  }

  /// Of a session the trust policy may name the role or the session; what it allows the account, the role's policies must
  /// allow as well.
  @Test func chainedRoles() async throws {
    let f = try await Fixture(.memory)
    try await Self.put(Self.trust(Self.root), f)
    let session = Caller.session(try await Self.assume(Self.developer(), f))
    for (principal, expected) in [
      (Self.root, "role_policy_refused"), (Self.role, ""),
      ("arn:aws:sts::123456789012:assumed-role/admin/jane", ""),
      ("arn:aws:sts::123456789012:assumed-role/admin/joe", "role_policy_refused"),
      (Self.user, "role_policy_refused"),
    ] {
      try await Self.put(Self.trust(principal), f, role: Self.chained)
      #expect(
        await code { _ = try await Self.assume(session, f, role: Self.chained) } == expected, "\(principal)")
    }
    try await Self.put(Self.trust(Self.root), f, role: Self.chained)
    try await Self.put(Self.trust(Self.root), f, policies: [Policies.allow("sts:AssumeRole", Self.chained)])
    _ = try await Self.assume(session, f, role: Self.chained)
    // An hour at most.
    for (seconds, expected) in [(3_600, ""), (3_601, "member_range")] as [(Int64, String)] {
      #expect(
        await code {
          _ = try await Self.assume(session, f, role: Self.chained) { $0.duration = .seconds(seconds) }
        }
          == expected)
    }
    for (seconds, expected) in [
      (899, "duration_too_short"), (7_200, ""), (7_201, "member_range"), (43_201, "duration_too_long"),
    ] as [(Int64, String)] {
      let found = await code {
        _ = try await Self.assume(Self.developer(), f) { $0.duration = .seconds(seconds) }
      }
      #expect(found == expected, "\(seconds)")
    }
    // A role without policies: what the trust policy allows the account, nobody else does.
    try await Self.put(Self.trust(Self.root), f, policies: [])
    #expect(
      await code { _ = try await Self.assume(session, f, role: Self.chained) } == "role_policy_refused")
  }

  static let conditions: [(String, String)] = [
    (#""StringEquals": {"sts:ExternalId": "partner"}"#, ""),
    (#""StringEquals": {"sts:ExternalId": "other"}"#, "role_policy_refused"),
    (#""StringLike": {"sts:RoleSessionName": "ja*"}"#, ""),
    (#""StringEquals": {"aws:username": "developer"}"#, ""),
    (#""StringEquals": {"sts:SourceIdentity": "joe"}"#, "role_policy_refused"),
    (#""ArnLike": {"aws:PrincipalArn": "arn:aws:iam::*:user/dev*"}"#, ""),
    (#""StringEquals": {"aws:RequestTag/Team": "blue"}"#, ""),
    (#""StringEquals": {"aws:RequestTag/team": "red"}"#, "role_policy_refused"),
    (#""StringEquals": {"aws:RequestTag/other": "blue"}"#, "role_policy_refused"),
    (#""ForAllValues:StringEquals": {"aws:TagKeys": ["team", "cost"]}"#, ""),
    (#""ForAllValues:StringEquals": {"aws:TagKeys": ["team"]}"#, "role_policy_refused"),
    (#""ForAnyValue:StringEquals": {"aws:TagKeys": ["cost", "x"]}"#, ""),
  ]

  @Test(arguments: conditions)
  func conditionKeys(_ condition: String, _ expected: String) async throws {
    let f = try await Fixture(.memory)
    try await Self.put(Self.trust(Self.root, ["sts:AssumeRole", "sts:TagSession"], condition), f)
    let found = await code {
      _ = try await Self.assume(Self.developer(), f) {
        $0.externalID = "partner"
        $0.tags = ["team": "blue", "cost": "1"]
      }
    }
    #expect(found == expected)
  }

  /// A stored trust policy that cannot be loaded lets nobody assume the role; why is in the log alone.
  @Test func trustPolicyThatCannotBeLoaded() async throws {
    let f = try await Fixture(.memory)
    let role = StoredRole(arn: Self.role, trustPolicy: #"{"Statement": 1}"#)
    try await f.store.write { rows throws(IdentityError) in try rows.put(role, in: IdentityTables.roles) }
    do {
      _ = try await Self.assume(Self.developer(), f)
      Issue.record("the role was assumed")
    } catch .policyRefused(let refusal) {
      #expect(refusal.reason == "role_unusable" && !refusal.sentence.contains("Statement"))
    }
  }

  /// Tags and a source identity need an action of their own, and are condition keys of the session.
  @Test func tagsAndSourceIdentity() async throws {
    let f = try await Fixture(.memory)
    func assume(_ caller: Caller = Self.developer(), _ source: String? = "joe") async throws(IdentityError)
      -> SessionTokens.Session
    {
      try await Self.assume(caller, f) {
        $0.tags = ["team": "blue"]
        $0.sourceIdentity = source
      }
    }
    for actions in [
      ["sts:AssumeRole"], ["sts:AssumeRole", "sts:TagSession"], ["sts:AssumeRole", "sts:SetSourceIdentity"],
    ] {
      try await Self.put(Self.trust(Self.root, actions), f)
      #expect(await code { _ = try await assume() } == "role_policy_refused")
    }
    let condition = #""StringEquals": {"aws:PrincipalTag/team": "blue", "aws:SourceIdentity": "joe"}"#
    try await Self.put(
      Self.trust(Self.root, ["sts:*"]), f,
      policies: [
        Policies.allow("cognito-identity:ListIdentityPools", "*", condition), Policies.allow("sts:*"),
      ])
    let session = try await assume()
    #expect(session.sourceIdentity == "joe" && session.tags == ["team": "blue"])
    #expect(await Self.list(.session(session), f) == "")
    #expect(
      await Self.list(.session(try await Self.assume(Self.developer(), f)), f) == "role_policy_refused")
    // It stays.
    #expect(try await assume(.session(session), nil).sourceIdentity == "joe")
    #expect(try await assume(.session(session)).sourceIdentity == "joe")
    #expect(await code { _ = try await assume(.session(session), "jane") } == "member_refused")
    for tags in [["a": "1", "A": "2"], ["aws:a": "1"]] as [NameMap<String>] {
      #expect(
        await code { _ = try await Self.assume(Self.developer(), f) { $0.tags = tags } } == "member_refused")
    }
  }

  private static func list(_ caller: Caller, _ f: Fixture) async -> String {
    await code {
      guard let route = try IdentityPoolService.route("ListIdentityPools") else { return }
      let context = IdentityPoolOperations.Context(caller: caller, at: Fixture.now)
      _ = try await IdentityPoolOperations(f.service).call(
        route, Array(#"{"MaxResults": 1}"#.utf8), in: context
      )
      .respond(context, requestID: "r")
    }
  }

  /// A session is limited by managed policies as they are at the time of a call.
  @Test(arguments: Fixture.Kind.allCases)
  func managedPolicies(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let account = "123456789012"
    let arn = "arn:aws:iam::\(account):policy/read"
    try await Self.put(Self.trust(Self.root), f)
    func put(_ document: String) async throws {
      let policy = try PermissionPolicy(name: "read", document: document)
      #expect(policy.arn(account: account) == arn)
      try await f.store.write { rows throws(IdentityError) in try rows.put(policy) }
    }
    func assume(_ arns: [String], _ policy: String? = nil) async throws(IdentityError)
      -> SessionTokens.Session
    {
      try await Self.assume(Self.developer(), f) {
        $0.policyARNs = arns
        $0.policy = policy
      }
    }
    #expect(await code { _ = try await assume([arn]) } == "member_refused")
    try await put(Policies.allow("cognito-identity:ListIdentityPools"))
    let session = try await assume([arn])
    #expect(session.policyARNs == [arn])
    func list() async throws -> String {
      // As a node sees it that has read the row before.
      _ = try await f.store.read(at: .now, .fresh) { rows throws(IdentityError) in
        try rows.managedPolicy(arn, ofAccount: account)
      }
      return await Self.list(.session(session), f)
    }
    #expect(try await list() == "")
    try await put(Policies.allow("cognito-identity:DescribeIdentityPool"))
    #expect(try await list() == "role_policy_refused")
    try await put(Policies.allow("cognito-identity:*"))
    #expect(try await list() == "")
    // One of several that allows is enough.
    #expect(await Self.list(.session(try await assume([arn], Policies.allow("sts:*"))), f) == "")
    for (arns, policy, expected) in [
      ([arn, arn], nil, "member_refused"), (Array(repeating: arn, count: 11), nil, "member_length"),
      ([arn + "x"], nil, "member_refused"), (["arn:aws:iam::aws:policy/read"], nil, "member_refused"),
      (["arn:aws:iam::\(account):policy/"], nil, "member_refused"), ([""], nil, "member_refused"),
      ([arn], Policies.allow(String(repeating: "é", count: 1_980)), "member_length"),
    ] as [([String], String?, String)] {
      #expect(await code { _ = try await assume(arns, policy) } == expected)
    }
    // What was removed may have denied.
    let isKnown = try await f.store.write { rows throws(IdentityError) in
      (
        try rows.removeManagedPolicy(arn, ofAccount: account),
        try rows.removeManagedPolicy(arn, ofAccount: account)
      )
    }
    #expect(isKnown == (true, false))
    #expect(try await list() == "role_policy_refused")
    // The first step up beyond the size.
    let actions = (0..<5).map { "\"\($0)\(String(repeating: "a", count: 1_500))\"" }.joined(separator: ", ")
    let large = try PermissionPolicy(
      name: "large",
      document: Policies.allow("*").replacing("\"Action\": \"*\"", with: "\"Action\": [\(actions)]"))
    #expect(
      await code { try await f.store.write { rows throws(IdentityError) in try rows.put(large) } }
        == "member_length")
  }

  /// Credentials of a role without an identity open no data of identities, and a removed role's allow nothing.
  @Test func rightsOfSessions() async throws {
    let f = try await Fixture(.memory)
    try await Self.put(Self.trust(Self.root), f, policies: [])
    let session = try await Self.assume(Self.developer(), f)
    #expect(session.identityID == "" && session.poolID == "" && session.userID == "\(Self.role):jane")
    #expect(await Self.list(.session(session), f) == "caller_forbidden")
    try await Self.put(Self.trust(Self.root), f)
    #expect(await Self.list(.session(session), f) == "")
    try await f.store.write { rows throws(IdentityError) in try rows.removeRole(Self.role) }
    #expect(await Self.list(.session(session), f) == "caller_forbidden")
  }

  /// The caller chose the session's name: a trust policy that names it does not lift the session's limits.
  @Test func limitedSessions() async throws {
    let f = try await Fixture(.memory)
    let arn = "arn:aws:sts::123456789012:assumed-role/admin/jane"
    try await Self.put(Self.trust(Self.root), f)
    try await Self.put(Self.trust(arn), f, role: Self.chained)
    for (policy, expected) in [
      (Policies.allow("cognito-identity:*"), "role_policy_refused"), (Policies.allow("sts:AssumeRole"), ""),
      (nil, ""),
    ] {
      let session = try await Self.assume(Self.developer(), f) { $0.policy = policy }
      #expect(await code { _ = try await Self.assume(.session(session), f, role: Self.chained) } == expected)
    }
  }

  /// A chain of sessions names the access key that began it, and has its source identity in each step.
  @Test func chainsNameTheirOrigin() async throws {
    let f = try await Fixture(.memory)
    try await Self.put(Self.trust(Self.root, ["sts:*"]), f)
    let session = try await Self.assume(Self.developer(), f) { $0.sourceIdentity = "joe" }
    #expect(session.accessKeyID == "AKIAEXAMPLE")
    try await Self.put(Self.trust(Self.role), f, role: Self.chained)
    #expect(
      await code { _ = try await Self.assume(.session(session), f, role: Self.chained) }
        == "role_policy_refused")
    let condition = #""StringEquals": {"sts:SourceIdentity": "joe"}"#
    try await Self.put(
      Self.trust(Self.role, ["sts:AssumeRole", "sts:SetSourceIdentity"], condition), f, role: Self.chained)
    let next = try await Self.assume(.session(session), f, role: Self.chained)
    #expect(next.accessKeyID == "AKIAEXAMPLE" && next.sourceIdentity == "joe")
  }

  /// The ARN of a session has the name of its role without the path.
  @Test func namesOfRolesAreUnique() async throws {
    let f = try await Fixture(.memory)
    try await Self.put(Self.trust(Self.root), f)
    try await Self.put(Self.trust(Self.root), f)
    let other = "arn:aws:iam::123456789012:role/team/admin"
    #expect(await code { try await Self.put(Self.trust(Self.root), f, role: other) } == "member_refused")
  }

  /// Also where a program stores them. A row of an earlier version is not in the way of the account's own role.
  @Test func rolesOfOtherAccountsAreRefused() async throws {
    let f = try await Fixture(.memory)
    let foreign = "arn:aws:iam::999999999999:role/admin"
    #expect(await code { try await Self.put(Self.trust(Self.root), f, role: foreign) } == "member_refused")
    let stored = StoredRole(arn: foreign, trustPolicy: Self.trust(Self.root))
    try await f.store.write { rows throws(IdentityError) in
      guard try rows.roles().allSatisfy({ $0.arn != foreign }) else { throw .roleUnknown(foreign) }
      try rows.put(stored)
    }
    try await Self.put(Self.trust(Self.root), f)
  }

  @Test func temporaryCredentialsOfKeys() async throws {
    let f = try await Fixture(.memory)
    let key = try await f.service.createAccessKey(
      scope: try AccessKeyScope(capabilities: [.administering]), at: Fixture.now)
    let id = key.id
    func issue(_ duration: Duration?, by caller: Caller) throws(IdentityError) -> TemporaryCredentials {
      try f.service.sessionToken(for: duration, in: .init(caller: caller, at: Fixture.now))
    }
    for (duration, expected) in [
      (nil, 43_200), (.seconds(900), 900), (.seconds(86_400), 86_400),
    ] as [(Duration?, Int64)] {
      let issued = try issue(duration, by: .developer(accessKeyID: id))
      #expect(issued.expiration == Fixture.now.advanced(bySeconds: expected) && issued.session == nil)
      let opened = try f.service.sessions.open(issued.sessionToken, of: issued.accessKeyID, at: Fixture.now)
      #expect(opened.issuer == id && opened.session == nil)
      #expect(
        await code {
          _ = try f.service.sessions.open(
            issued.sessionToken, of: issued.accessKeyID, at: issued.expiration)
        } == "session_expired")
    }
    for (seconds, expected) in [
      (0, "duration_zero"), (899, "duration_too_short"), (86_401, "duration_too_long"),
    ] as [(Int64, String)] {
      #expect(
        await code { _ = try issue(.seconds(seconds), by: .developer(accessKeyID: id)) } == expected)
    }
    #expect(await code { _ = try issue(nil, by: .unsigned) } == "call_unsigned")
    #expect(
      await code { _ = try issue(nil, by: .developer(accessKeyID: id, isTemporary: true)) }
        == "caller_forbidden")
    // The rights are the key's.
    let temporary = Caller.developer(accessKeyID: id, isTemporary: true)
    #expect(await Self.list(temporary, f) == "caller_forbidden")
    try await f.store.write { rows throws(IdentityError) in try rows.removeAccessKey(id) }
    #expect(await Self.list(temporary, f) == "caller_forbidden")
  }

  /// Policies of access keys decide in place of kinds of calls, within the key's pools.
  @Test func policiesOfKeys() async throws {
    let f = try await Fixture(.memory)
    let other = try await f.service.createPool(named: "other")
    func describe(_ pool: String, _ documents: String..., pools: [String]? = nil) async throws -> String {
      let scope = try AccessKeyScope(
        pools: pools,
        policies: documents.enumerated().map {
          try PermissionPolicy(name: "p\($0.offset)", document: $0.element)
        })
      return await code {
        guard let route = try IdentityPoolService.route("DescribeIdentityPool") else { return }
        let context = IdentityPoolOperations.Context(
          caller: .developer(accessKeyID: "AKIAEXAMPLE", scope: scope), at: Fixture.now, from: "203.0.113.7")
        _ = try await IdentityPoolOperations(f.service).call(
          route, Array(#"{"IdentityPoolId": "\#(pool)"}"#.utf8), in: context
        ).respond(context, requestID: "r")
      }
    }
    let arn = IdentityPool.arn(ofPool: f.pool.id, account: "123456789012")
    let allow = Policies.allow("cognito-identity:DescribeIdentityPool", arn)
    #expect(try await describe(f.pool.id, allow) == "")
    #expect(try await describe(other.id, allow) == "role_policy_refused")
    #expect(try await describe(f.pool.id, Policies.allow("cognito-identity:List*")) == "role_policy_refused")
    #expect(
      try await describe(f.pool.id, allow, allow.replacing("Allow", with: "Deny")) == "role_policy_refused")
    #expect(try await describe(other.id, Policies.allow("*"), pools: [f.pool.id]) == "caller_forbidden")
    for (condition, expected) in [
      (#""IpAddress": {"aws:SourceIp": "203.0.113.0/24"}"#, ""),
      (#""IpAddress": {"aws:SourceIp": "198.51.100.0/24"}"#, "role_policy_refused"),
      (#""StringEquals": {"aws:userid": "AKIAEXAMPLE", "aws:username": "developer"}"#, ""),
      (#""ArnEquals": {"aws:PrincipalArn": "\#(Self.user)"}"#, ""),
    ] {
      #expect(
        try await describe(f.pool.id, Policies.allow("cognito-identity:*", "*", condition)) == expected)
    }
  }

  /// Rows of keys with policies are of version 2; a key has kinds of calls or policies.
  @Test func storedKeys() throws {
    let policy = try PermissionPolicy(name: "p", document: Policies.allow("*"))
    let key = StoredAccessKey(
      id: "AKIA", created: Fixture.now, note: "", sealed: [1], scope: try AccessKeyScope(policies: [policy]))
    let bytes = try #require(StoredAccessKey.encoding.encode(key, 2))
    #expect(StoredAccessKey.encoding.decode(bytes, 2) == key)
    #expect(StoredAccessKey.encoding.encode(key, 1) == nil)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains(#""capabilities":[]"#))
    let both = text.replacing(#""capabilities":[]"#, with: #""capabilities":["read"]"#)
    #expect(StoredAccessKey.encoding.decode(Array(both.utf8), 2) == nil)
    for document in ["{}", "1"] {
      let damaged = text.replacing(
        #""document":"# + text.split(separator: #""document":"#)[1].prefix { $0 != "}" }, with: document)
      #expect(StoredAccessKey.encoding.decode(Array(damaged.utf8), 2) != key)
    }
    #expect(throws: IdentityError.self) { _ = try AccessKeyScope(policies: []) }
    #expect(throws: IdentityError.self) { _ = try AccessKeyScope(policies: [policy, policy]) }
  }

  static let refusedTrust: [(String, String)] = [
    (
      trust(
        root, ["sts:AssumeRole"], #""StringEquals": {"cognito-identity.amazonaws.com:aud": "a"}"#,
        effect: "Deny"),
      "does not have the condition key"
    ),
    (
      trust(root, ["sts:AssumeRole"], #""StringEquals": {"aws:Unknown": "a"}"#),
      "does not have the condition key"
    ),
    (trust(root, ["sts:AssumeRoles"], effect: "Deny"), "is not one of AWS STS"),
    (trust("arn:aws:iam::123456789012:user/alice", effect: "Deny"), "would never apply"),
    (trust("*"), "would allow everyone"),
  ]

  @Test(arguments: refusedTrust)
  func refusedTrustPolicies(_ document: String, _ rule: String) throws {
    let error = try #require(throws: IdentityError.self) { _ = try TrustPolicy(json: document) }
    #expect(error.code == .trustPolicyInvalid && error.description.contains(rule), "\(error)")
  }
}
