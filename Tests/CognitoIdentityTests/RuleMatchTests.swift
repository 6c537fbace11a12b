internal import CognitoIdentity
internal import JOSE
internal import Testing

/// Matching of role mapping rules, above all of claims with several values: a user in an excluded group is
/// often in another group too.
@Suite struct RuleMatchTests {
  typealias Match = RoleMapping.Rule.Match

  /// A rule on the claim `groups` with the value "ban", the claim, and whether the rule matches.
  static let cases: [(Match, JSONValue?, Bool)] = [
    (.notEqual, "ban", false), (.notEqual, "user", true), (.notEqual, nil, false),
    (.notEqual, ["ban", "user"], false), (.notEqual, ["user", "ban"], false),
    (.notEqual, ["user", "staff"], true), (.notEqual, ["user"], true), (.notEqual, ["ban"], false),
    (.notEqual, [], false), (.notEqual, .object([:]), false), (.notEqual, .null, false),
    // A list with values other than texts cannot be compared and matches nothing.
    (.notEqual, ["user", 1], false), (.notEqual, 1, true), (.notEqual, true, true),
    (.notEqual, ["\u{62}an"], false), (.notEqual, "Ban", true),
    (.equals, ["user", "ban"], true), (.equals, ["user", "staff"], false), (.equals, nil, false),
    (.contains, ["user", "urban"], true), (.contains, ["user", "b", "an"], false),
    (.startsWith, ["user", "bank"], true), (.startsWith, ["urban"], false),
  ]

  @Test(arguments: cases.indices)
  func ruleMatches(_ index: Int) async throws {
    let (match, claim, isMatched) = Self.cases[index]
    let f = try await Fixture(.memory)
    let arn = "arn:aws:iam::123456789012:role/matched"
    try await f.service.putRole(
      StoredRole(arn: arn, trustPolicy: Fixture.trust(f.pool.id, "authenticated")))
    let rule = RoleMapping.Rule(claim: "groups", match: match, value: "ban", roleARN: arn)
    let mapping = RoleMapping(kind: .rules, ambiguity: .deny, rules: [rule])
    try await f.service.setRoles(
      ["authenticated": Fixture.role], mappings: ["accounts.google.com": mapping], ofPool: f.pool.id)
    let logins: NameMap<String> = [
      "accounts.google.com": try f.issuers.token("accounts.google.com", "g") { $0["groups"] = claim }
    ]
    let identity = try await f.service.resolveIdentity(poolID: f.pool.id, logins: logins, at: Fixture.now)
    for custom in [nil, arn] {
      let found = await RoleTableTests.outcome {
        try await f.service.issueCredentials(
          for: identity, logins: logins, customRole: custom, at: Fixture.now
        ).session?.roleARN ?? ""
      }
      let refusal = custom == nil ? "role_ambiguous" : "custom_role_refused"
      #expect(found == (isMatched ? arn : refusal), "\(match) \(claim.map(\.description) ?? "absent")")
    }
  }
}
