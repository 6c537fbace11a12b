internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// App clients: ids, secrets, settings, pages.
@Suite struct PoolsClientTests {
  @Test func aClientHasItsDefaults() async throws {
    let s = try PoolsService()
    let pool = try await s.makePoolID()
    let client = try await s.makeClient(pool)
    let id = try #require(client["ClientId"]?.string)
    #expect(id.wholeMatch(of: /[0-9a-z]{26}/) != nil)
    #expect(client["ClientSecret"] == nil && client["UserPoolId"]?.string == pool)
    #expect(client["RefreshTokenValidity"]?.int64 == 30 && client["AccessTokenValidity"] == nil)
    #expect(client["PreventUserExistenceErrors"]?.string == "LEGACY")
    #expect(client["EnableTokenRevocation"]?.bool == true)
    #expect(client["EnablePropagateAdditionalUserContextData"]?.bool == false)
    #expect(client["AuthSessionValidity"]?.int64 == 3)
    #expect(client["ExplicitAuthFlows"] == nil && client["RefreshTokenRotation"] == nil)
    let name = #"{"UserPoolId":"\#(pool)","ClientId":"\#(id)"}"#
    #expect(try await s.call("DescribeUserPoolClient", name)["UserPoolClient"] == .object(client))
  }

  @Test func secretsAreMadeOrGivenAndStay() async throws {
    let s = try PoolsService()
    let pool = try await s.makePoolID()
    let client = try await s.makeClient(pool, #""GenerateSecret":true"#)
    let (id, secret) = (client["ClientId"]?.string ?? "", client["ClientSecret"]?.string ?? "")
    #expect(secret.wholeMatch(of: /[0-9a-z]{52}/) != nil)
    let updated = try await s.call("UpdateUserPoolClient", #"{"UserPoolId":"\#(pool)","ClientId":"\#(id)"}"#)
    #expect(updated.at("UserPoolClient", "ClientSecret")?.string == secret)
    #expect(updated.at("UserPoolClient", "ClientName")?.string == "app")

    let given = "abcdefghijklmnopqrstuvwxyz"
    let own = try await s.makeClient(pool, #""ClientSecret":"\#(given)""#)
    #expect(own["ClientSecret"]?.string == given)
    let both = #"{"UserPoolId":"\#(pool)","ClientName":"a","GenerateSecret":true,"ClientSecret":"\#(given)"}"#
    #expect(await s.code("CreateUserPoolClient", both) == "user_pool_parameter_refused")
    let short = #"{"UserPoolId":"\#(pool)","ClientName":"a","ClientSecret":"short"}"#
    let refusal = await s.refusal("CreateUserPoolClient", short)
    #expect(refusal?.codeText == "member_length" && refusal?.description.contains("short") == false)
  }

  @Test func anUpdateReplacesAllSettings() async throws {
    let s = try PoolsService()
    let pool = try await s.makePoolID()
    let client = try await s.makeClient(
      pool,
      #"""
      "RefreshTokenValidity":90,"AccessTokenValidity":10,"IdTokenValidity":2,
      "TokenValidityUnits":{"AccessToken":"minutes","IdToken":"hours","RefreshToken":"minutes"},
      "ReadAttributes":["email","email_verified"],"WriteAttributes":["email"],
      "ExplicitAuthFlows":["ALLOW_USER_PASSWORD_AUTH","ALLOW_REFRESH_TOKEN_AUTH"],
      "PreventUserExistenceErrors":"ENABLED","EnableTokenRevocation":false,"AuthSessionValidity":15,
      "RefreshTokenRotation":{"Feature":"ENABLED","RetryGracePeriodSeconds":30},
      "CallbackURLs":["https://a.example/"],"AllowedOAuthFlows":["code"],"AllowedOAuthScopes":["openid"],
      "SupportedIdentityProviders":["COGNITO"],"AllowedOAuthFlowsUserPoolClient":true
      """#)
    #expect(client["RefreshTokenValidity"]?.int64 == 90 && client["AccessTokenValidity"]?.int64 == 10)
    #expect(client.at("TokenValidityUnits", "AccessToken")?.string == "minutes")
    #expect(client.texts("ReadAttributes") == ["email", "email_verified"])
    #expect(client.texts("ExplicitAuthFlows") == ["ALLOW_USER_PASSWORD_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"])
    #expect(client["PreventUserExistenceErrors"]?.string == "ENABLED")
    #expect(client["EnableTokenRevocation"]?.bool == false && client["AuthSessionValidity"]?.int64 == 15)
    #expect(client.at("RefreshTokenRotation", "RetryGracePeriodSeconds")?.int64 == 30)
    #expect(client.texts("CallbackURLs") == ["https://a.example/"])
    #expect(client.texts("AllowedOAuthScopes") == ["openid"])
    #expect(client["AllowedOAuthFlowsUserPoolClient"]?.bool == true)
    #expect(client.texts("SupportedIdentityProviders") == ["COGNITO"])

    let id = try #require(client["ClientId"]?.string)
    let answer = try await s.call(
      "UpdateUserPoolClient", #"{"UserPoolId":"\#(pool)","ClientId":"\#(id)","ClientName":"new"}"#)
    let updated = try #require(answer["UserPoolClient"]?.object)
    var fresh = try await s.makeClient(pool)
    fresh["ClientId"] = .string(id)
    fresh["ClientName"] = "new"
    #expect(updated == fresh)
  }

  @Test(arguments: [
    (#""ExplicitAuthFlows":["ADMIN_NO_SRP_AUTH","ALLOW_USER_SRP_AUTH"]"#, "user_pool_parameter_refused"),
    (#""ExplicitAuthFlows":["ALLOW_TOKEN_EXCHANGE_DELEGATION"]"#, "user_pool_parameter_refused"),
    (#""ExplicitAuthFlows":["ALLOW_NOTHING"]"#, "member_choice"),
    (
      #""AccessTokenValidity":4,"TokenValidityUnits":{"AccessToken":"minutes"}"#,
      "user_pool_parameter_refused"
    ),
    (#""AccessTokenValidity":25"#, "user_pool_parameter_refused"),
    (#""IdTokenValidity":2,"TokenValidityUnits":{"IdToken":"days"}"#, "user_pool_parameter_refused"),
    (
      #""RefreshTokenValidity":59,"TokenValidityUnits":{"RefreshToken":"minutes"}"#,
      "user_pool_parameter_refused"
    ),
    (#""RefreshTokenValidity":3651"#, "user_pool_parameter_refused"),
    (#""RefreshTokenValidity":315360001"#, "member_range"),
    (#""AuthSessionValidity":2"#, "member_range"),
    (#""RefreshTokenRotation":{"Feature":"ENABLED","RetryGracePeriodSeconds":61}"#, "member_range"),
    (#""ReadAttributes":["custom:none"]"#, "user_pool_parameter_refused"),
    (#""WriteAttributes":["email","sub"]"#, "user_pool_parameter_refused"),
    (#""WriteAttributes":["email","email_verified"]"#, "user_pool_parameter_refused"),
    (#""WriteAttributes":["name"]"#, "user_pool_parameter_refused"),
  ])
  func settingsAreChecked(_ settings: String, _ code: String) async throws {
    let s = try PoolsService()
    let pool = try await s.makePoolID(#""Schema":[{"Name":"email","Required":true}]"#)
    let refusal = await s.refusal(
      "CreateUserPoolClient", #"{"UserPoolId":"\#(pool)","ClientName":"a",\#(settings)}"#)
    #expect(refusal?.codeText == code && refusal?.type == "InvalidParameterException")
  }

  @Test func lifetimesMayBeAtTheirBounds() async throws {
    let s = try PoolsService()
    let pool = try await s.makePoolID()
    _ = try await s.makeClient(pool, #""AccessTokenValidity":24,"IdTokenValidity":24"#)
    _ = try await s.makeClient(pool, #""RefreshTokenValidity":3650"#)
    let client = try await s.makeClient(
      pool,
      #""AccessTokenValidity":300,"RefreshTokenValidity":60,"TokenValidityUnits":{"AccessToken":"seconds","RefreshToken":"minutes"}"#
    )
    #expect(client["RefreshTokenValidity"]?.int64 == 60)
    let zero = try await s.makeClient(
      pool, #""RefreshTokenValidity":0,"TokenValidityUnits":{"RefreshToken":"hours"}"#)
    #expect(zero["RefreshTokenValidity"]?.int64 == 720)
  }

  @Test func clientsBelongToTheirPool() async throws {
    let s = try PoolsService()
    let (pool, other) = (try await s.makePoolID(), try await s.makePoolID())
    let id = try #require(try await s.makeClient(pool)["ClientId"]?.string)
    for operation in ["DescribeUserPoolClient", "UpdateUserPoolClient", "DeleteUserPoolClient"] {
      #expect(
        await s.code(operation, #"{"UserPoolId":"\#(other)","ClientId":"\#(id)"}"#) == "app_client_unknown")
    }
    let name = #"{"UserPoolId":"\#(pool)","ClientId":"\#(id)"}"#
    try await s.call("DeleteUserPoolClient", name)
    let refusal = await s.refusal("DescribeUserPoolClient", name)
    #expect(refusal == .clientUnknown(id) && refusal?.type == "ResourceNotFoundException")
    #expect(refusal?.description == "User pool client \(id) does not exist.")
  }

  @Test func clientsAreListedInPages() async throws {
    let s = try PoolsService(settings: .init(region: "eu-west-1", clientLimit: 3))
    let (pool, other) = (try await s.makePoolID(), try await s.makePoolID())
    var made: Set<ExactString> = []
    for _ in 0..<3 {
      made.insert(ExactString(try #require(try await s.makeClient(pool)["ClientId"]?.string)))
      _ = try await s.makeClient(other)
    }
    #expect(
      await s.code("CreateUserPoolClient", #"{"UserPoolId":"\#(pool)","ClientName":"a"}"#)
        == "limit_reached")
    let first = try await s.call("ListUserPoolClients", #"{"UserPoolId":"\#(pool)","MaxResults":2}"#)
    let token = try #require(first["NextToken"]?.string)
    let rest = try await s.call(
      "ListUserPoolClients", #"{"UserPoolId":"\#(pool)","MaxResults":2,"NextToken":"\#(token)"}"#)
    let listed = [first, rest].flatMap { $0["UserPoolClients"]?.array ?? [] }
    #expect(Set(listed.compactMap { $0.object?["ClientId"]?.string.map { ExactString($0) } }) == made)
    #expect(listed.count == 3 && rest["NextToken"] == nil)
    // A token is bound to its pool and its operation.
    #expect(
      await s.code("ListUserPoolClients", #"{"UserPoolId":"\#(other)","NextToken":"\#(token)"}"#)
        == "page_token_invalid")
    #expect(
      await s.code("ListGroups", #"{"UserPoolId":"\#(pool)","NextToken":"\#(token)"}"#)
        == "page_token_invalid")
  }
}
