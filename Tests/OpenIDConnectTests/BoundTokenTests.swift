internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase

/// Tokens that are bound to a key of their sender (`cnf`), and tokens that an actor uses (`act`).
@Suite struct BoundTokenTests {
  private static let claims: JSONObject = ["iss": "https://a.example", "aud": "api", "sub": "jane"]

  private func code(_ more: JSONObject, _ change: (inout TokenPolicy) -> Void = { _ in }) throws -> String? {
    var policy = TokenPolicy(issuer: "https://a.example", audience: "api")
    change(&policy)
    return try SignedTokens.code(SignedTokens.token(Self.claims.with(more)), policy)
  }

  /// The methods of RFC 7800 section 3, RFC 8705 section 3.1 and RFC 9449 section 6.1, and one that is unknown.
  @Test(arguments: ["jwk", "jwe", "kid", "jku", "x5t#S256", "jkt", "new"])
  func aBoundTokenIsNoBearerToken(_ method: String) throws {
    let bound: JSONObject = ["cnf": .object([method: "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I"])]
    #expect(try code(bound) == "token_bound")
    #expect(try code(bound) { $0.binding = .only([method + "s"]) } == "token_bound")
    #expect(try code(bound) { $0.binding = .only(["x", method]) } == nil)
    #expect(try code(bound) { $0.binding = .unchecked(because: "a gateway checks it") } == nil)
  }

  @Test func eachMethodMustBeAccepted() throws {
    let bound: JSONObject = ["cnf": ["jkt": "a", "x5t#S256": "b"]]
    #expect(try code(bound) { $0.binding = .only(["jkt"]) } == "token_bound")
    #expect(try code(bound) { $0.binding = .only(["x5t#S256", "jkt"]) } == nil)
    // Without a method nothing can be checked.
    #expect(try code(["cnf": [:]]) { $0.binding = .only(["jkt"]) } == "token_bound")
    #expect(try code([:]) { $0.binding = .only(["jkt"]) } == nil)
  }

  @Test(arguments: [.null, "jkt", ["jkt"], true, 1] as [JSONValue])
  func aConfirmationIsAnObject(_ value: JSONValue) throws {
    var claims = Self.claims
    claims["cnf"] = value
    let token = try SignedTokens.token(claims)
    let policy = TokenPolicy(issuer: "https://a.example", audience: "api")
    #expect(try SignedTokens.code(token, policy) == "claim_type")
  }

  @Test func aNameWithEscapesIsTheSameClaim() throws {
    let payload =
      #"{"iss":"https://a.example","aud":"api","iat":1767225540,"exp":1767226200,"c\u006ef":{"jkt":"a"}}"#
    let policy = TokenPolicy(issuer: "https://a.example", audience: "api")
    #expect(try SignedTokens.code(SignedTokens.token(payload: payload), policy) == "token_bound")
  }

  @Test func anActorIsNamed() throws {
    let delegated: JSONObject = ["act": ["sub": "assistant", "act": ["sub": "first"]]]
    #expect(try code(delegated) == "token_delegated")
    #expect(try code(delegated) { $0.actors = .only(["first"]) } == "token_delegated")
    #expect(try code(delegated) { $0.actors = .only(["assistant"]) } == nil)
    #expect(try code(delegated) { $0.actors = .unchecked(because: "any of our services") } == nil)
    for actor: JSONObject in [[:], ["sub": 1], ["client_id": "assistant"]] {
      #expect(try code(["act": .object(actor)]) { $0.actors = .only(["assistant"]) } == "token_delegated")
    }
    // Someone with the same name at another issuer is someone else.
    let same: JSONObject = ["sub": "assistant", "iss": "https://a.example"]
    #expect(try code(["act": .object(same)]) { $0.actors = .only(["assistant"]) } == nil)
    for issuer: JSONValue in ["https://other.example", "", 1, .null] {
      let other: JSONObject = ["sub": "assistant", "iss": issuer]
      #expect(try code(["act": .object(other)]) { $0.actors = .only(["assistant"]) } == "token_delegated")
      #expect(try code(["act": .object(other)]) { $0.actors = .unchecked(because: "a test") } == nil)
    }
    #expect(try code(["act": "assistant"]) { $0.actors = .only(["assistant"]) } == "claim_type")
    // Who may become an actor restricts nothing (RFC 8693 section 4.4).
    #expect(try code(["may_act": ["sub": "assistant"]]) == nil)
  }

  @Test func anEmptyListIsAMistake() throws {
    for change: (inout TokenPolicy) -> Void in [{ $0.binding = .only([]) }, { $0.actors = .only([]) }] {
      var policy = TokenPolicy(issuer: "https://a.example", audience: "api")
      change(&policy)
      #expect { try TokenVerifier(keys: JWKSet([]), policy: policy) } throws: {
        ($0 as? JOSEError)?.codeText == "policy_invalid"
      }
    }
  }

  /// Each profile of access tokens and ID tokens.
  @Test func profilesRefuseBoundTokens() throws {
    let pool = try TrustedIssuer.cognitoUserPool("eu-west-1_Example01", use: .access, clientIDs: ["c-1"])
    let access = CognitoAudienceTests.access.with(["cnf": ["jkt": "a"]])
    #expect(try SignedTokens.code(SignedTokens.token(access), pool.policy) == "token_bound")
    let id = IDTokenRules(issuers: ["https://a.example"], clientIDs: ["api"]).policy
    #expect(
      try SignedTokens.code(SignedTokens.token(Self.claims.with(["cnf": ["jkt": "a"]])), id) == "token_bound")
    let rules = AccessTokenRules(issuers: ["https://a.example"], audiences: ["api"], clientIDs: "c").policy
    let token = Self.claims.with(["cnf": ["jkt": "a"], "client_id": "c", "jti": "1"])
    #expect(try SignedTokens.code(SignedTokens.token(token, type: "at+jwt"), rules) == "token_bound")
  }

  @Test func theContextOfAccessTokens() throws {
    var rules = AccessTokenRules(issuers: ["https://a.example"], audiences: ["api"], clientIDs: "c")
    rules.authenticationContext = .oneOf(["urn:cognito:loa:2", "urn:cognito:loa:3"])
    let token = Self.claims.with(["client_id": "c", "jti": "1"])
    for (value, code) in [
      ("urn:cognito:loa:2", nil), ("urn:cognito:loa:1", "acr_mismatch"), (nil, "acr_mismatch"),
      (2, "acr_mismatch"),
    ] as [(JSONValue?, String?)] {
      var claims = token
      claims["acr"] = value
      #expect(try SignedTokens.code(SignedTokens.token(claims, type: "at+jwt"), rules.policy) == code)
    }
    var pool = CognitoUserPoolRules(
      pool: try CognitoUserPoolIssuer("eu-west-1_Example01"), use: .access, clientIDs: "c-1")
    pool.authenticationContext = "urn:cognito:loa:2"
    let claims = CognitoAudienceTests.access
    #expect(try SignedTokens.code(SignedTokens.token(claims), pool.policy) == "acr_mismatch")
    let level = claims.with(["acr": "urn:cognito:loa:2"])
    #expect(try SignedTokens.code(SignedTokens.token(level), pool.policy) == nil)
  }
}
