internal import CognitoIdentityClient
internal import SigV4
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// A service with scripted responses that records the calls.
final class ScriptedService: HTTPTransport {
  private let state = Mutex(
    (asked: [String](), accounts: [String](), answers: [String: [Answer]](), gate: Gate?.none))

  struct Answer: Sendable {
    var status = 200
    var body: JSONObject
  }

  /// The responses to each operation, in turn; the last one is repeated.
  func answer(_ operation: String, _ answers: Answer...) {
    state.withLock { $0.answers[operation] = answers }
  }

  func hold(_ gate: Gate) { state.withLock { $0.gate = gate } }

  /// Operations in the order of arrival, with the identity and the providers of the logins.
  var asked: [String] { state.withLock { $0.asked } }

  /// The accounts in the order of arrival.
  var accounts: [String] { state.withLock { $0.accounts } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let gate = state.withLock { $0.gate }
    let operation = String((request.headers["x-amz-target"] ?? "STS").split(separator: ".").last ?? "")
    let body = (try? JSONDocument(request.body))?.object() ?? JSONObject()
    let identity = body["IdentityId"]?.string.map { " \($0)" } ?? ""
    let logins = body["Logins"]?.object.map { " \($0.names.joined(separator: "+"))" } ?? ""
    let answer = state.withLock { state -> Answer? in
      state.asked.append(operation + identity + logins)
      if let account = body["AccountId"]?.string { state.accounts.append(account) }
      guard var answers = state.answers[operation], let first = answers.first else { return nil }
      if answers.count > 1 { answers.removeFirst() }
      state.answers[operation] = answers
      return first
    }
    await gate?.pass()
    guard let answer else { throw .connection("nothing is scripted for \(operation)") }
    return TransportResponse(status: answer.status, body: JSONWriter.write(answer.body))
  }

  static func id(_ identity: String) -> Answer { Answer(body: ["IdentityId": .string(identity)]) }

  static func credentials(_ identity: String, key: String = "ASIAEXAMPLE", until end: Int64) -> Answer {
    Answer(
      body: [
        "IdentityId": .string(identity),
        "Credentials": .object([
          "AccessKeyId": .string(key), "SecretKey": "secret", "SessionToken": "token",
          "Expiration": .number(JSONNumber(end)),
        ]),
      ])
  }

  static func refusal(_ type: String) -> Answer {
    Answer(status: 400, body: ["__type": .string(type), "message": "no"])
  }
}

/// Logins that tests change, and a count of reads.
final class CountedLogins: LoginsSource {
  private let state: Mutex<(logins: [String: String], count: Int)>

  init(_ logins: [String: String]) { state = Mutex((logins, 0)) }

  func set(_ logins: [String: String]) { state.withLock { $0.logins = logins } }
  var count: Int { state.withLock { $0.count } }

  func logins() async throws(IdentityClientError) -> [String: String] {
    state.withLock {
      $0.count += 1
      return $0.logins
    }
  }
}

/// A developer's service with one identity.
final class FakeDeveloper: DeveloperProvider {
  let name = "login.my.app"
  private let state = Mutex((identity: "us-east-1:de", asked: [String](), faults: [IdentityClientError]()))

  var asked: [String] { state.withLock { $0.asked } }
  func set(identity: String) { state.withLock { $0.identity = identity } }
  func fail(_ faults: IdentityClientError...) { state.withLock { $0.faults = faults } }

  func refresh(identityID: String?, logins: [String: String]) async throws(IdentityClientError)
    -> IdentityCalls.IdentityToken
  {
    let result = state.withLock { state -> Result<IdentityCalls.IdentityToken, IdentityClientError> in
      state.asked.append("\(identityID ?? "-") \(logins.keys.sorted().joined(separator: "+"))")
      if !state.faults.isEmpty { return .failure(state.faults.removeFirst()) }
      return .success(.init(identityID: state.identity, token: "developer-token"))
    }
    return try result.get()
  }
}
