internal import CognitoIdentity
internal import JOSE
internal import Testing

/// A developer's user and an OpenID provider's user of the same name are two users.
@Suite struct LoginKindTests {
  /// A pool as older versions stored it: the developer provider has the name of an OpenID provider.
  static func poolWithSharedName(_ f: Fixture) async throws -> IdentityPool {
    var pool = try f.service.describePool(f.pool.id)
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
    let developers = try await f.service.getOpenIDTokenForDeveloperIdentity(
      poolID: pool.id, logins: ["op.example": "jane"], at: Fixture.now)
    let external = try await f.service.getID(
      poolID: pool.id, logins: ["op.example": token], at: Fixture.now)
    #expect(developers.identityID != external)
    // Each finds its own again.
    let again = try await f.service.getOpenIDTokenForDeveloperIdentity(
      poolID: pool.id, logins: ["op.example": "jane"], at: Fixture.now)
    #expect(again.identityID == developers.identityID)
    #expect(
      try await f.service.getID(poolID: pool.id, logins: ["op.example": token], at: Fixture.now) == external)
    let found = try f.service.lookupDeveloperIdentity(poolID: pool.id, identityID: nil, user: "jane")
    #expect(found.identityID == developers.identityID)
    // The device's token opens the developer's identity neither for credentials nor for unlinking.
    #expect(
      await code {
        _ = try await f.service.getCredentials(
          for: developers.identityID, logins: ["op.example": token], at: Fixture.now)
      } == "identity_forbidden")
    #expect(
      await code {
        try await f.service.unlinkIdentity(
          developers.identityID, logins: ["op.example": token], removing: ["op.example"], at: Fixture.now)
      } == "identity_forbidden")
  }
}
