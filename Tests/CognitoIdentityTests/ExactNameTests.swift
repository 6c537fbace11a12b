internal import CognitoIdentity
internal import JOSE
internal import OpenIDConnect
internal import Testing

private let realm = "op.example/realms/Kunden"
private let arn = "arn:aws:iam::123456789012:oidc-provider/op.example/realms/Kunden"
private let userPool = "cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Kabcdefgh"
private let role = "arn:aws:iam::123456789012:role/Kunden"
private let developer = "login.Kunden.app"

private func kelvin(_ text: String) -> String {
  String(
    decoding: text.utf8.flatMap { $0 == UInt8(ascii: "K") ? Array("\u{212A}".utf8) : [$0] }, as: UTF8.self)
}

/// Names with canonically equivalent characters are different names: U+212A for K, decomposed letters for
/// composed ones. They are refused and have no effect on the original names.
@Suite struct ExactNameTests {

  /// A service with a K in every name.
  struct World {
    let f: Fixture
    let pool: IdentityPool
    let openID: String
    let ofUserPool: String

    init(_ kind: Fixture.Kind) async throws {
      f = try await Fixture(kind)
      let issuers = f.issuers
      pool = try await f.service.createPool(named: "K") {
        $0.allowsGuests = true
        $0.allowsClassicFlow = true
        $0.developerProviderName = developer
        $0.openIDProviderARNs = [arn]
        $0.userPoolClients = [.init(providerName: userPool, clientID: "client1")]
        $0.roles = ["authenticated": role]
      }
      let keys = try #require(issuers.settings().first?.keys)
      try await f.store.write { rows throws(IdentityError) in
        try rows.put(LoginProviderSettings(name: realm, clientIDs: ["Kunde"], keys: keys))
        try rows.put(LoginProviderSettings(name: userPool, clientIDs: [], keys: keys))
      }
      _ = try await f.service.setPrincipalTags(
        ["K": "sub"], usesDefaults: false, ofPool: pool.id, provider: realm)
      try await f.service.putRole(
        StoredRole(arn: role, trustPolicy: Fixture.trust(pool.id, "authenticated")))
      openID = try issuers.token("accounts.google.com", "u1") {
        $0["iss"] = .string("https://" + realm)
        $0["aud"] = "Kunde"
      }
      ofUserPool = try issuers.token(Fixture.userPool, "u2") {
        $0["iss"] = .string("https://" + userPool)
      }
    }

    func id(_ logins: NameMap<String>) async throws -> String {
      try await f.service.resolveIdentity(poolID: pool.id, logins: logins, at: Fixture.now)
    }
  }

