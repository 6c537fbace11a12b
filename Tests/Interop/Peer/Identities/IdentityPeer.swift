internal import AsyncHTTPTransport
internal import CognitoIdentityClient
internal import SigV4
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Runs the client of identity pools over HTTP: one JSON object per line in and out.
struct IdentityPeer {
  private let transport = HTTPClientTransport()
  private let logins = Logins()
  private var provider: IdentityProvider?
  private var own: OwnService?
  private var calls: IdentityCalls?
  private var watching: Task<Void, Never>?
  private let told = Told()

  final class Told: Sendable {
    let changes = Mutex<[IdentityChange]>([])
  }

  static func run() async {
    var peer = IdentityPeer()
    await Question.answerAll(refusal: {
      if case .refused(let type, _)? = $0 as? IdentityClientError { type } else { nil }
    }) { question in try await peer.answer(question) }
  }

  private mutating func answer(_ question: Question) async throws -> JSONObject {
    func text(_ name: String) -> String { question.text(name) }
    switch text("op") {
    case "configure":
      let endpoint = try IdentityEndpoint(address: text("endpoint"), region: text("region"))
      let calls = IdentityCalls(endpoint: endpoint, transport: transport)
      var flow = IdentityProvider.Flow.enhanced()
      if text("flow") == "basic" {
        flow = .basic(
          authenticated: try RoleRequest(roleARN: text("role"), region: text("region")),
          unauthenticated: try RoleRequest(roleARN: text("guest_role"), region: text("region")))
      }
      own = nil
      if let key = question.object["key"]?.string {
        own = OwnService(
          name: text("developer"), pool: text("pool"), calls: calls,
          credentials: try Credentials(
            accessKeyID: key, secretAccessKey: SecretBytes(Array(text("secret").utf8).span)))
      }
      let made = try IdentityProvider(
        poolID: text("pool"), calls: calls, logins: logins, developer: own, flow: flow,
        store: question.object["state"]?.string.map(IdentityStateFile.init))
      let changes = await made.changes()
      watching?.cancel()
      told.changes.withLock { $0 = [] }
      watching = Task { [told] in for await change in changes { told.changes.withLock { $0.append(change) } }
      }
      provider = made
      self.calls = calls
      return ["identity": (await made.cachedIdentityID).map(JSONValue.string) ?? .null]
    case "logins":
      var values: [String: String] = [:]
      for member in question.object["logins"]?.object?.members ?? [] {
        values[member.name] = member.value.string
      }
      logins.set(values)
      return [:]
    case "call":
      guard let calls else { return ["error": "order"] }
      let issued = try await calls.openIDToken(for: text("identity"), logins: try await logins.logins())
      return ["identity": .string(issued.identityID), "token": .string(issued.token)]
    default: return try await ask(text("op"), question)
    }
  }

  private func ask(_ op: String, _ question: Question) async throws -> JSONObject {
    guard let provider else { return ["error": "order"] }
    let now = question.number("now").map { Timestamp(seconds: $0) } ?? .now
    switch op {
    case "credentials":
      let keys = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<(question.number("callers") ?? 1) {
          group.addTask { try await provider.poolCredentials(at: now).accessKeyID }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      return [
        "keys": .array(keys.map(JSONValue.string)), "identity": .string(try await provider.identityID()),
        "refreshes": .number(JSONNumber(Int64(own?.refreshes ?? 0))),
      ]
    case "whoami":
      // The credentials sign a request that the service verifies.
      let credentials = try await provider.poolCredentials(at: now)
      let body = Array("Action=GetCallerIdentity&Version=2011-06-15".utf8)
      let origin = question.text("endpoint")
      let head = RequestHead(
        "POST", "/",
        headers: [
          "Host": String(origin.split(separator: "/").last ?? ""),
          "Content-Type": "application/x-www-form-urlencoded",
        ])
      let signed = try Signer(service: "sts", region: question.text("region"))
        .sign(head, body: .bytes(body), with: credentials)
      let response = try await transport.send(
        TransportRequest(signed.head, body: body, to: origin, limits: RoleRequest.limits))
      return [
        "status": .number(JSONNumber(response.status)),
        "body": .string(String(decoding: response.body, as: UTF8.self)),
      ]
    case "clear_credentials":
      await provider.clearCredentials()
      return [:]
    case "clear_identity":
      try await provider.clearIdentity()
      return [:]
    case "changes":
      for _ in 0..<100 { await Task.yield() }
      return [
        "changes": .array(
          told.changes.withLock { $0 }.map {
            .array([$0.old.map(JSONValue.string) ?? .null, $0.new.map(JSONValue.string) ?? .null])
          })
      ]
    default: return ["error": "unknown"]
    }
  }
}

/// Logins that the tests change.
private final class Logins: LoginsSource {
  private let values = Mutex<[String: String]>([:])

  func set(_ new: [String: String]) { values.withLock { $0 = new } }
  func logins() async throws(IdentityClientError) -> [String: String] { values.withLock { $0 } }
}

/// The application's own service: here in the same program, with the developer's credentials.
private final class OwnService: DeveloperProvider {
  let name: String
  private let pool: String
  private let calls: IdentityCalls
  private let credentials: Credentials
  private let count = Mutex(0)

  init(name: String, pool: String, calls: IdentityCalls, credentials: Credentials) {
    self.name = name
    self.pool = pool
    self.calls = calls
    self.credentials = credentials
  }

  var refreshes: Int { count.withLock { $0 } }

  func refresh(identityID: String?, logins: [String: String]) async throws(IdentityClientError)
    -> IdentityCalls.IdentityToken
  {
    count.withLock { $0 += 1 }
    return try await calls.openIDTokenForDeveloperIdentity(
      poolID: pool, identityID: identityID, logins: logins, with: credentials)
  }
}
