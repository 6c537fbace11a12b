@testable internal import CognitoIdentity
internal import Foundation
internal import OpenIDConnect
internal import ServiceOperations
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenSecurityBase

/// Opaque access tokens of Facebook and Amazon are logins where the provider is asked about them.
@Suite struct AccessTokenLoginTests {
  private static let facebook = "graph.facebook.com"
  private static let amazon = "www.amazon.com"
  private static let secret = "0123456789abcdef&=|"
  private static let token = "Atza|opaque token/of+a=user&x"

  /// A provider that answers each question alike.
  private final class Provider: HTTPTransport {
    private let state: Mutex<(response: TransportResponse?, urls: [String])>

    init(_ status: Int, _ body: String) {
      state = Mutex((TransportResponse(status: status, body: Array(body.utf8)), []))
    }

    /// A provider that cannot be reached.
    init() { state = Mutex((nil, [])) }

    var urls: [String] { state.withLock { $0.urls } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      let response = state.withLock { state in
        state.urls.append(request.url.description)
        return state.response
      }
      guard let response else { throw .connection("no route to \(request.url)") }
      return response
    }
  }

  private func service(
    _ f: Fixture, _ provider: Provider, asks: Bool = true
  ) throws -> IdentityPoolService {
    let master = [UInt8](repeating: 7, count: 32)
    let introspection: [AccessTokenIntrospection] =
      asks ? [try .facebook(appID: "12345", appSecret: SecretText(Self.secret)), .loginWithAmazon] : []
    return IdentityPoolService(
      store: f.store, sealing: try SealingKeys(master: SecretBytes(master.span)),
      logins: LoginVerifier(transport: provider, introspection: introspection),
      keyMaker: .vectors(from: 24))
  }

  private func outcome(
    _ name: String, _ token: String, _ provider: Provider, asks: Bool = true
  ) async throws -> String {
    let f = try await Fixture(.memory)
    defer { f.remove() }
    let service = try service(f, provider, asks: asks)
    let identity: String
    do throws(IdentityError) {
      identity = try await service.resolveIdentity(poolID: f.pool.id, logins: [name: token], at: Fixture.now)
    } catch {
      // Neither the token nor the app's secret is in the error.
      #expect("\(error)".utf8.firstRange(of: "opaque".utf8) == nil)
      #expect("\(error)".utf8.firstRange(of: "0123456789abcdef".utf8) == nil)
      guard case .loginRefused(_, let code, _) = error else { return error.codeText }
      return code
    }
    return try await f.logins(identity).joined()
  }

  private static func facebook(
    _ valid: String = "true", app: String = "\"12345\"", type: String = "\"USER\"", end: String = "0",
    user: String = "\"jane\""
  ) -> String {
    """
    {"data": {"app_id": \(app), "type": \(type), "application": "Test", "expires_at": \(end),
      "is_valid": \(valid), "issued_at": 1, "scopes": ["email"], "user_id": \(user)}}
    """
  }

  private static func amazon(
    client: String = "amazon-client", app: String = "amzn1.application.1", exp: String = "3597",
    user: String = "\"amzn1.account.K2\"", issuer: String = "https://www.amazon.com"
  ) -> String {
    """
    {"iss": "\(issuer)", "user_id": \(user), "aud": "\(client)", "app_id": "\(app)", "exp": \(exp),
      "iat": 1311280970}
    """
  }

