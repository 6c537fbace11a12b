import BearerService
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import OpenIDConnect
import Testing

/// What callers of the service are answered.
@Suite struct BearerServiceTests {
  static let issuer = "https://issuer.example"
  let key: JWK

  init() throws { key = try JWK.generate(for: .es256) }

  /// Nothing is fetched here: the keys are at hand, or cannot be had.
  private struct NoNetwork: HTTPTransport {
    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      throw .connection("there is no network")
    }
  }

  private func verifier(holdsKeys: Bool = true) throws -> OpenIDVerifier {
    let rules = AccessTokenRules(
      issuers: [Self.issuer], audiences: ["orders"], clientIDs: "client", scopes: ["orders/read"])
    let keys: TrustedIssuer.Keys = holdsKeys ? .fixed(JWKSet([key])) : .remote(.discovery(issuer: Self.issuer))
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

  private func ask(
    _ fields: HTTPFields, holdsKeys: Bool = true, path: String = "/me"
  ) async throws -> (status: Int, challenge: String?, body: String) {
    let application = Application(router: makeRouter(verifier: try verifier(holdsKeys: holdsKeys)))
    return try await application.test(.router) { client in
      let answer = try await client.executeRequest(uri: path, method: .get, headers: fields, body: nil)
      return (answer.status.code, answer.headers[.wwwAuthenticate], String(buffer: answer.body))
    }
  }

  private func bearing(_ token: String, scheme: String = "Bearer") -> HTTPFields {
    var fields = HTTPFields()
    fields[.authorization] = "\(scheme) \(token)"
    return fields
  }

  @Test(arguments: ["Bearer", "bearer", "BEARER"])
  func aValidTokenOpens(_ scheme: String) async throws {
    let answer = try await ask(bearing(try token(), scheme: scheme))
    #expect(answer.status == 200)
    #expect(answer.body.contains("\"subject\":\"jane\""))
  }

  @Test func whoBringsNothingIsToldNoError() async throws {
    let answer = try await ask([:])
    #expect(answer.status == 401)
    #expect(answer.challenge == "Bearer realm=\"orders\"")
    let other = try await ask(bearing("amFuZTpzZWNyZXQ=", scheme: "Basic"))
    #expect(other.status == 401)
    #expect(other.challenge == "Bearer realm=\"orders\"")
  }

  @Test func whatIsMalformedIsABadRequest() async throws {
    var twice = bearing(try token())
    twice.append(HTTPField(name: .authorization, value: "Bearer " + (try token())))
    for fields in [twice, bearing(""), bearing("a b"), bearing("a,b")] {
      let answer = try await ask(fields)
      #expect(answer.status == 400)
      #expect(answer.challenge?.contains("error=\"invalid_request\"") == true)
    }
  }

  @Test func whatIsRefusedIsToldWithoutDetails() async throws {
    let cases = [
      (try token(at: .now - .seconds(3_600)), "the token has expired"),
      (try token { $0["aud"] = "other" }, "the token is not valid here"),
      (try token { $0["iss"] = "https://other.example" }, "the token is not valid here"),
      ("garbage", "the token is not valid here"),
    ]
    for (token, description) in cases {
      let answer = try await ask(bearing(token))
      #expect(answer.status == 401)
      #expect(
        answer.challenge
          == "Bearer realm=\"orders\", error=\"invalid_token\", error_description=\"\(description)\"")
      #expect(answer.body.isEmpty)
    }
  }

  @Test func aMissingScopeIsForbidden() async throws {
    let answer = try await ask(bearing(try token { $0["scope"] = "orders/write" }))
    #expect(answer.status == 403)
    #expect(answer.challenge?.contains("error=\"insufficient_scope\"") == true)
  }

  @Test func keysThatCannotBeHadAreNotTheCallersFault() async throws {
    let answer = try await ask(bearing(try token()), holdsKeys: false)
    #expect(answer.status == 503)
    #expect(answer.challenge == nil)
  }

  @Test func healthIsForEveryone() async throws {
    #expect(try await ask([:], path: "/health").status == 200)
  }
}
