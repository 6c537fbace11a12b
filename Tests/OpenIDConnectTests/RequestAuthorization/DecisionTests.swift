internal import HTTPExchange
internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityBase

/// Decisions about requests.
@Suite struct DecisionTests {
  private static let now = NumericDate(seconds: 1_800_000_000)
  private static let key = #"{"kty":"oct","alg":"HS256","k":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}"#

  /// Answers with a key set, or not at all.
  private struct Keys: HTTPTransport {
    var isThere = true

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      guard isThere else { throw .connection("no route") }
      return TransportResponse(
        status: 200, headers: TransportHeaders(), body: Array(#"{"keys":[\#(DecisionTests.publicKey)]}"#.utf8)
      )
    }
  }

  private static let pair =
    #"{"kty":"EC","crv":"P-256","alg":"ES256","kid":"1","use":"sig","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0","d":"jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"}"#
  fileprivate static let publicKey =
    #"{"kty":"EC","crv":"P-256","alg":"ES256","kid":"1","use":"sig","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}"#

  private static func authorizer(
    _ route: String = #""policy":"p","headers":{"X-User":"sub","X-Mail":"email"}"#, isThere: Bool = true
  ) throws -> RequestAuthorizer {
    let configuration = try AuthorizationConfiguration(
      Array(
        #"""
        {"version":1,"listen":"127.0.0.1:0","policies":{"p":{"version":1,"issuers":[{"profile":"token",
          "issuer":"https://a.example","audience":"api","keys":{"jwks_uri":"https://a.example/jwks"}}]}},
          "routes":{"r":{\#(route)}}}
        """#.utf8))
    return try RequestAuthorizer(configuration) { _ in Keys(isThere: isThere) }
  }

  private static func token(_ more: JSONObject = JSONObject(), lifetime: Duration = .seconds(600)) throws
    -> String
  {
    var claims: JSONObject = ["iss": "https://a.example", "aud": "api", "sub": "jane"]
    for member in more.members { claims[member.name] = member.value }
    return try TokenSigner(key: JWK(json: pair)).issue(TokenClaims(claims), lifetime: lifetime, at: now)
  }

  private static func decide(
    _ authorizer: RequestAuthorizer, _ fields: [String], route: String = "r", later: Duration = .seconds(1)
  ) async -> AuthorizationDecision {
    await authorizer.decide(
      route: route, fields: RequestFields { $0 == "authorization" ? fields : [] }, at: now + later)
  }

  @Test func aValidTokenPassesWithItsClaims() async throws {
    let authorizer = try Self.authorizer()
    let token = try Self.token()
    for scheme in ["Bearer", "bearer", "BEARER"] {
      #expect(
        await Self.decide(authorizer, ["\(scheme) \(token)"])
          == .allowed([.init(name: "X-User", value: "jane"), .init(name: "X-Mail", value: "")]))
    }
  }

  @Test func withoutATokenThereIsAChallenge() async throws {
    let authorizer = try Self.authorizer(#""policy":"p","realm":"api""#)
    for fields in [[], ["Basic YTpi"], ["Bearer"], ["Bearertoken"]] {
      let decision = await Self.decide(authorizer, fields)
      #expect(decision == .unauthenticated(challenge: #"Bearer realm="api""#, code: "token_missing"))
    }
    let token = try Self.token()
    for fields in [["Bearer \(token)", "Bearer \(token)"], ["Bearer a\u{1}"], ["Bearer a, b"], ["Bearer  "]] {
      let decision = await Self.decide(authorizer, fields)
      #expect(decision.status == 401 && decision.code == "authorization_malformed")
    }
  }

  @Test func aRefusedTokenNamesTheRule() async throws {
    let authorizer = try Self.authorizer()
    let token = try Self.token()
    let expired = await Self.decide(authorizer, ["Bearer \(token)"], later: .seconds(601))
    let challenge = #"Bearer error="invalid_token", error_description="token_expired""#
    #expect(expired == .unauthenticated(challenge: challenge, code: "token_expired"))
    let other = try Self.token(["iss": "https://b.example"])
    #expect(await Self.decide(authorizer, ["Bearer \(other)"]).code == "issuer_unknown")
    let changed = String(token.dropLast(4)) + "AAAA"
    let decision = await Self.decide(authorizer, ["Bearer \(changed)"])
    #expect(decision.status == 401 && decision.code == "signature_invalid")
    #expect(await Self.decide(authorizer, ["Bearer abc"]).status == 401)
  }

  @Test func scopesThatAreMissing() async throws {
    let authorizer = try Self.authorizer(#""policy":"p","scopes":["read","write"]"#)
    let few = try Self.token(["scope": "read"])
    let challenge = #"Bearer error="insufficient_scope", scope="read write""#
    #expect(
      await Self.decide(authorizer, ["Bearer \(few)"])
        == .forbidden(challenge: challenge, code: "scope_missing"))
    for scope in [JSONValue.string("write other read"), .array(["read", "write"])] {
      let token = try Self.token(["scope": scope])
      #expect(await Self.decide(authorizer, ["Bearer \(token)"]) == .allowed([]))
    }
    let near = try Self.token(["scope": "readwrite read  Write"])
    #expect(await Self.decide(authorizer, ["Bearer \(near)"]).status == 403)
  }

  /// Without keys nothing passes.
  @Test func withoutKeysNothingIsDecided() async throws {
    let authorizer = try Self.authorizer(isThere: false)
    let decision = await Self.decide(authorizer, ["Bearer \(try Self.token())"])
    #expect(decision.status == 503)
    #expect(await Self.decide(authorizer, [], route: "R") == .routeUnknown)
  }

  @Test func aClaimThatIsTooLongIsNotCut() async throws {
    let authorizer = try Self.authorizer()
    let token = try Self.token(["email": .string(String(repeating: "a", count: 5_000))])
    let decision = await Self.decide(authorizer, ["Bearer \(token)"])
    #expect(decision.status == 403 && decision.code == "claim_too_long")
  }
}
