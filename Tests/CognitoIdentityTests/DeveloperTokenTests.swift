internal import CognitoIdentity
internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityCrypto

/// Tokens for developers' users: their claims, lifetimes and refusals.
@Suite struct DeveloperTokenTests {
  @Test(arguments: Fixture.Kind.allCases)
  func tokenSaysWhoItIs(_ kind: Fixture.Kind) async throws {
    let fixture = try await Fixture(kind)
    defer { fixture.remove() }
    let issued = try await fixture.token("jane:of:colons")
    let token = try UnverifiedToken(issued.token)
    #expect(token.header.type == "JWS")
    #expect(token.header.algorithm == .rs512)
    #expect(token.header.keyID == fixture.service.keys.schedule.first?.keyID)
    #expect(token.claims.subject == issued.identityID)
    #expect(token.claims.audience == [fixture.pool.id])
    #expect(token.claims.issuer == "https://cognito-identity.amazonaws.com")
    let amr = token.claims["amr"]?.strings
    #expect(amr == ["authenticated", "login.my.app", "login.my.app:\(fixture.pool.id):jane:of:colons"])
    #expect(
      token.claims["https://cognito-identity.amazonaws.com/identity-pool-arn"]?.string
        == "arn:aws:cognito-identity:us-east-1:123456789012:identitypool/\(fixture.pool.id)")
    #expect(
      token.claims.object.names == [
        "sub", "aud", "amr", "iss", "https://cognito-identity.amazonaws.com/identity-pool-arn", "iat", "exp",
      ])
    // Verified with the pool's id alone.
    var policy = CognitoIdentityPoolRules(pool: try CognitoIdentityPool(fixture.pool.id)).policy
    policy.leeway = .seconds(0)
    let keys = try JWKSet(json: String(decoding: fixture.service.keys.keySet, as: UTF8.self))
    let verified = try TokenVerifier(keys: keys, policy: policy).verify(issued.token, at: Fixture.now)
    let logins = try CognitoLogins(verified)
    #expect(logins.isAuthenticated)
    let login = try #require(logins.logins.first)
    #expect(logins.logins.count == 1 && login.provider == "login.my.app" && login.source == .developer)
    #expect(login.userIdentifier == "jane:of:colons")
    // The second call finds the same identity.
    #expect(try await fixture.token("jane:of:colons").identityID == issued.identityID)
  }

  static let lives: [(Int64?, Int64?, String)] = [
    (nil, 900, ""), (1, 1, ""), (900, 900, ""), (86_400, 86_400, ""), (86_401, nil, "duration_too_long"),
    (0, nil, "duration_zero"), (-1, nil, "duration_negative"), (.max, nil, "duration_too_long"),
  ]

  @Test(arguments: lives)
  func lifeIsWhatWasAskedFor(_ asked: Int64?, _ given: Int64?, _ refusal: String) async throws {
    let fixture = try await Fixture(.memory)
    var life: Int64? = nil
    let code = await code {
      let claims = try await UnverifiedToken(fixture.token("jane", duration: asked).token).claims
      life = try #require(claims.expiration).seconds - (try #require(claims.issuedAt)).seconds
    }
    #expect(code == refusal)
    #expect(life == given)
    // A refused call stores nothing.
    let identities = try await fixture.service.listIdentities(inPool: fixture.pool.id, size: 60)
    #expect(identities.elements.count == (given == nil ? 0 : 1))
  }

  @Test func tagsAreInTheToken() async throws {
    let fixture = try await Fixture(.memory)
    let issued = try await fixture.service.issueDeveloperToken(
      poolID: fixture.pool.id, logins: [Fixture.developer: "jane"], tags: ["team": "blue", "floor": "3"],
      at: Fixture.now)
    let claims = try UnverifiedToken(issued.token).claims
    #expect(
      claims["https://aws.amazon.com/tags"]?.description
        == #"{"principal_tags":{"floor":["3"],"team":["blue"]}}"#)
  }

  static let refusals: [(String, NameMap<String>, String)] = [
    ("none", [:], "developer_logins"),
    ("public alone", ["accounts.google.com": "x"], "developer_logins"),
    ("another developer provider", ["login.other.app": "jane"], "developer_provider_unknown"),
    ("two", ["login.my.app": "jane", "login.other.app": "joe"], "developer_provider_unknown"),
    (
      "a developer token", ["login.my.app": "jane", "cognito-identity.amazonaws.com": "x"],
      "developer_token_misplaced"
    ),
    ("no user", ["login.my.app": ""], "member_length"),
    ("a user of 1,025", ["login.my.app": String(repeating: "x", count: 1_025)], "member_length"),
    (
      "eleven", NameMap(Dictionary(uniqueKeysWithValues: (0..<11).map { ("p\($0)", "x") })), "member_length"
    ),
    ("no token at all", ["login.my.app": "jane", "accounts.google.com": "not-a-token"], "login_refused"),
    ("an empty token", ["login.my.app": "jane", "accounts.google.com": ""], "member_length"),
    (
      "a token of 50,001",
      ["login.my.app": "jane", "accounts.google.com": String(repeating: "x", count: 50_001)],
      "member_length"
    ),
  ]

  @Test(arguments: refusals)
  func loginsMustBeRight(_ name: String, _ logins: NameMap<String>, _ expected: String) async throws {
    let fixture = try await Fixture(.memory)
    let found = await code {
      _ = try await fixture.service.issueDeveloperToken(
        poolID: fixture.pool.id, logins: logins, at: Fixture.now)
    }
    #expect(found == expected)
    #expect(try await fixture.service.listIdentities(inPool: fixture.pool.id, size: 60).elements.isEmpty)
  }

  @Test func longestIdentifiersAreTaken() async throws {
    let fixture = try await Fixture(.sqlite)
    defer { fixture.remove() }
    for user in [
      String(repeating: "ü", count: 1_024), "'; DROP TABLE login; --", "../../etc/passwd", "a\u{0}b", "a",
      "e\u{301}",
      "\u{e9}", "\u{FEFF}x", "100%_",
    ] {
      let first = try await fixture.token(user)
      #expect(try await fixture.token(user).identityID == first.identityID)
      let found = try await fixture.service.lookupDeveloperIdentity(
        poolID: fixture.pool.id, identityID: first.identityID, user: nil)
      #expect(found.users.elements.map { Array($0.utf8) } == [Array(user.utf8)])
    }
    #expect(try await fixture.service.listIdentities(inPool: fixture.pool.id, size: 60).elements.count == 9)
  }

  @Test func developerProviderIsSetOnce() async throws {
    let fixture = try await Fixture(.memory)
    func update(_ provider: String?) async -> String {
      let name = provider.map { ",\"DeveloperProviderName\":\"\($0)\"" } ?? ""
      let body =
        "{\"IdentityPoolId\":\"\(fixture.pool.id)\",\"IdentityPoolName\":\"n\",\"AllowUnauthenticatedIdentities\":false\(name)}"
      return await code { try await fixture.service.call("UpdateIdentityPool", body) }
    }
    #expect(await update("login.other.app") == "developer_provider_fixed")
    #expect(await update("login.my.app") == "")
    #expect(await update(nil) == "")
    #expect(try await fixture.service.describePool(fixture.pool.id).developerProviderName == "login.my.app")
    #expect(try await fixture.service.describePool(fixture.pool.id).allowsGuests == false)
  }

  /// Without `at:` the time is now.
  @Test func aTokenOfThePresent() async throws {
    let service = try Fixture.service(MemoryRecordStore(tables: IdentityTables.all))
    try await service.keys.maintain()
    let pool = try await service.createPool(named: "now") { $0.developerProviderName = Fixture.developer }
    let start = Timestamp.now
    let issued = try await service.issueDeveloperToken(
      poolID: pool.id, logins: ["login.my.app": "jane"], duration: .seconds(60))
    let claims = try UnverifiedToken(issued.token).claims
    let (issuedAt, expiration) = (try #require(claims.issuedAt), try #require(claims.expiration))
    #expect(expiration - issuedAt == .seconds(60))
    // Within an hour: the system's clock can be set meanwhile.
    #expect((start - .seconds(3_600)...start + .seconds(3_600)).contains(issuedAt))
  }
}
