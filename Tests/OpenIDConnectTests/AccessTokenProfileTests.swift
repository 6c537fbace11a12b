internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase

/// Access tokens of Okta, Auth0 and Keycloak as in their documentation, and tokens that must be refused.
@Suite struct AccessTokenProfileTests {
  static let realm = "https://sso.example/realms/shop"
  static let okta = "https://shop.okta.com/oauth2/default"
  static let tenant = "https://shop.eu.auth0.com/"
  static let api = "https://api.example"

  /// A change to a valid token, its header's type, and the expected error code.
  struct Change: Sendable, CustomTestStringConvertible {
    let name: String
    let claims: JSONObject
    let type: String?
    let code: String?
    var testDescription: String { name }

    init(_ name: String, _ claims: JSONObject, type: String? = "JWT", _ code: String?) {
      (self.name, self.claims, self.type, self.code) = (name, claims, type, code)
    }
  }

  static let oktaToken: JSONObject = [
    "ver": 1, "jti": "AT.mNAoEQ", "iss": .string(okta), "aud": "api://default", "sub": "jane@example.com",
    "cid": "0oa1", "uid": "00u1", "scp": ["openid", "orders:read"], "auth_time": 1_767_225_500,
  ]

  @Test(arguments: [
    Change("as documented", [:], type: nil, nil), Change("with a type", [:], nil),
    Change("as RFC 9068 has it", [:], type: "at+jwt", nil),
    Change("of a machine", ["uid": .null, "sub": "0oa1", "auth_time": .null], type: nil, nil),
    Change(
      "ID token", ["scp": .null, "cid": .null, "aud": "0oa1", "at_hash": "x"], type: nil, "wrong_token_kind"),
    Change("ID token for the interface", ["scp": .null, "cid": .null], type: nil, "claim_missing"),
    Change("of the org server", [:], type: "application/okta-internal-at+jwt", "typ_missing"),
    Change("another explicit type", [:], type: "secevent+jwt", "typ_missing"),
    Change("another audience", ["aud": "api://other"], type: nil, "audience_mismatch"),
    Change("another server", ["iss": "https://shop.okta.com/oauth2/aus1"], type: nil, "issuer_mismatch"),
    Change("the org", ["iss": "https://shop.okta.com"], type: nil, "issuer_mismatch"),
    Change("another client", ["cid": "0oa2"], type: nil, "client_mismatch"),
    Change("a client that is a number", ["cid": 1], type: nil, "client_mismatch"),
    Change("without a client", ["cid": .null], type: nil, "claim_missing"),
    Change("without the scope", ["scp": ["openid"]], type: nil, "scope_missing"),
    Change("scopes as text", ["scp": "openid orders:read"], type: nil, "scope_missing"),
    Change("scopes elsewhere", ["scp": .null, "scope": "openid orders:read"], type: nil, "scope_missing"),
    Change("without a subject", ["sub": .null], type: nil, "claim_missing"),
    Change("logout token", ["nonce": .null], type: "logout+jwt", "wrong_token_kind"),
  ])
  func okta(_ change: Change) throws {
    let issuer = try TrustedIssuer.okta(
      issuer: Self.okta, audiences: ["api://default"], clientIDs: "0oa1", scopes: ["orders:read"])
    let token = try SignedTokens.token(Self.oktaToken.with(change.claims), type: change.type)
    #expect(try SignedTokens.code(token, issuer.policy) == change.code)
  }

  static let auth0Token: JSONObject = [
    "iss": .string(tenant), "sub": "auth0|1",
    "aud": [.string(api), "https://shop.eu.auth0.com/userinfo"], "azp": "client-1",
    "scope": "openid orders:read", "permissions": ["orders:read", "orders:write"],
    "gty": "password",
  ]
  static let auth0Standard: JSONObject = ["azp": .null, "client_id": "client-1", "jti": "73W"]