  @Test func aUserOfFacebookIsFound() async throws {
    let provider = Provider(200, Self.facebook())
    #expect(try await outcome(Self.facebook, Self.token, provider) == "graph.facebook.com=jane")
    #expect(
      provider.urls == [
        "https://graph.facebook.com/debug_token?input_token=Atza%7Copaque%20token%2Fof%2Ba%3Duser%26x"
          + "&access_token=12345%7C0123456789abcdef%26%3D%7C"
      ])
  }

  @Test func aUserOfAmazonIsFoundByClientOrSecurityProfile() async throws {
    let provider = Provider(200, Self.amazon())
    #expect(try await outcome(Self.amazon, Self.token, provider) == "www.amazon.com=amzn1.account.K2")
    #expect(
      provider.urls == [
        "https://api.amazon.com/auth/o2/tokeninfo?access_token=Atza%7Copaque%20token%2Fof%2Ba%3Duser%26x"
      ])
    let byProfile = Provider(200, Self.amazon(client: "other", app: "amazon-client"))
    #expect(try await outcome(Self.amazon, Self.token, byProfile) == "www.amazon.com=amzn1.account.K2")
  }

  @Test(arguments: [
    (facebook("false"), "access_token_refused"), (facebook(app: "\"99999\""), "audience_mismatch"),
    (facebook(type: "\"APP\""), "access_token_refused"), (facebook(type: "\"PAGE\""), "access_token_refused"),
    (facebook(end: "1799999999"), "access_token_refused"),
    (facebook(end: "1800000000"), "access_token_refused"),
    (facebook(end: "1800000001"), "graph.facebook.com=jane"), (facebook(user: "\"\""), "claim_missing"),
    (facebook(user: "7"), "login_not_judged"), (facebook(app: "null"), "login_not_judged"),
    (facebook(end: "\"later\""), "login_not_judged"), ("{\"data\": []}", "login_not_judged"),
    ("{", "login_not_judged"),
  ])
  func whatFacebookSaysDecides(body: String, expected: String) async throws {
    #expect(try await outcome(Self.facebook, Self.token, Provider(200, body)) == expected)
  }

  @Test(arguments: [
    (200, amazon(client: "other"), "audience_mismatch"), (200, amazon(exp: "0"), "access_token_refused"),
    (200, amazon(exp: "\"1\""), "login_not_judged"), (200, amazon(user: "null"), "login_not_judged"),
    (200, amazon(issuer: "https://example.com"), "access_token_refused"),
    (400, "{\"error\": \"invalid_token\"}", "access_token_refused"),
    (400, "{\"error\": \"invalid_request\"}", "login_not_judged"), (503, "", "login_not_judged"),
  ])
  func whatAmazonSaysDecides(status: Int, body: String, expected: String) async throws {
    #expect(try await outcome(Self.amazon, Self.token, Provider(status, body)) == expected)
  }

  @Test func anErrorOfTheAppIsNotTheTokens() async throws {
    // Facebook's answer to a wrong app secret.
    let provider = Provider(
      400, #"{"error": {"message": "Invalid OAuth access token signature.", "code": 190}}"#)
    #expect(try await outcome(Self.facebook, Self.token, provider) == "login_not_judged")
    #expect(try await outcome(Self.facebook, Self.token, Provider()) == "login_not_judged")
  }

  @Test func aProviderThatIsOffIsNotAsked() async throws {
    let provider = Provider(200, Self.facebook())
    #expect(try await outcome(Self.facebook, Self.token, provider, asks: false) == "not_compact")
    #expect(provider.urls.isEmpty)
  }

  @Test func aTokenThatIsNoneIsNotAskedAbout() async throws {
    let provider = Provider(200, Self.facebook())
    let long = String(repeating: "x", count: 2_048)
    #expect(try await outcome(Self.facebook, long, provider) == "token_too_large")
    // Other providers' opaque tokens are refused as before.
    #expect(try await outcome("accounts.google.com", Self.token, provider) == "not_compact")
    #expect(provider.urls.isEmpty)
  }

  @Test func anIDTokenIsVerifiedByItsSignatureAndHasTheSameIdentity() async throws {
    let f = try await Fixture(.memory)
    defer { f.remove() }
    let provider = Provider(200, Self.facebook())
    let service = try service(f, provider)
    let opaque = try await service.resolveIdentity(
      poolID: f.pool.id, logins: [Self.facebook: Self.token], at: Fixture.now)
    let token = try f.issuers.token(Self.facebook, "jane")
    let signed = try await service.resolveIdentity(
      poolID: f.pool.id, logins: [Self.facebook: token], at: Fixture.now)
    #expect(opaque == signed && provider.urls.count == 1)
    // Credentials ask again: the token may have been revoked.
    _ = try await service.issueCredentials(for: opaque, logins: [Self.facebook: Self.token], at: Fixture.now)
    #expect(provider.urls.count == 2)
  }

  @Test(arguments: [("", secret), ("12a", secret), ("1234567890", "short"), ("1234567890", "")])
  func settingsThatCannotServeAreRefused(appID: String, secret: String) {
    #expect {
      _ = try AccessTokenIntrospection.facebook(appID: appID, appSecret: SecretText(secret))
    } throws: {
      ($0 as? IdentityError)?.codeText == "member_refused"
    }
  }
}
