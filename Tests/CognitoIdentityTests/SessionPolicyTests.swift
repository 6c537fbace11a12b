@testable internal import CognitoIdentity
internal import Testing

/// Session policies of the basic flow: they limit what the role allows, and open nothing.
@Suite struct SessionPolicyTests {
  private typealias Policies = PermissionPolicyTests

  private static func session(
    _ policy: String?, _ f: Fixture, tags: NameMap<String> = [:]
  ) async throws -> SessionTokens.Session {
    let jane = try await f.service.issueDeveloperToken(
      poolID: f.pool.id, logins: [Fixture.developer: "jane"], tags: tags, at: Fixture.now)
    let issued = try await f.service.assumeRole(
      .init(roleARN: Fixture.role, sessionName: "jane", token: jane.token, policy: policy), at: Fixture.now)
    // As the service opens it.
    return try #require(
      f.service.sessions.open(issued.sessionToken, of: issued.accessKeyID, at: Fixture.now).session)
  }

  private static func list(_ session: SessionTokens.Session, _ f: Fixture) async -> (
    code: String, reason: String
  ) {
    var reason = ""
    let found = await code {
      do throws(IdentityError) {
        guard let route = try IdentityPoolService.route("ListIdentityPools") else { return }
        let context = IdentityPoolOperations.Context(caller: .session(session), at: Fixture.now)
        _ = try await IdentityPoolOperations(f.service).call(
          route, Array(#"{"MaxResults": 1}"#.utf8), in: context
        ).respond(context, requestID: "r")
      } catch {
        if case .policyRefused(let refusal) = error { reason = refusal.reason }
        throw error
      }
    }
    return (found, reason)
  }

  @Test func bothMustAllow() async throws {
    let f = try await Fixture(.memory)
    let allow = Policies.allow("cognito-identity:ListIdentityPools")
    let other = Policies.allow("cognito-identity:DescribeIdentityPool")
    let deny = allow.replacing("Allow", with: "Deny")
    for (role, session, code, reason) in [
      (allow, allow, "", ""), (allow, nil, "", ""),
      (allow, other, "role_policy_refused", "access_not_allowed_by_session"),
      (allow, deny, "role_policy_refused", "access_denied_by_statement"),
      (other, allow, "role_policy_refused", "access_not_allowed_by_identity"),
      (deny, allow, "role_policy_refused", "access_denied_by_statement"),
    ] as [(String, String?, String, String)] {
      try await Policies.put(role, in: f)
      let found = await Self.list(try await Self.session(session, f), f)
      #expect(found == (code, reason), "\(role) \(session ?? "none")")
    }
    // A role without policies does not get a developer's rights from a session policy.
    try await Policies.put([], f)
    #expect(await Self.list(try await Self.session(allow, f), f).code == "caller_forbidden")
  }

  static let refused: [(String, String)] = [
    ("", "member_length"), (String(repeating: " ", count: 2_049), "member_length"),
    ("{\u{100}}", "member_pattern"),
    ("{\0}", "member_pattern"), ("{}", "access_policy_element_missing"), ("[", "json_syntax"),
    (
      #"{"Statement": {"Effect": "Allow", "Principal": "*", "Action": "*"}}"#,
      "access_policy_element_not_allowed"
    ),
    (String(repeating: "[", count: 2_048), "json_nesting"),
  ]

  @Test(arguments: refused)
  func refusedDocuments(_ document: String, _ expected: String) async throws {
    let f = try await Fixture(.memory)
    #expect(await code { _ = try await Self.session(document, f) } == expected)
  }

  @Test func errorsOfTheTokenService() throws {
    let invalid = try #require(throws: IdentityError.self) {
      _ = try PermissionPolicy(name: "p", document: #"{"Statement": {"Effect": "Allow", "Action": 1}}"#)
    }
    let binding = securityTokenService.binding
    #expect(invalid.reported(in: binding) == ("MalformedPolicyDocument", 400))
    #expect(invalid.description.contains(#"the policy "p" cannot be loaded: line 1, column 45: "#))
    let large = IdentityError.sessionTokenTooLarge(size: 8_193, limit: 8_192)
    #expect(large.reported(in: binding) == ("PackedPolicyTooLarge", 400))
    #expect(large.codeText == "session_token_too_large" && large.status == 400)
  }

  /// White space is not in the token, which has another format with a policy: a node that does not know policies does not
  /// open it.
  @Test func packedTokens() async throws {
    let f = try await Fixture(.memory)
    let policy = Policies.allow("cognito-identity:*")
    let spaced = policy.replacing(": ", with: ":\r\n\t  ")
    let session = try await Self.session(spaced, f)
    #expect(session.policy == policy.replacing(" ", with: ""))
    let issued = try f.service.sessions.issue(session, lifetime: .seconds(900), at: Fixture.now)
    #expect(issued.sessionToken.hasPrefix("TS2.") && issued.sessionToken.utf8.count < 1_024)
    for changed in [
      issued.sessionToken.replacing("TS2.", with: "TS1."),
      issued.sessionToken.replacing("TS2.", with: "TS3."),
      String(issued.sessionToken.dropFirst(4)),
    ] {
      #expect(
        await code { _ = try f.service.sessions.open(changed, of: issued.accessKeyID, at: Fixture.now) }
          == "session_token_invalid")
    }
    let plain = try f.service.sessions.issue(
      try await Self.session(nil, f), lifetime: .seconds(900), at: Fixture.now)
    #expect(plain.sessionToken.hasPrefix("TS1."))
    #expect(
      await code {
        _ = try f.service.sessions.open(
          plain.sessionToken.replacing("TS1.", with: "TS2."), of: plain.accessKeyID, at: Fixture.now)
      } == "session_token_invalid")
    var tags = NameMap<String>()
    for number in 0..<30 { tags["t\(number)"] = String(repeating: "v", count: 200) }
    let many = tags
    #expect(await code { _ = try await Self.session(policy, f, tags: many) } == "session_token_too_large")
  }
}
