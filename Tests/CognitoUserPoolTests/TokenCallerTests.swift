internal import CognitoUserPool
internal import JOSE
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityCrypto

/// Checks of access tokens.
@Suite struct TokenCallerTests {
  @Test func theCallerIsTheUserAsStored() async throws {
    let f = try await TokenFixture()
    let tokens = try await f.signIn(device: "us-east-1_d1")
    var changed = f.user
    changed.attributes["name"] = "New"
    try await f.put(changed)
    let caller = try await f.service.callers.tokenCaller(tokens.accessToken, context: f.context())
    #expect(caller.user.sub == changed.sub && caller.user.attributes == changed.attributes)
    #expect(caller.pool.id == f.pool.id && caller.client.id == f.client.id)
    #expect(caller.deviceKey == "us-east-1_d1" && caller.clientID == f.client.id)
    #expect(try await f.claims(tokens.accessToken)["device_key"] == "us-east-1_d1")
    #expect(try await f.claims(tokens.idToken)["device_key"] == nil)
  }

  @Test func otherTokensAreRefused() async throws {
    let f = try await TokenFixture()
    let tokens = try await f.signIn()
    #expect(await f.use(tokens.accessToken) == "")
    #expect(await f.use(tokens.idToken) == "access_token_invalid")
    #expect(await f.use(try #require(tokens.refreshToken)) == "access_token_invalid")
    for text in ["", "a", "a.b.c", String(repeating: "A", count: 2 << 20), tokens.accessToken + "A"] {
      #expect(await f.use(text) == "access_token_invalid")
    }
    // Signed by a key of nobody, with the id of a published key.
    let parsed = try UnverifiedToken(tokens.accessToken)
    let forged = try TokenSigner(
      key: VectorKeys.rsa(40, keyID: parsed.header.keyID), type: nil
    ).sign(parsed.claims)
    #expect(await f.use(forged) == "access_token_invalid")
    let unknown = try TokenSigner(key: VectorKeys.rsa(41, keyID: "unknown"), type: nil).sign(
      parsed.claims)
    #expect(await f.use(unknown) == "access_token_invalid")
    // Signed by the key of ID tokens.
    var claims = try UnverifiedToken(tokens.idToken).claims
    claims["token_use"] = "access"
    let mixed = try await f.service.keyRings.keys(of: f.pool.id).id.signer(at: TokenFixture.now).sign(claims)
    #expect(await f.use(mixed) == "access_token_invalid")
  }

  @Test func tokensOfOtherPoolsAreRefused() async throws {
    let f = try await TokenFixture()
    let g = try await TokenFixture { pool, _, _ in pool.id = "us-east-1_Tokens002" }
    let token = try await g.signIn().accessToken
    #expect(await f.use(token) == "user_pool_unknown")
    // The same pool id with other keys.
    let h = try await TokenFixture(keyMaker: .vectors(from: 24))
    #expect(await f.use(try await h.signIn().accessToken) == "access_token_invalid")
    var claims = try UnverifiedToken(token).claims
    for issuer in [
      "https://cognito-idp.us-east-1.amazonaws.com/", "https://cognito-idp.us-east-1.amazonaws.com/x",
      "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Tokens001/", "us-east-1_Tokens001",
      "https://example.com/us-east-1_Tokens001",
    ] {
      claims["iss"] = .string(issuer)
      let ring = try await g.service.keyRings.keys(of: g.pool.id).access
      #expect(await f.use(try ring.signer(at: TokenFixture.now).sign(claims)) == "access_token_invalid")
    }
  }

  /// Rows live at the time of the call, as the token does.
  @Test func theTimeIsThatOfTheCall() async throws {
    let f = try await TokenFixture()
    let token = try await f.signIn().accessToken
    let id = try #require(try await f.claims(token)["origin_jti"]?.string)
    let poolID = f.pool.id
    try await f.store.write { rows throws(UserPoolError) in
      guard var row = try rows.signIn(id, in: poolID) else { throw .accessTokenInvalid }
      row.kept = TokenFixture.now + .seconds(10)
      try rows.put(row)
    }
    #expect(await f.use(token, at: TokenFixture.now + .seconds(9)) == "")
    #expect(await f.use(token, at: TokenFixture.now + .seconds(10)) == "access_token_revoked")
  }

  @Test func tokensExpire() async throws {
    let f = try await TokenFixture()
    let token = try await f.signIn().accessToken
    let end = TokenFixture.now + .seconds(3_600)
    #expect(await f.use(token, at: end - .seconds(1)) == "")
    #expect(await f.use(token, at: end) == "access_token_expired")
    // An expired token that is not the pool's is not called expired.
    let g = try await TokenFixture(keyMaker: .vectors(from: 24))
    #expect(await f.use(try await g.signIn().accessToken, at: end) == "access_token_invalid")
  }

  @Test func whoIsGoneIsRefused() async throws {
    let f = try await TokenFixture()
    let token = try await f.signIn().accessToken
    var user = f.user
    user.isEnabled = false
    try await f.put(user)
    #expect(await f.use(token) == "user_disabled")
    user.isEnabled = true
    user.sub = "11111111-5b7f-4c39-9a84-2f6be1d07c53"
    try await f.put(user)
    // Another user with the name of a deleted one.
    #expect(await f.use(token) == "user_unknown")
    try await f.put(f.user)
    #expect(await f.use(token) == "")
    let client = f.client
    try await f.store.write { rows throws(UserPoolError) in
      try rows.delete(RecordKey(client.id), from: UserPoolTables.clients)
    }
    #expect(await f.use(token) == "app_client_unknown")
    try await f.put(client)
    var pool = f.pool
    pool.isRemoved = true
    try await f.put(pool)
    #expect(await f.use(token) == "user_pool_unknown")
  }

  @Test func revokedKeysTokensAreRefused() async throws {
    let f = try await TokenFixture()
    let token = try await f.signIn().accessToken
    let other = try TokenFixture.service(f.store)
    #expect(await f.use(token, by: other) == "")
    let ring = try await f.service.keyRings.keys(of: f.pool.id).access
    try await ring.revoke(try #require(ring.schedule.first?.keyID), at: TokenFixture.now)
    #expect(await f.use(token) == "access_token_invalid")
    #expect(await f.use(token, by: other) == "access_token_invalid")
    // The other node finds the new key.
    #expect(await f.use(try await f.signIn().accessToken, by: other) == "")
  }
}
