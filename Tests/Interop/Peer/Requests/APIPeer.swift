internal import AccessPolicies
internal import AsyncHTTPTransport
internal import CognitoIdentityClient
internal import SigV4
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// An API that verifies requests with the signing keys of sessions, which it asks identity-service for: one JSON object per line
/// in and out.
struct APIPeer {
  private let transport = HTTPClientTransport()
  private var verifier: RequestVerifier?
  private var keys: SessionKeys?

  static func run() async {
    var peer = APIPeer()
    await Question.answerAll { question in try await peer.answer(question) }
  }

  private mutating func answer(_ question: Question) async throws -> JSONObject {
    func text(_ name: String) -> String { question.text(name) }
    if text("op") == "configure" {
      var policy = VerifierPolicy(
        service: text("service"), region: text("region"), hosts: .oneOf([text("host")]))
      policy.algorithms = [.hmacSHA256, .ecdsaP256SHA256]
      policy.placements = [.header, .query]
      verifier = try RequestVerifier(policy: policy)
      keys = SessionKeys(
        endpoint: try IdentityEndpoint(address: text("endpoint"), region: text("endpoint_region")),
        credentials: StaticCredentials(
          try Credentials(accessKeyID: text("key"), secretAccessKey: question.secret("secret"))),
        transport: transport)
      return [:]
    }
    guard let verifier, let keys else { return ["error": "order"] }
    var headers: [HeaderField] = []
    for pair in question.object["headers"]?.array ?? [] {
      let words = pair.strings ?? []
      if words.count == 2 { headers.append(HeaderField(words[0], words[1])) }
    }
    let target = text("target").utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1)
    let head = RequestHead(
      method: text("method"), path: Array(target.first ?? Substring("/").utf8),
      query: target.count > 1 ? Array(target[1]) : [], headers: headers)
    let message = HTTPMessage(head: head, body: try Base64.decode(text("body")))
    let now = question.number("now").map { Timestamp(seconds: $0) } ?? .now
    let request: SessionRequest<HashBinding>
    do throws(SessionRequestError) {
      request = try await verifier.verify(
        message, with: keys, from: question.object["address"]?.string, at: now)
    } catch {
      return [
        "error": .string("\(error)"), "code": .string(error.codeText),
        "status": .number(JSONNumber(Int64(error.response.status))),
      ]
    }
    var reply: JSONObject = [
      "arn": .string(request.session.arn),
      "expiration": .number(JSONNumber(request.session.expiration.seconds)),
      "methods": .array(request.session.methods.map { .string($0) }),
    ]
    reply["identity"] = request.session.identityID.map { .string($0) }
    reply["source_identity"] = request.session.sourceIdentity.map { .string($0) }
    var tags = JSONObject()
    for (name, value) in request.session.tags { tags[name.text] = .string(value) }
    reply["tags"] = .object(tags)
    reply["allowed"] = .bool(try request.decide(text("action"), on: text("resource")).isAllowed)
    return reply
  }
}
