internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase

/// `aud` of a user pool's access tokens: absent, the client, or the token's resource.
@Suite struct CognitoAudienceTests {
  static let pool = "eu-west-1_Example01"
  static let api = "https://api.example/orders"
  static let access: JSONObject = [
    "iss": .string("https://cognito-idp.eu-west-1.amazonaws.com/\(pool)"), "sub": "jane", "client_id": "c-1",
    "token_use": "access", "custom:level": 3,
  ]
  static let id = access.with(["client_id": .null, "token_use": "id", "aud": "c-1"])

  private func code(
    _ audience: JSONValue?, _ use: CognitoUserPoolIssuer.Use, _ clients: JOSE.Expectation<String>,
    _ resources: [String]
  ) throws -> String? {
    let rules = CognitoUserPoolRules(
      pool: try CognitoUserPoolIssuer(Self.pool), use: use, clientIDs: clients, resources: resources)
    var claims = Self.access
    claims["aud"] = audience
    return try SignedTokens.code(SignedTokens.token(claims), rules.policy)
  }

  @Test(
    arguments: [CognitoUserPoolIssuer.Use.access, .either],
    ["c-1", .unchecked(because: "any")] as [JOSE.Expectation<String>])
  func withoutResources(_ use: CognitoUserPoolIssuer.Use, _ clients: JOSE.Expectation<String>) throws {
    #expect(try code(nil, use, clients, []) == nil)
    #expect(try code("c-1", use, clients, []) == nil)
    #expect(try code(["c-1"], use, clients, []) == nil)
    #expect(try code("c-2", use, clients, []) == "audience_mismatch")
    #expect(try code(["c-1", "c-2"], use, clients, []) == "audience_mismatch")
    #expect(try code([], use, clients, []) == "audience_mismatch")
    #expect(try code(.string(Self.api), use, clients, []) == "audience_mismatch")
    #expect(try code(["c-1", .string(Self.api)], use, clients, []) == "audience_mismatch")
    #expect(try code(5, use, clients, []) == "claim_type")
  }

  @Test(arguments: [CognitoUserPoolIssuer.Use.access, .either])
  func withResources(_ use: CognitoUserPoolIssuer.Use) throws {
    let resources = [Self.api, "https://api.example/bills"]
    #expect(try code(.string(Self.api), use, "c-1", resources) == nil)
    #expect(try code([.string(Self.api), "https://other.example"], use, "c-1", resources) == nil)
    #expect(try code(.string(Self.api + "/"), use, "c-1", resources) == "audience_mismatch")
    #expect(try code("c-1", use, "c-1", resources) == "audience_mismatch")
    #expect(try code(nil, use, "c-1", resources) == "claim_missing")
    #expect(try code(.string(Self.api), use, "c-2", resources) == "client_mismatch")
  }

  @Test func anIDTokensAudienceIsItsClient() throws {
    let issuer = try TrustedIssuer.cognitoUserPool(
      Self.pool, use: .either, clientIDs: ["c-1"], resources: [Self.api])
    #expect(try SignedTokens.code(SignedTokens.token(Self.id), issuer.policy) == nil)
    let other = try SignedTokens.token(Self.id.with(["aud": .string(Self.api)]))
    #expect(try SignedTokens.code(other, issuer.policy) == "client_mismatch")
  }

  @Test func nonStringAttributesAreRefusedOnAccess() throws {
    let issuer = try TrustedIssuer.cognitoUserPool(Self.pool, use: .either, clientIDs: ["c-1"])
    let claims = Self.access.with(["custom:team": "blue", "custom:roles": ["a"]])
    let user = try CognitoUser(SignedTokens.verified(SignedTokens.token(claims), issuer.policy))
    #expect(try user.customAttribute("team") == "blue")
    #expect(try user.customAttribute("other") == nil)
    for name in ["level", "roles"] {
      #expect { try user.customAttribute(name) } throws: { ($0 as? OpenIDError)?.codeText == "claim_invalid" }
    }
    #expect { try user.customAttributes } throws: { ($0 as? OpenIDError)?.codeText == "claim_invalid" }
    let text = Self.access.with(["custom:level": "3", "custom:team": "blue"])
    let plain = try CognitoUser(SignedTokens.verified(SignedTokens.token(text), issuer.policy))
    #expect(try plain.customAttributes == ["level": "3", "team": "blue"])
  }
}
