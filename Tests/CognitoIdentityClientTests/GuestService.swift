internal import CognitoIdentityClient
internal import SigV4
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// A service that creates an identity at each `GetId`, as for guests, and credentials whose key contains the
/// identity.
final class GuestService: HTTPTransport {
  private let state = Mutex((asked: [String](), identities: 0, refusals: [String]()))
  private let gate = Gate(isOpen: true)

  /// Operations in the order of arrival.
  var asked: [String] { state.withLock { $0.asked } }

  func count(_ operation: String) -> Int { asked.count { $0.hasPrefix(operation) } }

  /// Holds the responses until they are released.
  func hold() { gate.close() }

  /// Sends the held responses.
  func release() { gate.open() }

  /// Refuses the next calls with these types.
  func refuse(_ types: String...) { state.withLock { $0.refusals = types } }

  /// The key of an identity's credentials.
  static func key(_ identity: String) -> String { "ASIA" + identity.dropFirst("us-east-1:".utf8.count) }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let target = request.headers["x-amz-target"] ?? "AWSCognitoIdentityService.STS"
    let operation = String(target.dropFirst("AWSCognitoIdentityService.".utf8.count))
    let sent = (try? JSONDocument(request.body))?.object()["IdentityId"]?.string
    let (refusal, number) = state.withLock { state -> (String?, Int) in
      state.asked.append(operation + (sent.map { " \($0)" } ?? ""))
      let refusal = state.refusals.isEmpty ? nil : state.refusals.removeFirst()
      if operation == "GetId", refusal == nil { state.identities += 1 }
      return (refusal, state.identities)
    }
    // A delay in which other calls arrive.
    for _ in 0..<20 { await Task.yield() }
    await gate.pass()
    if let refusal {
      let body = JSONWriter.write(["__type": .string(refusal), "message": "no"] as JSONObject)
      return TransportResponse(status: 400, body: body)
    }
    let identity = sent ?? "us-east-1:\(number)"
    let body: JSONObject =
      operation == "GetId"
      ? ["IdentityId": .string(identity)]
      : ScriptedService.credentials(
        identity, key: Self.key(identity), until: IdentityProviderTests.start + 3_600
      ).body
    return TransportResponse(status: 200, body: JSONWriter.write(body))
  }
}

/// A store that can fail, as on a full disk.
final class FullStore: IdentityStateStore {
  private let state: Mutex<(kept: StoredIdentity?, failures: Int, saves: Int)>

  init(_ kept: StoredIdentity? = nil, failures: Int) { state = Mutex((kept, failures, 0)) }

  var kept: StoredIdentity? { state.withLock { $0.kept } }
  var saves: Int { state.withLock { $0.saves } }

  func load() throws(IdentityClientError) -> StoredIdentity? { kept }

  func save(_ new: StoredIdentity?) throws(IdentityClientError) {
    let isFull = state.withLock { state -> Bool in
      state.saves += 1
      guard state.failures == 0 else {
        state.failures -= 1
        return true
      }
      state.kept = new
      return false
    }
    if isFull { throw .stateUnavailable("the disk is full") }
  }
}
