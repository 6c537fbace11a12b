internal import JOSE
internal import OpenIDConnect
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityBase

/// Tokens of other kinds are refused as ID tokens for any claims (RFC 8725 sections 3.11 and 3.12).
@Suite struct TokenKindTests {
  static let claims: JSONObject = ["iss": "https://op.example", "sub": "jane", "aud": "client-1"]
  let rules = IDTokenRules(issuers: ["https://op.example"], clientIDs: ["client-1"])

  @Test(
    arguments: [
      (nil, nil), ("JWT", nil), ("jwt", nil), ("application/jwt", nil), ("id_token+jwt", nil),
      ("application/ID_TOKEN+jwt", nil), ("at+jwt", "wrong_token_kind"), ("secevent+jwt", "wrong_token_kind"),
      ("token-introspection+jwt", "wrong_token_kind"), ("oauth-authz-req+jwt", "wrong_token_kind"),
      ("logout+jwt", "wrong_token_kind"), ("dpop+jwt", "wrong_token_kind"), ("kb+jwt", "wrong_token_kind"),
      ("entity-statement+jwt", "wrong_token_kind"), ("JWS", "wrong_token_kind"), ("", "wrong_token_kind"),
      ("application/", "wrong_token_kind"), ("application/application/jwt", "wrong_token_kind"),
      ("text/jwt", "wrong_token_kind"), ("JWT ", "wrong_token_kind"),
    ] as [(String?, String?)])
  func anotherTypeInTheHeaderIsRefused(_ type: String?, _ code: String?) throws {
    #expect(try SignedTokens.code(SignedTokens.token(Self.claims, type: type), rules.policy) == code)
  }

  @Test(
    arguments: [
      ("ID", nil), ("JWT", nil), ("Bearer", "wrong_token_kind"), ("DPoP", "wrong_token_kind"),
      ("Refresh", "wrong_token_kind"), ("Offline", "wrong_token_kind"), ("Logout", "wrong_token_kind"),
      ("RegistrationAccessToken", "wrong_token_kind"), ("reset-credentials", "wrong_token_kind"),
      ("Id", "wrong_token_kind"), (nil, "wrong_token_kind"), (5, "wrong_token_kind"),
    ] as [(JSONValue?, String?)])
  func anotherTypeInTheClaimsIsRefused(_ type: JSONValue?, _ code: String?) throws {
    var claims = Self.claims
    claims["typ"] = type ?? .null
    #expect(try SignedTokens.code(SignedTokens.token(claims), rules.policy) == code)
  }

  @Test func anEntraAccessTokenIsNotAnIDToken() throws {
    let tenant = "9188040d-6c67-4c5b-b112-36a304b66dad"
    let entra = try TrustedIssuer.microsoftEntra(tenant: tenant, clientIDs: ["client-1"]).policy
    let idToken = Self.claims.with([
      "iss": .string("https://login.microsoftonline.com/\(tenant)/v2.0"), "tid": .string(tenant),
      "ver": "2.0",
    ])
    #expect(try SignedTokens.code(SignedTokens.token(idToken, type: "JWT"), entra) == nil)
    let changes: [JSONObject] = [
      ["azp": "client-1", "idtyp": "app"], ["azp": "client-1", "azpacr": "1", "roles": ["Orders.Read"]],
      ["appid": "client-1"], ["appidacr": "1"], ["scp": "Orders.Read"],
    ]
    for change in changes {
      let token = try SignedTokens.token(idToken.with(change), type: "JWT")
      #expect(try SignedTokens.code(token, entra) == "wrong_token_kind")
    }
  }

  @Test func aUserPoolsTokenHasNoOtherType() throws {
    let pool = "eu-west-1_Example01"
    let claims: JSONObject = [
      "iss": .string("https://cognito-idp.eu-west-1.amazonaws.com/\(pool)"), "sub": "jane", "client_id": "c",
      "token_use": "access",
    ]
    let policy = try TrustedIssuer.cognitoUserPool(pool, use: .access, clientIDs: ["c"]).policy
    for (type, code) in [
      (nil, nil), ("JWT", nil), ("at+jwt", nil), ("secevent+jwt", "wrong_token_kind"),
      ("id_token+jwt", "wrong_token_kind"),
    ] as [(String?, String?)] {
      #expect(try SignedTokens.code(SignedTokens.token(claims, type: type), policy) == code)
    }
  }

  @Test func keyParametersAreIgnoredByNameOnly() throws {
    var policy = rules.policy
    func code(_ header: JSONObject) throws -> String? {
      try SignedTokens.code(SignedTokens.token(Self.claims, header: header), policy)
    }
    let address: JSONValue = "https://attacker.example/keys"
    #expect(try code(["jku": address]) == "header_key_source")
    policy.signature.keySources = .ignoring([.jku], because: "the server adds it")
    #expect(try code(["jku": address]) == nil)
    #expect(try code(["x5u": address]) == "header_key_source")
    #expect(try code(["jku": address, "x5u": address]) == "header_key_source")
    #expect(try code(["jku": address, "jwk": [:]]) == "header_key_source")
    policy.signature.keySources = .ignoring([.jku, .x5u], because: "the server adds both")
    #expect(try code(["x5u": address, "jku": address]) == nil)
    // The attacker's key URL is not used.
    var forged = try VectorKeys.rsa(1)
    forged.keyID = "k"
    let payload = Array(JSONValue.object(Self.claims).description.utf8)
    let token = try JWSSigner(key: forged, algorithm: .rs256).sign(payload, header: ["jku": address])
    #expect(try SignedTokens.code(token, policy) == "signature_invalid")
  }
}
