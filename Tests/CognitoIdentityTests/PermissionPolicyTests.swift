@testable internal import CognitoIdentity
internal import Records
internal import Testing

/// The permission policies of roles: their bounds, and how they are stored.
@Suite struct PermissionPolicyTests {
  static func allow(_ action: String, _ resource: String = "*", _ condition: String = "") -> String {
    let more = condition.isEmpty ? "" : #", "Condition": {\#(condition)}"#
    return #"{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "\#(action)", "#
      + #""Resource": "\#(resource)"\#(more)}}"#
  }

  static func put(_ policies: [PermissionPolicy], _ f: Fixture) async throws {
    try await f.service.putRole(
      StoredRole(
        arn: Fixture.role, trustPolicy: Fixture.trust(f.pool.id, "authenticated"),
        longestSession: .seconds(43_200), policies: policies))
  }

  static func put(_ documents: String..., in f: Fixture) async throws {
    try await put(
      documents.enumerated().map { try PermissionPolicy(name: "p\($0.offset)", document: $0.element) }, f)
  }

  static let refused: [(name: String, document: String, code: String, place: String)] = [
    ("", allow("*"), "member_length", ""),
    (String(repeating: "n", count: 129), allow("*"), "member_length", ""),
    ("a b", allow("*"), "member_pattern", ""), ("a/b", allow("*"), "member_pattern", ""),
    ("é", allow("*"), "member_pattern", ""), ("a", "", "json_empty", "line 1, column 1"),
    ("a", "[]", "access_policy_type", "line 1, column 1"),
    ("a", "{}", "access_policy_element_missing", "line 1, column 1"),
    ("a", #"{"Statement": 1}"#, "access_policy_type", "line 1, column 15"),
    (
      "a", "{\"Statement\":\n {\"Effect\": \"Permit\", \"Action\": \"*\", \"Resource\": \"*\"}}",
      "access_policy_effect_unknown", "line 2, column 13"
    ),
    (
      "a", #"{"Statement": {"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}}"#,
      "access_policy_element_not_allowed", "line 1, column 35"
    ),
    ("a", String(repeating: " ", count: 1 << 20), "json_too_large", "line 1, column 1"),
    ("a", String(repeating: "[", count: 10_000), "json_nesting", "line 1, column 9"),
    (
      "a",
      #"{"Statement": ["# + Array(repeating: "{}", count: 10_000).joined(separator: ",") + "]}",
      "access_policy_too_many_statements", "line 1, column 784"
    ),
  ]

  @Test(arguments: refused)
  func refusedPolicies(_ policy: (name: String, document: String, code: String, place: String)) {
    do throws(IdentityError) {
      _ = try PermissionPolicy(name: policy.name, document: policy.document)
      Issue.record("it is accepted")
    } catch {
      #expect(error.codeText == policy.code && error.description.contains(policy.place), "\(error)")
      #expect(error.status == 400)
    }
  }

  @Test func namesOfFiles() throws {
    for name in ["a", "A9_+=,.@-", String(repeating: "n", count: 128)] {
      #expect(try PermissionPolicy(name: name, document: Self.allow("*")).name == name)
    }
  }

  /// Nothing is stored of a role that is refused.
  @Test(arguments: Fixture.Kind.allCases)
  func refusedRoles(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let one = try PermissionPolicy(name: "one", document: Self.allow("cognito-sync:*"))
    try await Self.put([one], f)
    let eleven = try (0..<11).map { try PermissionPolicy(name: "p\($0)", document: Self.allow("*")) }
    /// A policy with this many characters besides white space.
    func large(_ size: Int, _ name: String = "large") throws -> PermissionPolicy {
      let start =
        "{\n\t\"Statement\": {\"Effect\": \"Allow\", \"Action\": \"*\", \"Resource\": \"*\",\r\n \"Sid\": \""
      let end = "\"}}"
      let fixed = (start + end).unicodeScalars.count { !" \n\t\r".unicodeScalars.contains($0) }
      // A document of more than 2,048 bytes in one text is refused otherwise.
      return try PermissionPolicy(
        name: name, document: start + String(repeating: "é", count: size - fixed) + end)
    }
    let sizes = try (0..<10).map { try large($0 < 9 ? 1_020 : 1_060, "p\($0)") }
    var tooLarge = sizes
    tooLarge[9] = try large(1_061, "p9")
    for (policies, code) in [
      (eleven, "member_length"), ([one, one], "member_refused"), (tooLarge, "member_length"),
    ] {
      #expect(await CognitoIdentityTests.code { try await Self.put(policies, f) } == code)
      let stored = try await f.store.read(at: .now, .fresh) { rows throws(IdentityError) in
        try rows.role(Fixture.role)?.policies
      }
      #expect(stored == [one])
    }
    try await Self.put(sizes, f)
    let stored = try await f.store.read(at: .now, .fresh) { rows throws(IdentityError) in
      try rows.role(Fixture.role)?.policies
    }
    #expect(stored == sizes && stored?.allSatisfy { $0.loaded != nil } == true)
    try await Self.put(Array(eleven.dropLast()), f)
  }

  /// A row of an earlier version has no policies, and one that this version does not load allows nothing.
  @Test func earlierAndDamagedRows() throws {
    let start = #"{"arn":"arn:aws:iam::1:role/a","trustPolicy":"{}","longestSession":3600"#
    #expect(StoredRole.encoding.decode(Array("\(start)}".utf8), 1)?.policies == [])
    let other = Array(#"\#(start),"policies":[{"name":"a","document":"{}"}]}"#.utf8)
    let role = try #require(StoredRole.encoding.decode(other, 2))
    #expect(role.policies.map(\.name) == ["a"] && role.policies.allSatisfy { $0.loaded == nil })
    #expect(StoredRole.encoding.encode(role, 2) == other)
    for policies in [#"{}"#, #"[{}]"#, #"[{"name":"a"}]"#, #"["a"]"#, #"[{"name":"a","document":1}]"#] {
      #expect(StoredRole.encoding.decode(Array(#"\#(start),"policies":\#(policies)}"#.utf8), 2) == nil)
    }
  }
}
