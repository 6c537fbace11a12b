@testable internal import CognitoUserPool
internal import JOSE
internal import Testing
internal import TokenSecurityBase

/// Changes of PreTokenGeneration in tokens.
@Suite struct TokenHookTests {
  private static let function = "arn:aws:lambda:us-east-1:123456789012:function:tokens"

  private func fixture(_ response: String, version: String = "V1_0") async throws -> TokenFixture {
    try await TokenFixture(hooks: FixedFunctions(responses: [Self.function: response])) { pool, _, user in
      pool.hooks = ["PreTokenGeneration": Self.function]
      pool.tokenHookVersion = version
      user.attributes = ["email": "jane@example.com", "name": "Jane"]
    }
  }

  @Test func claimsAreAddedReplacedAndSuppressed() async throws {
    let f = try await fixture(
      #"""
      {"response": {"claimsOverrideDetails": {
        "claimsToAddOrOverride": {"tier": "gold", "name": "J", "sub": "x", "cognito:username": "x", "aud": "x"},
        "claimsToSuppress": ["email", "iss", "token_use"],
        "groupOverrideDetails": {"groupsToOverride": ["g1", "g2"], "iamRolesToOverride": ["r1"],
          "preferredRole": "r1"}}}}
      """#)
    try await f.join("original", role: "r0", precedence: 1)
    let tokens = try await f.signIn()
    let id = try await f.claims(tokens.idToken)
    #expect(id["tier"] == "gold" && id["name"] == "J" && id["email"] == nil)
    #expect(id["sub"]?.string == f.user.sub && id["cognito:username"] == "Jane")
    #expect(id["aud"]?.string == f.client.id && id["token_use"] == "id")
    #expect(id["cognito:groups"] == ["g1", "g2"])
    #expect(id["cognito:roles"] == ["r1"] && id["cognito:preferred_role"] == "r1")
    let access = try await f.claims(tokens.accessToken)
    #expect(access["cognito:groups"] == ["g1", "g2"])
    #expect(access["tier"] == nil)
  }

  @Test func accessTokensChangeWithLaterEvents() async throws {
    let f = try await fixture(
      #"""
      {"response": {"claimsAndScopeOverrideDetails": {
        "idTokenGeneration": {"claimsToAddOrOverride": {"limits": {"daily": 5}}, "claimsToSuppress": ["name"]},
        "accessTokenGeneration": {
          "claimsToAddOrOverride": {"tenant": "t1", "client_id": "x", "scope": "x", "username": "x"},
          "claimsToSuppress": ["event_id", "origin_jti"],
          "scopesToAdd": ["orders/read"], "scopesToSuppress": ["aws.cognito.signin.user.admin"]}}}}
      """#, version: "V2_0")
    let tokens = try await f.signIn()
    let id = try await f.claims(tokens.idToken)
    #expect(id["limits"] == .object(["daily": 5]) && id["name"] == nil)
    let access = try await f.claims(tokens.accessToken)
    #expect(access["tenant"] == "t1" && access["scope"] == "orders/read")
    #expect(access["client_id"]?.string == f.client.id && access["username"] == "Jane")
    #expect(access["origin_jti"] != nil && access["event_id"] != nil)
    #expect(await f.use(tokens.accessToken) == "access_token_scope")
  }

  /// Whatever changes are asked for, reserved claims stay.
  @Test(arguments: [
    "acr", "amr", "aud", "at_hash", "auth_time", "azp", "cognito:username", "exp", "iat", "identities", "iss",
    "jti", "nbf", "nonce", "origin_jti", "sub", "token_use",
  ])
  func reservedClaimsStay(_ name: String) async throws {
    var changes = ClaimChanges()
    changes.added = [ExactString(name): "other"]
    var suppressing = ClaimChanges()
    suppressing.suppressed = [ExactString(name)]
    var contents = TokenContents(
      pool: UserPool(), client: UserPoolClient(), user: User(), groups: TokenGroups(), changes: nil,
      issuer: "i", signInID: "o", deviceKey: nil, signedIn: TokenFixture.now, eventID: "e",
      now: TokenFixture.now)
    let plain = (contents.idToken(tokenID: "t")[name], contents.accessToken(tokenID: "t")[name])
    for change in [changes, suppressing] {
      var all = TokenChanges()
      (all.idToken, all.accessToken) = (change, change)
      contents.changes = all
      #expect(contents.idToken(tokenID: "t")[name] == plain.0)
      #expect(contents.accessToken(tokenID: "t")[name] == plain.1)
    }
  }

  @Test func aFunctionThatFailsFailsTheCall() async throws {
    let f = try await TokenFixture(hooks: FixedFunctions(responses: [:])) { pool, _, _ in
      pool.hooks = ["PreTokenGeneration": Self.function]
    }
    #expect(await errorCode { _ = try await f.signIn() } == "hook_failed")
    let rows = try await f.store.read { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.signIns, limit: 10)
    }
    #expect(rows == 0)
    let broken = try await fixture("[]")
    #expect(await errorCode { _ = try await broken.signIn() } == "hook_response_invalid")
  }
}