  @Test(arguments: [
    Change("as documented", [:], nil), Change("in the standard's form", auth0Standard, type: "at+jwt", nil),
    Change("one audience", ["aud": .string(api)], nil),
    Change("without a type", [:], type: nil, "typ_missing"),
    Change("ID token", ["aud": "client-1", "azp": .null, "scope": .null, "nonce": "x"], "wrong_token_kind"),
    Change(
      "ID token without a nonce", ["aud": "client-1", "azp": .null, "scope": .null], "audience_mismatch"),
    Change("ID token for both", ["aud": [.string(api), "client-1"]], "wrong_token_kind"),
    Change("another audience", ["aud": "https://other.example"], "audience_mismatch"),
    Change("another tenant", ["iss": "https://other.eu.auth0.com/"], "issuer_mismatch"),
    Change("the issuer without its slash", ["iss": "https://shop.eu.auth0.com"], "issuer_mismatch"),
    Change("another client", ["azp": "client-2"], "client_mismatch"),
    Change("two clients", ["client_id": "client-2"], "client_mismatch"),
    Change(
      "two clients, the other way round", ["client_id": "client-1", "azp": "client-2"], "claim_invalid"),
    Change("a second client that is a number", ["client_id": 5], "claim_invalid"),
    Change("without a client", ["azp": .null], "client_mismatch"),
    Change("without the scope", ["scope": "openid"], "scope_missing"),
    Change("the scope as a permission alone", ["scope": .null], "scope_missing"),
    Change("without the permission", ["permissions": ["orders:read"]], "permission_missing"),
    Change("permissions as text", ["permissions": "orders:write"], "permission_missing"),
    Change("logout token", [:], type: "logout+jwt", "wrong_token_kind"),
  ])
  func auth0(_ change: Change) throws {
    let issuer = try TrustedIssuer.auth0(
      issuer: Self.tenant, audiences: [Self.api], clientIDs: "client-1", scopes: ["orders:read"],
      permissions: ["orders:write"])
    let token = try SignedTokens.token(Self.auth0Token.with(change.claims), type: change.type)
    #expect(try SignedTokens.code(token, issuer.policy) == change.code)
  }

  static let keycloakToken: JSONObject = [
    "jti": "3f2a", "iss": .string(realm), "aud": [.string(api), "account"], "sub": "0d1c6e2a",
    "typ": "Bearer",
    "azp": "web", "sid": "s", "acr": "1", "realm_access": ["roles": ["user"]], "scope": "email orders",
  ]

  @Test(arguments: [
    Change("as documented", [:], nil), Change("with the standard's type", [:], type: "at+jwt", nil),
    Change("of a machine", ["client_id": "web", "clientHost": "192.0.2.1", "sid": .null], nil),
    Change("ID token", ["typ": "ID", "aud": "web", "at_hash": "x"], "wrong_token_kind"),
    Change("ID token for the interface", ["typ": "ID"], "wrong_token_kind"),
    Change("refresh token", ["typ": "Refresh", "aud": .string(realm)], "wrong_token_kind"),
    Change("refresh token for the interface", ["typ": "Refresh"], "wrong_token_kind"),
    Change("offline token", ["typ": "Offline"], "wrong_token_kind"),
    Change("logout token", ["typ": "Logout"], "profile_mismatch"),
    Change("bound to a key", ["typ": "DPoP", "cnf": ["jkt": "x"]], "profile_mismatch"),
    Change("without the claim typ", ["typ": .null], "profile_mismatch"),
    Change("the claim typ in another case", ["typ": "bearer"], "profile_mismatch"),
    Change("a claim typ that is an array", ["typ": ["Bearer"]], "profile_mismatch"),
    Change("without a header type", [:], type: nil, "typ_missing"),
    Change("another audience", ["aud": "account"], "audience_mismatch"),
    Change("another realm", ["iss": "https://sso.example/realms/other"], "issuer_mismatch"),
    Change("another client", ["azp": "phone"], "client_mismatch"),
    Change("without a client", ["azp": .null], "claim_missing"),
    Change("without the scope", ["scope": "email ordersx"], "scope_missing"),
  ])
  func keycloak(_ change: Change) throws {
    let issuer = try TrustedIssuer.keycloak(
      issuer: Self.realm, audiences: [Self.api], clientIDs: "web", scopes: ["orders"])
    let token = try SignedTokens.token(Self.keycloakToken.with(change.claims), type: change.type)
    #expect(try SignedTokens.code(token, issuer.policy) == change.code)
  }

  @Test func keycloakTokensBoundToAKeyAreOptIn() throws {
    let issuer = try TrustedIssuer.keycloak(
      issuer: Self.realm, audiences: [Self.api], clientIDs: "web", isBoundToProof: true)
    func code(_ changes: JSONObject) throws -> String? {
      try SignedTokens.code(SignedTokens.token(Self.keycloakToken.with(changes), type: "JWT"), issuer.policy)
    }
    #expect(try code(["typ": "DPoP", "cnf": ["jkt": "x"]]) == nil)
    #expect(try code(["typ": "DPoP"]) == "claim_missing")
    #expect(try code([:]) == "profile_mismatch")
  }

