internal import CognitoUserPool
internal import JOSE
internal import Testing
internal import TokenSecurityBase

/// The claims of ID tokens and access tokens.
@Suite struct TokenClaimsTests {
  private func names(_ claims: JSONObject) -> Set<String> { Set(claims.members.map(\.name)) }

  @Test func tokensHaveTheirClaimsAndNoOthers() async throws {
    let f = try await TokenFixture { pool, _, user in
      user.attributes = ["email": "jane@example.com", "email_verified": "true"]
    }
    let tokens = try await f.signIn()
    let id = try await f.claims(tokens.idToken)
    let access = try await f.claims(tokens.accessToken)
    #expect(
      names(id) == [
        "sub", "email", "email_verified", "cognito:username", "aud", "iss", "origin_jti", "event_id",
        "token_use", "auth_time", "exp", "iat", "jti",
      ])
    #expect(
      names(access) == [
        "sub", "client_id", "iss", "origin_jti", "event_id", "token_use", "auth_time", "exp", "iat", "jti",
        "scope", "username",
      ])
    #expect(id["sub"]?.string == f.user.sub)
    #expect(id["aud"]?.string == f.client.id)
    #expect(id["iss"]?.string == "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Tokens001")
    #expect(id["token_use"]?.string == "id")
    #expect(id["cognito:username"]?.string == "Jane")
    #expect(id["auth_time"]?.int64 == 1_800_000_000)
    #expect(id["iat"]?.int64 == 1_800_000_000)
    #expect(id["exp"]?.int64 == 1_800_003_600)
    #expect(access["client_id"]?.string == f.client.id)
    #expect(access["token_use"]?.string == "access")
    #expect(access["scope"]?.string == "aws.cognito.signin.user.admin")
    #expect(access["username"]?.string == "Jane")
    for name in ["origin_jti", "event_id", "iss", "sub", "auth_time"] { #expect(id[name] == access[name]) }
    #expect(id["jti"] != access["jti"])
    for name in ["jti", "origin_jti", "event_id"] {
      #expect(UUIDText.isUUID(try #require(id[name]?.string)))
    }
    #expect(tokens.lifetime == .seconds(3_600))
  }

  @Test func eachTokenHasItsKey() async throws {
    let f = try await TokenFixture()
    let tokens = try await f.signIn()
    let id = try UnverifiedToken(tokens.idToken).header
    let access = try UnverifiedToken(tokens.accessToken).header
    #expect(Set(id.parameters.members.map(\.name)) == ["alg", "kid"])
    #expect(id.algorithm == .rs256 && access.algorithm == .rs256)
    #expect(id.keyID != access.keyID)
    let text = String(decoding: try await f.service.published.keySet(ofPool: f.pool.id), as: UTF8.self)
    let keys = try #require(JSONValue(parsing: text).object?["keys"]?.array)
    #expect(keys.count == 2)
    for key in keys {
      let members = try #require(key.object)
      #expect(Set(members.members.map(\.name)) == ["alg", "e", "kid", "kty", "n", "use"])
      let thumbprint = try #require(try JWKSet(json: text).keys.first { $0.keyID == members["kid"]?.string })
        .thumbprint()
      // One key of 64 has a thumbprint that begins with a hyphen, which its id leaves out.
      #expect(String(thumbprint.drop { $0 == "-" }.prefix(16)) == members["kid"]?.string)
    }
    #expect(
      Set(keys.compactMap { $0.object?["kid"]?.string }) == Set([id.keyID, access.keyID].compactMap { $0 }))
  }

  @Test func attributesHaveTheirTypes() async throws {
    let f = try await TokenFixture { _, client, user in
      user.attributes = [
        "email": "jane@example.com", "email_verified": "true", "phone_number": "+491234567",
        "phone_number_verified": "false", "address": "Main Street 1", "updated_at": "1700000000",
        "custom:plan": "gold", "dev:custom:rank": "9",
      ]
      client.readAttributes = [
        "email", "email_verified", "phone_number", "phone_number_verified", "address", "updated_at",
        "custom:plan", "dev:custom:rank",
      ]
    }
    let id = try await f.claims(f.signIn().idToken)
    #expect(id["email_verified"] == .bool(true))
    #expect(id["phone_number_verified"] == .bool(false))
    #expect(id["address"] == .object(["formatted": "Main Street 1"]))
    #expect(id["updated_at"] == "1700000000")
    #expect(id["custom:plan"] == "gold")
    #expect(id["dev:custom:rank"] == nil)
  }

  @Test func clientsSeeWhatTheyRead() async throws {
    let attributes: [ExactString: String] = [
      "email": "jane@example.com", "email_verified": "true", "name": "Jane", "custom:plan": "gold",
    ]
    let some = try await TokenFixture { _, client, user in
      user.attributes = attributes
      client.readAttributes = ["name"]
    }
    let shown = names(try await some.claims(some.signIn().idToken))
    #expect(shown.contains("name"))
    #expect(shown.isDisjoint(with: ["email", "email_verified", "custom:plan"]))
    // A client that names none reads the standard attributes.
    let standard = try await TokenFixture { _, _, user in user.attributes = attributes }
    let all = names(try await standard.claims(standard.signIn().idToken))
    #expect(all.isSuperset(of: ["name", "email", "email_verified"]))
    #expect(!all.contains("custom:plan"))
    #expect(!names(try await standard.claims(standard.signIn().accessToken)).contains("email"))
  }

  @Test func lifetimesHaveUnits() async throws {
    let f = try await TokenFixture { _, client, _ in
      (client.accessLifetime, client.accessUnit) = (5, .minutes)
      (client.idLifetime, client.idUnit) = (1, .days)
      (client.refreshLifetime, client.refreshUnit) = (3_600, .seconds)
    }
    let tokens = try await f.signIn()
    #expect(tokens.lifetime == .seconds(300))
    #expect(try await f.claims(tokens.accessToken)["exp"]?.int64 == 1_800_000_300)
    #expect(try await f.claims(tokens.idToken)["exp"]?.int64 == 1_800_086_400)
    let refresh = try #require(tokens.refreshToken)
    let end = TokenFixture.now + .seconds(3_600)
    #expect(await errorCode { _ = try await f.refresh(refresh, at: end - .seconds(1)) } == "")
    #expect(await errorCode { _ = try await f.refresh(refresh, at: end) } == "refresh_token_expired")
  }

  @Test func theIssuerIsSettable() async throws {
    let f = try await TokenFixture(settings: .init(issuerPrefix: "http://127.0.0.1:8080"))
    let tokens = try await f.signIn()
    let issuer = "http://127.0.0.1:8080/us-east-1_Tokens001"
    #expect(try await f.claims(tokens.idToken)["iss"]?.string == issuer)
    #expect(await f.use(tokens.accessToken) == "")
    let text = String(
      decoding: try await f.service.published.discoveryDocument(ofPool: f.pool.id), as: UTF8.self)
    let document = try #require(JSONValue(parsing: text).object)
    #expect(document["issuer"]?.string == issuer)
    #expect(document["jwks_uri"]?.string == issuer + "/.well-known/jwks.json")
    // The service may be reached at another address than the issuer's.
    let elsewhere = try await f.service.published.discoveryDocument(
      ofPool: f.pool.id, at: "https://id.example.com")
    let other = try #require(JSONValue(parsing: elsewhere).object)
    #expect(other["issuer"]?.string == issuer)
    #expect(other["jwks_uri"]?.string == "https://id.example.com/\(f.pool.id)/.well-known/jwks.json")
    // A node with another setting does not accept the tokens.
    let node = try TokenFixture.service(f.store)
    #expect(await f.use(tokens.accessToken, by: node) == "access_token_invalid")
  }

  /// Cognito's two issuers (botocore 1.43.117, `IssuerConfiguration`). A pool that changes its form takes no token back.
  @Test func theFormOfTheIssuerIsThePools() async throws {
    let f = try await TokenFixture()
    let issued = try await f.signIn()
    var pool = f.pool
    pool.hasUpdatedIssuer = true
    try await f.put(pool)
    let tokens = try await f.service.sessions.issueTokens(
      SignInFacts(pool: pool, client: f.client, user: f.user, authTime: TokenFixture.now),
      source: .signIn, context: f.context())
    let issuer = "https://issuer-cognito-idp.us-east-1.amazonaws.com/us-east-1_Tokens001"
    for token in [tokens.accessToken, tokens.idToken] {
      #expect(try UnverifiedToken(token).claims.issuer == issuer)
    }
    for token in [issued.accessToken, tokens.accessToken] { #expect(await f.use(token) == "") }
    let text = String(
      decoding: try await f.service.published.discoveryDocument(ofPool: pool.id), as: UTF8.self)
    let document = try #require(JSONValue(parsing: text).object)
    #expect(document["issuer"]?.string == issuer)
    #expect(document["jwks_uri"]?.string == issuer + "/.well-known/jwks.json")
    // Another region's address is not this service's.
    let elsewhere = try TokenFixture.service(f.store, settings: .init(region: "eu-west-1"))
    #expect(await f.use(tokens.accessToken, by: elsewhere) == "access_token_invalid")
  }

  @Test func groupsComeByPrecedenceWithTheirRoles() async throws {
    let f = try await TokenFixture()
    try await f.join("readers", role: "arn:aws:iam::123456789012:role/reader")
    try await f.join("writers", role: "arn:aws:iam::123456789012:role/writer", precedence: 5)
    try await f.join("admins", precedence: 0)
    try await f.join("auditors", role: "arn:aws:iam::123456789012:role/reader")
    let tokens = try await f.signIn()
    let id = try await f.claims(tokens.idToken)
    #expect(id["cognito:groups"] == ["admins", "writers", "auditors", "readers"])
    #expect(
      id["cognito:roles"] == [
        "arn:aws:iam::123456789012:role/writer", "arn:aws:iam::123456789012:role/reader",
      ])
    #expect(id["cognito:preferred_role"] == "arn:aws:iam::123456789012:role/writer")
    let access = try await f.claims(tokens.accessToken)
    #expect(access["cognito:groups"] == ["admins", "writers", "auditors", "readers"])
    #expect(access["cognito:roles"] == nil && access["cognito:preferred_role"] == nil)
  }

  @Test(
    arguments: [
      ([("a", 1, "r1"), ("b", 2, "r2")], "r1"), ([("a", 1, "r1"), ("b", 1, "r1")], "r1"),
      ([("a", 1, "r1"), ("b", 1, "r2")], nil), ([("a", 1, nil), ("b", 2, "r2")], "r2"),
      ([("a", nil, "r1")], "r1"), ([("a", 0, "r1"), ("b", nil, "r2")], "r1"), ([], nil),
    ] as [([(String, Int64?, String?)], String?)])
  func preferredRoles(_ groups: [(String, Int64?, String?)], _ preferred: String?) {
    let found = TokenGroups(
      groups.map { (name, precedence, role) in
        var group = UserGroup()
        (group.name, group.precedence, group.roleARN) = (name, precedence, role)
        return group
      })
    #expect(found.preferredRole == preferred)
  }
}
