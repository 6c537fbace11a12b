import BearerService
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import OpenIDConnect
import Testing

/// The responses of the service.
@Suite struct BearerServiceTests {
  static let issuer = "https://issuer.example"
  let key: JWK

  init() throws { key = try JWK.generate(.es256) }

  /// No network: the keys are fixed or unavailable.
  private struct NoNetwork: HTTPTransport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      throw .connection("there is no network")
    }
  }

  private func verifier(hasKeys: Bool = true) throws -> OpenIDVerifier {
    let rules = AccessTokenRules(
      issuers: [Self.issuer], audiences: ["orders"], clientIDs: "client", scopes: ["orders/read"])
    let keys: TrustedIssuer.Keys = hasKeys ? .fixed(JWKSet([key])) : .remote(.discovery(issuer: Self.issuer))
    return try OpenIDVerifier([.authorizationServer(rules, keys: keys)], transport: NoNetwork())
  }

  private func token(_ change: (inout TokenClaims) -> Void = { _ in }, at now: NumericDate = .now) throws
    -> String
  {
    var claims = TokenClaims(issuer: Self.issuer, subject: "jane", audience: ["orders"], tokenID: "1")
    claims["client_id"] = "client"
    claims["scope"] = "orders/read"
    change(&claims)
    return try TokenSigner(key: key, type: "at+jwt").issue(claims, at: now)
  }

  private func send(
    _ headers: HTTPFields, hasKeys: Bool = true, path: String = "/me"
  ) async throws -> (status: Int, challenge: String?, body: String) {
    let application = Application(router: makeRouter(verifier: try verifier(hasKeys: hasKeys)))
    return try await application.test(.router) { client in
      let response = try await client.executeRequest(uri: path, method: .get, headers: headers, body: nil)
      return (response.status.code, response.headers[.wwwAuthenticate], String(buffer: response.body))
    }
  }

  private func bearing(_ token: String, scheme: String = "Bearer") -> HTTPFields {
    var headers = HTTPFields()
    headers[.authorization] = "\(scheme) \(token)"
    return headers
  }

  @Test(arguments: ["Bearer", "bearer", "BEARER"])
  func aValidTokenIsAccepted(_ scheme: String) async throws {
    let response = try await send(bearing(try token(), scheme: scheme))
    #expect(response.status == 200)
    #expect(response.body.contains("\"subject\":\"jane\""))
  }

  @Test func missingCredentialsHaveNoError() async throws {
    let response = try await send([:])
    #expect(response.status == 401)
    #expect(response.challenge == "Bearer realm=\"orders\"")
    let other = try await send(bearing("amFuZTpzZWNyZXQ=", scheme: "Basic"))
    #expect(other.status == 401)
    #expect(other.challenge == "Bearer realm=\"orders\"")
  }

  @Test func malformedTokensAreBadRequests() async throws {
    var twice = bearing(try token())
    twice.append(HTTPField(name: .authorization, value: "Bearer " + (try token())))
    for headers in [twice, bearing(""), bearing("a b"), bearing("a,b")] {
      let response = try await send(headers)
      #expect(response.status == 400)
      #expect(response.challenge?.contains("error=\"invalid_request\"") == true)
    }
  }

  @Test func refusalsHaveNoDetails() async throws {
    let cases = [
      (try token(at: .now - .seconds(3_600)), "the token has expired"),
      (try token { $0["aud"] = "other" }, "the token is not valid here"),
      (try token { $0["iss"] = "https://other.example" }, "the token is not valid here"),
      ("garbage", "the token is not valid here"),
    ]
    for (token, description) in cases {
      let response = try await send(bearing(token))
      #expect(response.status == 401)
      #expect(
        response.challenge
          == "Bearer realm=\"orders\", error=\"invalid_token\", error_description=\"\(description)\"")
      #expect(response.body.isEmpty)
    }
  }

  @Test func aMissingScopeIsForbidden() async throws {
    let response = try await send(bearing(try token { $0["scope"] = "orders/write" }))
    #expect(response.status == 403)
    #expect(response.challenge?.contains("error=\"insufficient_scope\"") == true)
  }

  @Test func unavailableKeysAreAServerError() async throws {
    let response = try await send(bearing(try token()), hasKeys: false)
    #expect(response.status == 503)
    #expect(response.challenge == nil)
  }

  @Test func healthIsPublic() async throws {
    #expect(try await send([:], path: "/health").status == 200)
  }
}