  @Test func keysAreAtTheProvidersAddress() throws {
    func place(_ issuer: TrustedIssuer) -> KeySetLocation? {
      if case .remote(let location) = issuer.keys { location } else { nil }
    }
    let any = JOSE.Expectation<String>.unchecked(because: "any client")
    #expect(
      place(try .okta(issuer: Self.okta, audiences: ["x"], clientIDs: any))
        == .address(try HTTPURL("https://shop.okta.com/oauth2/default/v1/keys")))
    #expect(
      place(try .auth0(issuer: Self.tenant, audiences: ["x"], clientIDs: any))
        == .address(try HTTPURL("https://shop.eu.auth0.com/.well-known/jwks.json")))
    #expect(
      place(try .keycloak(issuer: Self.realm, audiences: ["x"], clientIDs: any))
        == .address(try HTTPURL("https://sso.example/realms/shop/protocol/openid-connect/certs")))
  }

  @Test(arguments: [
    "https://shop.okta.com", "https://shop.okta.com/", "https://shop.okta.com/oauth2",
    "https://shop.okta.com/oauth2/", "https://shop.okta.com/oauth2/default/", "shop.okta.com/oauth2/default",
    "https://shop.okta.com/oauth2/..", "https://shop.okta.com/oauth2/default?x", "https://a@b/oauth2/default",
    "https://shop.o\u{212A}ta.com/oauth2/default",
  ])
  func invalidOktaIssuersAreRefused(_ issuer: String) {
    #expect {
      try TrustedIssuer.okta(issuer: issuer, audiences: ["x"], clientIDs: "x")
    } throws: { ($0 as? OpenIDError)?.codeText == "identifier_invalid" }
  }

  @Test(arguments: [
    "https://shop.eu.auth0.com", "https://shop.eu.auth0.com//", "https://shop.eu.auth0.com/x/",
    "shop.eu.auth0.com/",
    "https://shop.eu.auth0.com/?x",
  ])
  func invalidAuth0IssuersAreRefused(_ issuer: String) {
    #expect {
      try TrustedIssuer.auth0(issuer: issuer, audiences: ["x"], clientIDs: "x")
    } throws: { ($0 as? OpenIDError)?.codeText == "identifier_invalid" }
  }

  @Test(arguments: [
    "https://sso.example", "https://sso.example/realms", "https://sso.example/realms/",
    "https://sso.example/realms/shop/", "https://sso.example/auth", "https://sso.example/realms/../shop",
    "https://sso.example//realms/shop", "https://sso.example/realms/shop?x",
  ])
  func invalidRealmsAreRefused(_ issuer: String) {
    #expect {
      try TrustedIssuer.keycloak(issuer: issuer, audiences: ["x"], clientIDs: "x")
    } throws: { ($0 as? OpenIDError)?.codeText == "identifier_invalid" }
  }

  @Test func otherHeaderTypesCanBeAccepted() throws {
    let claims: JSONObject = [
      "iss": "https://as.example", "sub": "jane", "aud": .string(Self.api), "jti": "1", "client_id": "c",
    ]
    var rules = AccessTokenRules(
      issuers: ["https://as.example"], audiences: [Self.api], clientIDs: "c", types: ["at+jwt", "JWT"])
    for (type, code) in [
      ("JWT", nil), ("jwt", nil), ("at+jwt", nil), ("application/at+jwt", nil), ("x+jwt", "typ_missing"),
      (nil, "typ_missing"), ("dpop+jwt", "wrong_token_kind"), ("id_token+jwt", "wrong_token_kind"),
    ] as [(String?, String?)] {
      #expect(try SignedTokens.code(SignedTokens.token(claims, type: type), rules.policy) == code)
    }
    let idToken = try SignedTokens.token(claims.with(["nonce": "x"]), type: "JWT")
    #expect(try SignedTokens.code(idToken, rules.policy) == "wrong_token_kind")
    rules.acceptsMissingType = true
    #expect(try SignedTokens.code(SignedTokens.token(claims), rules.policy) == nil)
  }

  @Test(arguments: [JSONValue.number(JSONNumber(5)), .null, .object([:]), .array(["c"]), .bool(true)])
  func aClientOfAWrongTypeIsRefusedEvenIfUnchecked(_ client: JSONValue) throws {
    var claims: JSONObject = [
      "iss": "https://as.example", "sub": "jane", "aud": .string(Self.api), "jti": "1",
    ]
    claims["client_id"] = client
    let rules = AccessTokenRules(
      issuers: ["https://as.example"], audiences: [Self.api], clientIDs: .unchecked(because: "any"))
    let token = try SignedTokens.token(claims, type: "at+jwt")
    #expect(try SignedTokens.code(token, rules.policy) == "claim_invalid")
  }
}