  @Test(arguments: Fixture.Kind.allCases, [true, false])
  func loginNames(_ kind: Fixture.Kind, _ isWarm: Bool) async throws {
    let world = try await World(kind)
    defer { world.f.remove() }
    let service = world.f.service
    var known: [String] = []
    if isWarm {
      known = [try await world.id([realm: world.openID]), try await world.id([userPool: world.ofUserPool])]
    }
    for (name, token) in [(realm, world.openID), (userPool, world.ofUserPool), (realm, "x")] {
      let logins: NameMap<String> = [kelvin(name): token]
      #expect(await code { _ = try await world.id(logins) } == "provider_not_supported")
      if isWarm {
        for id in known {
          #expect(
            await code { _ = try await service.issueCredentials(for: id, logins: logins, at: Fixture.now) }
              == "provider_not_supported")
          #expect(
            await code { _ = try await service.issueOpenIDToken(for: id, logins: logins, at: Fixture.now) }
              == "provider_not_supported")
          #expect(
            await code {
              try await service.unlinkIdentity(id, logins: logins, removing: [name], at: Fixture.now)
            } == "provider_not_supported")
        }
      }
      #expect(
        await code {
          _ = try await service.issueDeveloperToken(
            poolID: world.pool.id, logins: [developer: "jane", kelvin(name): token], at: Fixture.now)
        } == (name == userPool ? "provider_not_supported" : "developer_provider_unknown"))
    }
    // Other identities are unchanged.
    for (name, token) in [(realm, world.openID), (userPool, world.ofUserPool)] {
      let id = try await world.id([name: token])
      #expect(known.isEmpty || known.contains(id))
      let found = await code {
        _ = try await service.issueCredentials(for: id, logins: [name: token], at: Fixture.now)
      }
      #expect(found == "")
      #expect(
        await code {
          try await service.unlinkIdentity(
            id, logins: [name: token], removing: [kelvin(name)], at: Fixture.now)
        } == "login_not_linked")
    }
    #expect(try await service.listIdentities(inPool: world.pool.id, size: 60).elements.count == 2)
  }

  @Test(arguments: Fixture.Kind.allCases)
  func developerNames(_ kind: Fixture.Kind) async throws {
    let world = try await World(kind)
    defer { world.f.remove() }
    let (service, pool) = (world.f.service, world.pool.id)
    let jane = try await service.issueDeveloperToken(
      poolID: pool, logins: [developer: "Kj\u{E9}"], at: Fixture.now)
    // Users are compared by bytes: another spelling is another user.
    for user in ["\u{212A}j\u{E9}", "Kje\u{301}"] {
      let other = try await service.issueDeveloperToken(
        poolID: pool, logins: [developer: user], at: Fixture.now)
      #expect(other.identityID != jane.identityID)
      try await service.unlinkDeveloperIdentity(
        other.identityID, user: user, provider: developer, poolID: pool, at: Fixture.now)
      #expect(
        await code {
          _ = try await service.lookupDeveloperIdentity(poolID: pool, identityID: nil, user: user)
        }
          == "developer_user_unknown")
      #expect(
        await code {
          _ = try await service.lookupDeveloperIdentity(poolID: pool, identityID: jane.identityID, user: user)
        } == "developer_user_unknown")
      #expect(
        await code {
          try await service.unlinkDeveloperIdentity(
            jane.identityID, user: user, provider: developer, poolID: pool, at: Fixture.now)
        } == "login_not_linked")
    }
    let name = kelvin(developer)
    #expect(
      await code {
        _ = try await service.issueDeveloperToken(
          poolID: pool, logins: [name: "Kj\u{E9}"], at: Fixture.now)
      } == "developer_provider_unknown")
    #expect(
      await code {
        try await service.unlinkDeveloperIdentity(
          jane.identityID, user: "Kj\u{E9}", provider: name, poolID: pool, at: Fixture.now)
      } == "member_pattern")
    #expect(
      await code {
        _ = try await service.mergeDeveloperIdentities(
          source: "Kj\u{E9}", destination: "x", provider: name, poolID: pool, at: Fixture.now)
      } == "member_pattern")
    let found = try await service.lookupDeveloperIdentity(poolID: pool, identityID: nil, user: "Kj\u{E9}")
    #expect(found.identityID == jane.identityID && found.users.elements == ["Kj\u{E9}"])
  }

  @Test(arguments: Fixture.Kind.allCases)
  func rolesAndIds(_ kind: Fixture.Kind) async throws {
    let world = try await World(kind)
    defer { world.f.remove() }
    let service = world.f.service
    let id = try await world.id([realm: world.openID])
    let token = try await service.issueOpenIDToken(for: id, logins: [realm: world.openID], at: Fixture.now)
      .token
    func assume(_ arn: String) async -> String {
      await code {
        _ = try await service.assumeRole(
          .init(roleARN: arn, sessionName: "Kk", token: token), at: Fixture.now)
      }
    }
    #expect(await assume(kelvin(role)) == "member_pattern")
    #expect(await assume(role + "e\u{301}") == "member_pattern")
    #expect(await assume(role) == "")
    #expect(
      await code {
        _ = try await service.issueCredentials(
          for: id, logins: [realm: world.openID], customRole: kelvin(role), at: Fixture.now)
      } == "custom_role_refused")
    #expect(
      await code {
        _ = try await service.assumeRole(
          .init(roleARN: role, sessionName: "\u{212A}K", token: token), at: Fixture.now)
      } == "member_pattern")
    // Pool and identity ids cannot have such a letter.
    for id in ["\u{212A}:0", "us-east-1:0e\u{301}"] {
      #expect(
        await code { _ = try await service.resolveIdentity(poolID: id, at: Fixture.now) } == "member_pattern")
      #expect(
        await code { _ = try await service.issueCredentials(for: id, at: Fixture.now) } == "member_pattern")
      #expect(await code { _ = try await service.describeIdentity(id) } == "member_pattern")
      #expect(await code { _ = try await service.describePool(id) } == "member_pattern")
    }
    #expect(try await service.verificationKey(for: "A\u{212A}IA" + String(repeating: "A", count: 16)) == nil)
    #expect(
      await code { _ = try IdentityPoolService.route("\u{212A}") }
        == "operation_unknown")
    // Another spelling of a tag's provider has no tags.
    #expect(try await service.principalTags(ofPool: world.pool.id, provider: realm).tags == ["K": "sub"])
    #expect(try await service.principalTags(ofPool: world.pool.id, provider: kelvin(realm)).tags == [:])
  }

  /// The audience of an unverified token is looked up only where it has the form of a pool's id.
  @Test(arguments: ["\u{212A}:0", "us-east-1", String(repeating: "a", count: 60) + ":0", "x:0e\u{301}", ""])
  func audiencesOfUnverifiedTokens(_ audience: String) async throws {
    let f = try await Fixture(.sqlite)
    defer { f.remove() }
    let token = try f.issuers.token("accounts.google.com", "u") { $0["aud"] = .string(audience) }
    let found = await code {
      _ = try await f.service.assumeRole(
        .init(roleARN: Fixture.role, sessionName: "me", token: token), at: Fixture.now)
    }
    #expect(found == "web_identity_refused")
  }
}
