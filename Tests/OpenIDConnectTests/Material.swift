internal import JOSE
internal import OpenIDConnect
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityTesting

extension SettableClock {
  /// The seconds from the start.
  var seconds: Int64 { elapsed.components.seconds }
  func set(_ seconds: Int64) { advance(by: .seconds(seconds) - elapsed) }
}

/// A transport with scripted responses. It counts requests.
final class ScriptedFetcher: HTTPTransport {
  typealias Answer = @Sendable (TransportRequest) async -> Result<TransportResponse, TransportError>

  private struct State {
    var answers: [String: Answer] = [:]
    var requests: [TransportRequest] = []
    var underWay = 0
    var mostUnderWay = 0
  }

  private let state = Mutex(State())

  /// All requested URLs.
  var requests: [TransportRequest] { state.withLock { $0.requests } }
  var count: Int { state.withLock { $0.requests.count } }
  var mostUnderWay: Int { state.withLock { $0.mostUnderWay } }

  /// Sets the response for `address`.
  func answer(_ address: String, _ answer: @escaping Answer) {
    state.withLock { $0.answers[address] = answer }
  }

  func answer(_ address: String, _ set: String, cacheControl: String? = nil, tag: String? = nil) {
    answer(address) { _ in .success(Self.response(set, cacheControl: cacheControl, tag: tag)) }
  }

  func fail(_ address: String, _ error: TransportError) { answer(address) { _ in .failure(error) } }

  func fail(_ address: String, status: Int) {
    answer(address) { _ in .success(Self.response("", status: status)) }
  }

  static func response(
    _ body: String, status: Int = 200, cacheControl: String? = nil, tag: String? = nil,
    type: String = "application/json", location: String? = nil
  ) -> TransportResponse {
    var headers: TransportHeaders = ["Content-Type": type]
    headers["cache-control"] = cacheControl
    headers["ETag"] = tag
    headers["Location"] = location
    return TransportResponse(status: status, headers: headers, body: Array(body.utf8))
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let answer = state.withLock { state in
      state.requests.append(request)
      state.underWay += 1
      state.mostUnderWay = max(state.mostUnderWay, state.underWay)
      return state.answers[request.url.description]
    }
    defer { state.withLock { $0.underWay -= 1 } }
    guard let answer else { return Self.response("", status: 404) }
    return try await answer(request).get()
  }
}

/// Keys and tokens made for a test.
struct Issuer: Sendable {
  let name: String
  let key: JWK

  init(_ name: String, kid: String) throws {
    self.name = name
    var key = try JWK.generate(.es256)
    key.keyID = kid
    self.key = key
  }

  /// The same issuer with another key.
  func rotated(to kid: String) throws -> Issuer { try Issuer(name, kid: kid) }

  func token(at now: NumericDate = .now, _ claims: JSONObject = [:]) throws -> String {
    var all = TokenClaims(issuer: name, subject: "jane", audience: ["api"])
    for member in claims.members { all[member.name] = member.value }
    return try TokenSigner(key: key).issue(all, at: now)
  }

  var policy: TokenPolicy { TokenPolicy(issuer: .exactly(name), audience: "api") }

  /// The issuer as a verifier trusts it, with keys that a fetcher answers.
  func trusted(by fetcher: ScriptedFetcher) throws -> TrustedIssuer {
    let address = name + "/jwks"
    fetcher.answer(address, Issuer.set(self))
    return TrustedIssuer(policy: policy, keys: .remote(.address(try HTTPURL(address))))
  }

  static func set(_ issuers: Issuer...) -> String {
    JWKSet(issuers.map(\.key)).publicJSON
  }
}
