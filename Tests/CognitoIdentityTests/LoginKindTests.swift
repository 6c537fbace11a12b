internal import CognitoIdentity
internal import JOSE
internal import Testing

/// A developer's user and an OpenID provider's user of the same name are two users.
@Suite struct LoginKindTests {
  /// A pool as older versions stored it: the developer provider has the name of an OpenID provider.
  static func poolWithSharedName(_ f: Fixture) async throws -> IdentityPool {
    var pool = try await f.service.describePool(f.pool.id)
    pool.developerProviderName = "op.example"
    pool.openIDProviderARNs = ["arn:aws:iam::123456789012:oidc-provider/op.example"]
    let shared = pool
    let google = try #require(try f.issuers.settings().first)
    try await f.store.write { rows throws(IdentityError) in
      try rows.put(shared)
      try rows.put(LoginProviderSettings(name: "op.example", clientIDs: ["c"], keys: google.keys))
    }
    return shared
  }

  @Test(arguments: Fixture.Kind.allCases)
  func usersOfTheSameNameAreTwo(_ kind: Fixture.Kind) async throws {
    let f = try await Fixture(kind)
    defer { f.remove() }
    let pool = try await Self.poolWithSharedName(f)
    let token = try f.issuers.token("accounts.google.com", "jane") {
      $0["iss"] = "https://op.example"
      $0["aud"] = "c"
    }
    let developers = try await f.service.issueDeveloperToken(
      poolID: pool.id, logins: ["op.example": "jane"], at: Fixture.now)
    let external = try await f.service.resolveIdentity(
      poolID: pool.id, logins: ["op.example": token], at: Fixture.now)
    #expect(developers.identityID != external)
    // Each login finds its identity again.
    let again = try await f.service.issueDeveloperToken(
      poolID: pool.id, logins: ["op.example": "jane"], at: Fixture.now)
    #expect(again.identityID == developers.identityID)
    #expect(
      try await f.service.resolveIdentity(poolID: pool.id, logins: ["op.example": token], at: Fixture.now)
        == external)
    let found = try await f.service.lookupDeveloperIdentity(poolID: pool.id, identityID: nil, user: "jane")
    #expect(found.identityID == developers.identityID)
    // The device's token gives no access to the developer's identity, for credentials or unlinking.
    #expect(
      await code {
        _ = try await f.service.issueCredentials(
          for: developers.identityID, logins: ["op.example": token], at: Fixture.now)
      } == "identity_forbidden")
    #expect(
      await code {
        try await f.service.unlinkIdentity(
          developers.identityID, logins: ["op.example": token], removing: ["op.example"], at: Fixture.now)
      } == "identity_forbidden")
  }

  /// New settings with an ambiguous name are refused, on creation and on update.
  @Test func sharedNamesAreRefused() async throws {
    let f = try await Fixture(.memory)
    let arns = #""OpenIdConnectProviderARNs": ["arn:aws:iam::123456789012:oidc-provider/op.example"]"#
    let rest = #""AllowUnauthenticatedIdentities": false, "IdentityPoolName": "n""#
    func ask(_ operation: String, _ body: String) async -> String {
      await code { try await f.service.call(operation, body) }
    }
    #expect(
      await ask("CreateIdentityPool", #"{"DeveloperProviderName": "op.example", \#(arns), \#(rest)}"#)
        == "member_refused")
    let pool = try await f.service.createPool(named: "n") { $0.developerProviderName = "op.example" }
    #expect(
      await ask("UpdateIdentityPool", #"{"IdentityPoolId": "\#(pool.id)", \#(arns), \#(rest)}"#)
        == "member_refused")
    #expect(try await f.service.describePool(pool.id).openIDProviderARNs.isEmpty)
    let token = RoleMapping(kind: .token, ambiguity: .deny, rules: [])
    #expect(
      await code {
        try await f.service.setRoles([:], mappings: ["accounts.google.com": token], ofPool: f.pool.id)
      } == "member_refused")
    #expect(
      await code {
        try await f.service.setRoles([:], mappings: ["\(Fixture.userPool):client1": token], ofPool: f.pool.id)
      } == "")
  }

  /// Session tags are the same in both flows.
  @Test func sessionsCarryTags() async throws {
    let f = try await Fixture(.memory)
    let jane = try await f.service.issueDeveloperToken(
      poolID: f.pool.id, logins: [Fixture.developer: "jane"], tags: ["team": "blue"], at: Fixture.now)
    let enhanced = try await f.service.issueCredentials(
      for: jane.identityID, logins: [CredentialsTests.tokenName: jane.token], at: Fixture.now)
    let basic = try await f.service.assumeRole(
      .init(roleARN: Fixture.role, sessionName: "jane", token: jane.token), at: Fixture.now)
    #expect(enhanced.session?.tags == ["team": "blue"] && basic.session?.tags == ["team": "blue"])
    let opened = try f.service.sessions.open(basic.sessionToken, of: basic.accessKeyID, at: Fixture.now)
    #expect(opened.session == basic.session)
  }
}
