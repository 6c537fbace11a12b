internal import CognitoUserPool
internal import SecureRemotePassword
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// Operations on tokens, as clients call them.
@Suite struct TokenOperationTests {
  private struct Given {
    let pool: TestPool
    let tokens: IssuedTokens

    /// The members that the client's requests have.
    func members(_ others: JSONObject = [:]) -> JSONObject {
      var members = others
      members["ClientId"] = .string(pool.client.id)
      members["ClientSecret"] = pool.clientSecret.map(JSONValue.string)
      return members
    }

    func call(_ operation: String, _ members: JSONObject) async -> String {
      await refusal { try await pool.call(operation, members) }
    }
  }

  /// A pool with a confidential client, and a user who has signed in.
  private func given(_ client: JSONObject = ["GenerateSecret": true]) async throws -> Given {
    let pool = try await TestPool(client: client)
    try await pool.addUser()
    let (id, clientID, now) = (pool.id, pool.client.id, pool.clock.time)
    let facts = try await pool.store.read { rows throws(UserPoolError) in
      let found = try rows.existingPool(id)
      guard let user = try rows.user(typed: TestPool.user, in: found) else { throw .userUnknown }
      return SignInFacts(
        pool: found, client: try rows.existingClient(clientID, of: found), user: user,
        authTime: now)
    }
    let tokens = try await pool.service.sessions.issueTokens(
      facts, source: .signIn, context: CallContext(at: now))
    return Given(pool: pool, tokens: tokens)
  }

  @Test func refreshTokensBecomeTokens() async throws {
    let g = try await given()
    let token = try #require(g.tokens.refreshToken)
    g.pool.clock.advance(by: .seconds(100))
    let answer = try await g.pool.call(
      "GetTokensFromRefreshToken", g.members(["RefreshToken": .string(token)]))
    let result = try #require(answer["AuthenticationResult"]?.object)
    #expect(
      Set(result.members.map(\.name)) == ["AccessToken", "ExpiresIn", "TokenType", "IdToken"])
    #expect(result["ExpiresIn"] == 3_600 && result["TokenType"] == "Bearer")
    let access = try #require(result["AccessToken"]?.string)
    #expect(await g.call("GlobalSignOut", ["AccessToken": .string(access)]) == "")
    #expect(
      await g.call("GlobalSignOut", ["AccessToken": .string(access)])
        == "NotAuthorizedException: Access Token has been revoked")
    #expect(
      await g.call("GetTokensFromRefreshToken", g.members(["RefreshToken": .string(token)]))
        == "NotAuthorizedException: Refresh Token has been revoked")
  }

  @Test func clientsProveTheirSecret() async throws {
    let g = try await given()
    let token = try #require(g.tokens.refreshToken)
    for (operation, member) in [("GetTokensFromRefreshToken", "RefreshToken"), ("RevokeToken", "Token")] {
      for secret in [nil, "000000000000000000000000"] as [String?] {
        var members = g.members([member: .string(token)])
        members["ClientSecret"] = secret.map(JSONValue.string)
        #expect(
          await errorCode { try await g.pool.call(operation, members) } == "client_secret_refused")
      }
      var members = g.members([member: .string(token)])
      members["ClientId"] = "unknown"
      #expect(
        await g.call(operation, members)
          == "ResourceNotFoundException: User pool client unknown does not exist.")
    }
    // A public client has none.
    let other = try await given([:])
    var members = other.members(["RefreshToken": .string(try #require(other.tokens.refreshToken))])
    #expect(await other.call("GetTokensFromRefreshToken", members) == "")
    members["ClientSecret"] = "000000000000000000000000"
    #expect(
      await errorCode { try await other.pool.call("GetTokensFromRefreshToken", members) }
        == "client_secret_refused")
  }

  @Test func tokensAreRevoked() async throws {
    let g = try await given()
    let token = try #require(g.tokens.refreshToken)
    #expect(
      await g.call("RevokeToken", g.members(["Token": .string(g.tokens.accessToken)])).hasPrefix(
        "UnsupportedTokenTypeException: "))
    #expect(await g.call("RevokeToken", g.members(["Token": "unknown"])) == "")
    #expect(try await g.pool.call("RevokeToken", g.members(["Token": .string(token)])).members.isEmpty)
    #expect(
      await g.call("GetTokensFromRefreshToken", g.members(["RefreshToken": .string(token)]))
        == "NotAuthorizedException: Refresh Token has been revoked")
    #expect(
      await g.call("GetTokensFromRefreshToken", g.members(["RefreshToken": "unknown"]))
        == "NotAuthorizedException: Invalid Refresh Token")
  }

  @Test func administratorsSignOutUsers() async throws {
    let g = try await given()
    try await g.pool.admin("AdminUserGlobalSignOut", ["Username": .string(TestPool.user)])
    #expect(
      await g.call("GlobalSignOut", ["AccessToken": .string(g.tokens.accessToken)])
        == "NotAuthorizedException: Access Token has been revoked")
    #expect(
      await refusal { try await g.pool.admin("AdminUserGlobalSignOut", ["Username": "unknown"]) }
        == "UserNotFoundException: User does not exist.")
  }

  @Test func accessTokensAreRefusedInAWSsWords() async throws {
    let g = try await given()
    #expect(
      await g.call("GlobalSignOut", ["AccessToken": .string(g.tokens.idToken)])
        == "NotAuthorizedException: Invalid Access Token")
    g.pool.clock.advance(by: .seconds(3_600))
    #expect(
      await g.call("GlobalSignOut", ["AccessToken": .string(g.tokens.accessToken)])
        == "NotAuthorizedException: Access Token has expired")
  }
}
