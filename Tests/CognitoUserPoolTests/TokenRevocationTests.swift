internal import CognitoUserPool
internal import SecureRemotePassword
internal import Testing
internal import TokenSecurityBase

/// The end of sign-ins, on all nodes of a store.
@Suite struct TokenRevocationTests {
  @Test func revokingEndsOneSignIn() async throws {
    let f = try await TokenFixture()
    let other = try TokenFixture.service(f.store)
    let (first, second) = (try await f.signIn(), try await f.signIn())
    let token = try #require(first.refreshToken)
    let refreshed = try await f.refresh(token, by: other)
    #expect(await f.use(refreshed.accessToken, by: other) == "")
    try await f.service.sessions.revoke(token, client: f.client, context: f.context())
    for service in [f.service, other] {
      #expect(await errorCode { _ = try await f.refresh(token, by: service) } == "refresh_token_revoked")
      #expect(await f.use(first.accessToken, by: service) == "access_token_revoked")
      #expect(await f.use(refreshed.accessToken, by: service) == "access_token_revoked")
      #expect(await f.use(second.accessToken, by: service) == "")
    }
    // A second time it is no error.
    try await other.sessions.revoke(token, client: f.client, context: f.context())
    let open = try #require(second.refreshToken)
    #expect(await errorCode { _ = try await f.refresh(open, by: other) } == "")
  }

  /// A sign-in by operations has no session of hosted pages that is linked with it.
  @Test(arguments: [nil, "NONE", "LINKED"]) func linkedSessions(_ associated: String?) async throws {
    let pool = try await TestPool()
    try await pool.addUser()
    let (first, second) = (try await pool.signIn(), try await pool.signIn())
    var members: JSONObject = [
      "ClientId": .string(pool.client.id), "Token": .string(first.refresh ?? ""),
    ]
    members["RevokeAssociatedSessions"] = associated.map(JSONValue.string)
    try await pool.call("RevokeToken", members)
    #expect(
      await errorCode { try await pool.call("GetUser", ["AccessToken": .string(first.access)]) }
        == "access_token_revoked")
    try await pool.call("GetUser", ["AccessToken": .string(second.access)])
    members["RevokeAssociatedSessions"] = "ALL"
    #expect(await refusal { try await pool.call("RevokeToken", members) }.hasPrefix("InvalidParameter"))
  }

  @Test func aReplacedTokenRevokesItsSuccessors() async throws {
    let f = try await TokenFixture { _, client, _ in client.rotationGrace = 0 }
    let first = try #require(try await f.signIn().refreshToken)
    let second = try await f.refresh(first, replaces: true)
    try await f.service.sessions.revoke(first, client: f.client, context: f.context())
    #expect(await f.use(second.accessToken) == "access_token_revoked")
    let next = try #require(second.refreshToken)
    #expect(await errorCode { _ = try await f.refresh(next, replaces: true) } == "refresh_token_revoked")
  }

  @Test func onlyRefreshTokensOfTheClientAreRevoked() async throws {
    let f = try await TokenFixture()
    let tokens = try await f.signIn()
    let token = try #require(tokens.refreshToken)
    for other in [tokens.accessToken, tokens.idToken] {
      #expect(
        await errorCode { try await f.service.sessions.revoke(other, client: f.client, context: f.context()) }
          == "token_type_not_supported")
    }
    for unknown in ["unknown", token + "A"] {
      #expect(
        await errorCode {
          try await f.service.sessions.revoke(unknown, client: f.client, context: f.context())
        } == "")
    }
    var client = f.client
    client.id = "client2client2client2client2"
    #expect(
      await errorCode { try await f.service.sessions.revoke(token, client: client, context: f.context()) }
        == "client_not_authorized")
    client = f.client
    client.isRevocationEnabled = false
    #expect(
      await errorCode { try await f.service.sessions.revoke(token, client: client, context: f.context()) }
        == "operation_not_supported")
    #expect(await f.use(tokens.accessToken) == "")
  }

  @Test func signingOutEndsEverything() async throws {
    let f = try await TokenFixture()
    let other = try TokenFixture.service(f.store)
    let tokens = [try await f.signIn(), try await f.signIn()]
    try await other.sessions.signOut(tokens[0].accessToken, context: f.context())
    for issued in tokens {
      #expect(await f.use(issued.accessToken) == "access_token_revoked")
      let token = try #require(issued.refreshToken)
      #expect(await errorCode { _ = try await f.refresh(token) } == "refresh_token_revoked")
    }
    // The user's facts are those of before: a sign-in that was under way does not survive either.
    #expect(await f.use(try await f.signIn().accessToken) == "access_token_revoked")
    let user = try await f.store.read { [f] rows throws(UserPoolError) in
      try rows.user(canonicalName: f.user.canonicalName, in: f.pool)
    }
    let fresh = try await f.service.sessions.issueTokens(
      SignInFacts(
        pool: f.pool, client: f.client, user: try #require(user), authTime: TokenFixture.now),
      source: .signIn, context: f.context())
    #expect(await f.use(fresh.accessToken, by: other) == "")
  }

  @Test func administratorsSignUsersOut() async throws {
    let f = try await TokenFixture()
    let token = try await f.signIn().accessToken
    #expect(
      await errorCode {
        try await f.service.sessions.signOut(userNamed: "nobody", poolID: f.pool.id, context: f.context())
      }
        == "user_unknown")
    #expect(
      await errorCode {
        try await f.service.sessions.signOut(
          userNamed: "Jane", poolID: "us-east-1_None", context: f.context())
      }
        == "user_pool_unknown")
    #expect(await f.use(token) == "")
    try await f.service.sessions.signOut(userNamed: f.user.sub, poolID: f.pool.id, context: f.context())
    #expect(await f.use(token) == "access_token_revoked")
  }

  /// Identity pools ask whether a sign-in goes on.
  @Test func signInsAreAskedFor() async throws {
    let f = try await TokenFixture()
    let tokens = try await f.signIn()
    let origin = try #require(try await f.claims(tokens.idToken)["origin_jti"]?.string)
    func isSignedIn(sub: String? = nil, pool: String? = nil) async throws -> Bool {
      try await f.service.published.isSignedIn(
        originTokenID: origin, subject: sub ?? f.user.sub, poolID: pool ?? f.pool.id)
    }
    #expect(try await isSignedIn())
    #expect(try await !isSignedIn(sub: "11111111-5b7f-4c39-9a84-2f6be1d07c53"))
    #expect(try await !isSignedIn(pool: "us-east-1_Tokens002"))
    var user = f.user
    user.isEnabled = false
    try await f.put(user)
    #expect(try await !isSignedIn())
    try await f.put(f.user)
    #expect(try await isSignedIn())
    try await f.service.sessions.revoke(
      try #require(tokens.refreshToken), client: f.client, context: f.context())
    #expect(try await !isSignedIn())
  }
}
