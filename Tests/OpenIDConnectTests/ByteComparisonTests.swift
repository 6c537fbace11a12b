internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase

/// The profiles compare names by bytes. Swift's `==` treats U+212A KELVIN SIGN and `K` as equal, and a letter
/// with a combining accent and its composed form: such names must be refused.
@Suite struct ByteComparisonTests {
  /// A name with a K and an accent. The policy has this spelling, the token this one or an equivalent one.
  static let name = "Kund\u{E9}K"
  static let spellings = [
    "\u{212A}und\u{E9}\u{212A}", "Kunde\u{301}K", "\u{212A}und\u{E9}K", "Kunde\u{301}\u{212A}",
  ]

  /// A rule, a valid token, and the code for a token with an equivalent spelling.
  struct Rule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: String
    let policy: @Sendable () throws -> TokenPolicy
    let token: @Sendable (String) throws -> String

    init(
      _ name: String, _ code: String, _ policy: @escaping @Sendable () throws -> TokenPolicy,
      _ token: @escaping @Sendable (String) throws -> String
    ) {
      (testDescription, self.code, self.policy, self.token) = (name, code, policy, token)
    }
  }

  static let rules = identities + accesses + pools

  private static func id(_ change: @escaping @Sendable (inout IDTokenRules) -> Void) throws -> TokenPolicy {
    var rules = IDTokenRules(issuers: [issuer], clientIDs: [client])
    change(&rules)
    return rules.policy
  }

  private static func idToken(_ changes: JSONObject) throws -> String {
    let claims: JSONObject = ["iss": .string(issuer), "sub": "jane", "aud": .string(client)]
    return try SignedTokens.token(claims.with(changes))
  }

  private static let issuer = "https://op.example"
  private static let client = "client-1"

  private static let identities = [
    Rule("issuer", "issuer_mismatch") {
      try id { $0.issuers = [name] }
    } _: {
      try idToken(["iss": .string($0)])
    },
    Rule("client", "audience_mismatch") {
      try id { $0 = IDTokenRules(issuers: [issuer], clientIDs: [name]) }
    } _: {
      try idToken(["aud": .string($0)])
    },
    Rule("trusted audience", "aud_untrusted") {
      try id { $0.trustedAudiences = [name] }
    } _: {
      try idToken(["aud": [.string(client), .string($0)], "azp": .string(client)])
    },
    Rule("authorized party", "azp_mismatch") {
      try id { $0.authorizedParties = [name] }
    } _: {
      try idToken(["azp": .string($0)])
    },
    Rule("acr", "acr_mismatch") {
      try id { $0.authenticationContext = .exactly(name) }
    } _: {
      try idToken(["acr": .string($0)])
    },
    Rule("amr", "amr_missing") {
      try id { $0.authenticationMethods = [name] }
    } _: {
      try idToken(["amr": [.string($0)]])
    },
    Rule("nonce", "nonce_mismatch") {
      var policy = try id { _ in }
      SignIn(nonce: .exactly(name)).apply(to: &policy)
      return policy
    } _: {
      try idToken(["nonce": .string($0)])
    },
    Rule("hosted domain", "profile_mismatch") {
      try TrustedIssuer.google(clientIDs: [client], hostedDomains: [name]).policy
    } _: {
      try idToken(["iss": "https://accounts.google.com", "hd": .string($0)])
    },
  ]

  private static func access(_ change: @escaping @Sendable (inout AccessTokenRules) -> Void) throws
    -> TokenPolicy
  {
    var rules = AccessTokenRules(
      issuers: [issuer], audiences: ["api"], clientIDs: .unchecked(because: "any"))
    change(&rules)
    return rules.policy
  }

  private static func accessToken(_ changes: JSONObject, type: String = "at+jwt") throws -> String {
    let claims: JSONObject = [
      "iss": .string(issuer), "sub": "jane", "aud": "api", "jti": "1", "client_id": .string(client),
    ]
    return try SignedTokens.token(claims.with(changes), type: type)
  }

  private static let accesses = [
    Rule("interface", "audience_mismatch") {
      try access { $0.audiences = [name] }
    } _: {
      try accessToken(["aud": .string($0)])
    },
    Rule("access token's client", "client_mismatch") {
      try access { $0.clientIDs = .exactly(name) }
    } _: {
      try accessToken(["client_id": .string($0)])
    },
    Rule("scope", "scope_missing") {
      try access { $0.scopes = [name] }
    } _: {
      try accessToken(["scope": .string("a \($0) b")])
    },
    Rule("scope in an array", "scope_missing") {
      try access {
        $0.scopes = [name]
        $0.scopeClaim = .array("scp")
      }
    } _: {
      try accessToken(["scp": [.string($0)]])
    },
    Rule("name of the client's claim", "claim_missing") {
      try access { $0.clientClaims = [name] }
    } _: {
      try accessToken([$0: .string(client)])
    },
    Rule("required claim", "claim_missing") {
      try access { $0.requiredClaims = [name] }
    } _: {
      try accessToken([$0: 1])
    },
    Rule("type", "typ_missing") {
      try access { $0.types = [name] }
    } _: {
      try accessToken([:], type: $0)
    },
    Rule("permission", "permission_missing") {
      try TrustedIssuer.auth0(
        issuer: "https://t.example/", audiences: ["api"], clientIDs: .exactly(client), permissions: [name]
      ).policy
    } _: {
      try accessToken(["iss": "https://t.example/", "permissions": [.string($0)]])
    },
    Rule("client of Okta", "client_mismatch") {
      try TrustedIssuer.okta(
        issuer: "https://o.example/oauth2/x", audiences: ["api"], clientIDs: .exactly(name)
      ).policy
    } _: {
      try accessToken(["iss": "https://o.example/oauth2/x", "cid": .string($0)])
    },
    Rule("client of Keycloak", "client_mismatch") {
      try TrustedIssuer.keycloak(
        issuer: "https://k.example/realms/x", audiences: ["api"], clientIDs: .exactly(name)
      ).policy
    } _: {
      try accessToken(["iss": "https://k.example/realms/x", "typ": "Bearer", "azp": .string($0)])
    },
  ]

  private static let pool = "eu-west-1_Example01"

  private static func poolPolicy(
    _ use: CognitoUserPoolIssuer.Use, client: String = "c", groups: [String] = [], scopes: [String] = [],
    resources: [String] = []
  ) throws -> TokenPolicy {
    try TrustedIssuer.cognitoUserPool(
      pool, use: use, clientIDs: [client], groups: groups, scopes: scopes, resources: resources
    ).policy
  }

  private static func poolToken(_ use: String, _ changes: JSONObject) throws -> String {
    let claims: JSONObject = [
      "iss": .string("https://cognito-idp.eu-west-1.amazonaws.com/\(pool)"), "sub": "jane", "client_id": "c",
      "token_use": .string(use),
    ]
    return try SignedTokens.token(claims.with(changes))
  }

  private static let pools = [
    Rule("user pool's client, access", "client_mismatch") {
      try poolPolicy(.access, client: name)
    } _: {
      try poolToken("access", ["client_id": .string($0)])
    },
    Rule("user pool's client, either, access", "client_mismatch") {
      try poolPolicy(.either, client: name)
    } _: {
      try poolToken("access", ["client_id": .string($0)])
    },
    Rule("user pool's client, either, ID", "client_mismatch") {
      try poolPolicy(.either, client: name)
    } _: {
      try poolToken("id", ["aud": .string($0)])
    },
    Rule("user pool's client, ID", "audience_mismatch") {
      try poolPolicy(.id, client: name)
    } _: {
      try poolToken("id", ["aud": .string($0)])
    },
    Rule("audience that is the client", "audience_mismatch") {
      try poolPolicy(.access, client: name)
    } _: {
      try poolToken("access", ["client_id": .string(name), "aud": .string($0)])
    },
    Rule("resource", "audience_mismatch") {
      try poolPolicy(.access, resources: [name])
    } _: {
      try poolToken("access", ["aud": .string($0)])
    },
    Rule("group", "group_missing") {
      try poolPolicy(.access, groups: [name])
    } _: {
      try poolToken("access", ["cognito:groups": ["a", .string($0)]])
    },
    Rule("user pool's scope", "scope_missing") {
      try poolPolicy(.access, scopes: [name])
    } _: {
      try poolToken("access", ["scope": .string($0)])
    },
  ]

  @Test(arguments: rules)
  func equivalentSpellingsAreDifferentNames(_ rule: Rule) throws {
    let policy = try rule.policy()
    #expect(try SignedTokens.code(rule.token(Self.name), policy) == nil)
    for spelling in Self.spellings {
      #expect(try SignedTokens.code(rule.token(spelling), policy) == rule.code)
    }
  }

  /// A separator splits even if a combining accent after it makes both one Character.
  @Test func separatorsAreBytes() throws {
    let policy = try Self.access { $0.scopes = ["a"] }
    #expect(try SignedTokens.code(Self.accessToken(["scope": "a \u{301}b"]), policy) == nil)
    let issuer = try TrustedIssuer.cognitoUserPool(Self.pool, use: .access, clientIDs: ["c"])
    let token = try Self.poolToken("access", ["scope": "a \u{301}b", "cognito:roles": "x,\u{301}y"])
    let user = try CognitoUser(SignedTokens.verified(token, issuer.policy))
    #expect(user.scopes.map { Array($0.utf8) } == ["a", "\u{301}b"].map { Array($0.utf8) })
    #expect(user.roles.map { Array($0.utf8) } == ["x", "\u{301}y"].map { Array($0.utf8) })
  }

  /// Identifiers that select a profile are refused with U+212A for K or in another normal form.
  @Test(arguments: [
    "eu-west-1_\u{212A}", "eu-west-1_e\u{301}", "eu-west-1\u{332}_a", "eu-west-1_\u{301}a",
  ])
  func idsInAnotherSpellingAreRefused(_ id: String) {
    #expect { try CognitoUserPoolIssuer(id) } throws: {
      ($0 as? OpenIDError)?.codeText == "identifier_invalid"
    }
  }

  /// The providers in `amr` of an identity pool's tokens, and the user's identifiers.
  @Test func loginProvidersAreComparedByBytes() throws {
    let id = "us-east-1:0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53"
    var policy = try TrustedIssuer.cognitoIdentityPool(id, providers: [Self.name]).policy
    policy.signature.algorithms = [.rs256]
    func token(_ amr: [String]) throws -> String {
      let claims: JSONObject = [
        "iss": "https://cognito-identity.amazonaws.com", "aud": .string(id),
        "sub": "us-east-1:b7a4c1d9-60e2-4f3a-8d5b-1c9e7f2a3046", "amr": .array(amr.map(JSONValue.string)),
      ]
      return try SignedTokens.token(claims, type: "JWS")
    }
    #expect(try SignedTokens.code(token(["authenticated", Self.name]), policy) == nil)
    for spelling in Self.spellings {
      #expect(try SignedTokens.code(token(["authenticated", spelling]), policy) == "provider_missing")
      let elements = ["authenticated", Self.name, "\(spelling):\(id):jane"]
      let logins = try CognitoLogins(SignedTokens.verified(token(elements), policy)).logins
      #expect(logins.map(\.userIdentifier) == [nil, nil])
    }
    let elements = ["authenticated", Self.name, "arn:x/\(Self.name):OIDC:\u{301}jane"]
    let logins = try CognitoLogins(SignedTokens.verified(token(elements), policy)).logins
    #expect(logins.map { $0.userIdentifier.map { Array($0.utf8) } } == [Array("\u{301}jane".utf8)])
  }

  /// The claim values that identify a kind of token.
  @Test func claimValuesAreComparedByBytes() throws {
    let access = try Self.poolPolicy(.access)
    #expect(try SignedTokens.code(Self.poolToken("acc\u{65}\u{301}ss", [:]), access) == "profile_mismatch")
    let keycloak = try TrustedIssuer.keycloak(
      issuer: "https://k.example/realms/x", audiences: ["api"], clientIDs: .exactly("c")
    ).policy
    let token = try Self.accessToken([
      "iss": "https://k.example/realms/x", "typ": "Bearer\u{301}", "azp": "c",
    ])
    #expect(try SignedTokens.code(token, keycloak) == "profile_mismatch")
    // Unicode's lower case of U+212A is k: types are compared in ASCII lower case.
    let policy = try Self.access { $0.types = ["key+jwt"] }
    #expect(try SignedTokens.code(Self.accessToken([:], type: "KEY+jwt"), policy) == nil)
    #expect(try SignedTokens.code(Self.accessToken([:], type: "\u{212A}EY+jwt"), policy) == "typ_missing")
  }
}
