internal import CognitoIdentityClient
internal import Foundation
internal import SigV4
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// Keys of sessions that callers ask for on their own threads. The rules are those of tasks, and programs in C test the rest.
@Suite struct CallerSessionKeyTests {
  private static let now = Timestamp(seconds: 1_788_598_987)

  private let service = BlockedService()
  private let clock = CountingClock()

  private func keys() throws -> CallerSessionKeys {
    let clock = clock
    return CallerSessionKeys(
      endpoint: try IdentityEndpoint(address: "https://id.example", region: "us-east-1"),
      credentials: try Credentials(
        accessKeyID: "AKIAEXAMPLEEXAMPLE22", secretAccessKey: SecretBytes("own secret".utf8.span)),
      limit: 600_000, milliseconds: { clock.read() })
  }

  /// The code of the refusal of a request.
  private func code(_ keys: CallerSessionKeys) throws -> String? {
    let signer = try Signer(service: "orders", region: "eu-west-1")
    let credentials = try Credentials(
      accessKeyID: "ASIAEXAMPLEEXAMPLE22", secretAccessKey: SecretBytes("secret".utf8.span),
      sessionToken: "TS1." + String(repeating: "A", count: 100))
    let signed = try signer.sign(
      RequestHead("GET", "/", headers: ["host": "api.example"]), with: credentials, at: Self.now)
    let verifier = try RequestVerifier(
      policy: VerifierPolicy(service: "orders", region: "eu-west-1", hosts: .oneOf(["api.example"])))
    do throws(CallerSessionError) {
      _ = try verifier.verify(
        HTTPMessage(head: signed.head, body: []), with: keys, from: nil, at: Self.now
      ) { service }
      return nil
    } catch {
      guard case .request(let error) = error else { return "\(error)" }
      return error.codeText
    }
  }

  /// A failure is not kept, but is that of all threads that have waited for it.
  @Test func aFailureIsThatOfAllWhoWait() async throws {
    let keys = try keys()
    let codes = try await withThrowingTaskGroup(of: String?.self) { group in
      // Also where an expectation is not met.
      defer { service.open() }
      group.addTask { try await onThread { () throws -> String? in try code(keys) } }
      try await eventually { service.count == 1 }
      let readings = clock.count
      group.addTask { try await onThread { () throws -> String? in try code(keys) } }
      // It has read when its time ends, that the question is under way, and how long it waits.
      try await eventually { clock.count == readings + 3 }
      service.open()
      var codes: [String?] = []
      for try await code in group { codes.append(code) }
      return codes
    }
    #expect(codes == ["endpoint_unreachable", "endpoint_unreachable"] && service.count == 1)
    #expect(try code(keys) == "endpoint_unreachable" && service.count == 2)
  }

  /// A response that comes when the time is over is not used.
  @Test func lateResponses() throws {
    service.open()
    let refused = TransportResponse(status: 400, body: Array(#"{"__type":"InvalidSessionException"}"#.utf8))
    for (milliseconds, expected) in [(600_000, "endpoint_unreachable"), (599_999, "session_refused")] {
      service.answer { [clock] in
        clock.advance(by: Int64(milliseconds))
        return refused
      }
      #expect(try code(keys()) == expected)
    }
    #expect(service.count == 2)
  }
}

/// Runs a function on a thread of its own.
private func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

/// A clock that says how often it was read.
private final class CountingClock: Sendable {
  private let state = Mutex((count: 0, milliseconds: Int64(1_000)))

  var count: Int { state.withLock { $0.count } }

  func read() -> Int64 {
    state.withLock { state in
      state.count += 1
      return state.milliseconds
    }
  }

  func advance(by milliseconds: Int64) { state.withLock { $0.milliseconds += milliseconds } }
}

/// A gateway without a service, or what it is told, which answers when it is opened.
private final class BlockedService: CallerTransport {
  typealias Answer = @Sendable () -> TransportResponse

  private let state = Mutex<(count: Int, answer: Answer)>((0, { TransportResponse(status: 503, body: []) }))
  private let opened = DispatchSemaphore(value: 0)

  var count: Int { state.withLock { $0.count } }

  func answer(_ answer: @escaping Answer) { state.withLock { $0.answer = answer } }

  func open() { opened.signal() }

  func send(_ request: TransportRequest) throws(CallerTransportError) -> TransportResponse {
    let answer = state.withLock { state in
      state.count += 1
      return state.answer
    }
    opened.wait()
    opened.signal()
    return answer()
  }
}
