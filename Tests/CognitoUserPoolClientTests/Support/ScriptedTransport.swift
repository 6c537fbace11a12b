internal import HTTPExchange
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// A service with scripted responses, which are given in turn. It records the requests.
final class ScriptedTransport: HTTPTransport {
  private let state: Mutex<State>

  private struct State {
    var answers: [Answer]
    var requests: [Request] = []
  }

  /// A response, or a failure of the connection.
  enum Answer: Sendable {
    case response(status: Int, body: JSONObject)
    case failure(TransportError)
    /// Waits at the gate, then gives the other answer.
    indirect case held(Gate, Answer)

    /// A response of status 200.
    static func ok(_ body: JSONObject = [:]) -> Answer { .response(status: 200, body: body) }

    /// The service's refusal.
    static func refusal(_ type: String, _ message: String = "no") -> Answer {
      .response(status: 400, body: ["__type": .string(type), "message": .string(message)])
    }
  }

  /// A request as it was sent.
  struct Request: Sendable {
    let operation: String
    let url: String
    let body: JSONObject
    /// The body as it was sent.
    let json: String

    /// The text of a member; "" for none.
    func text(_ name: String) -> String { body[name]?.string ?? "" }

    /// A member that is an object; empty for none.
    func object(_ name: String) -> JSONObject { body[name]?.object ?? JSONObject() }
  }

  init(_ answers: Answer...) { state = Mutex(State(answers: answers)) }

  /// Adds responses behind those that are left.
  func then(_ answers: Answer...) { state.withLock { $0.answers += answers } }

  /// The requests in the order of arrival.
  var requests: [Request] { state.withLock { $0.requests } }

  /// The names of the operations in the order of arrival.
  var operations: [String] { requests.map(\.operation) }

  /// The number of responses that are left.
  var left: Int { state.withLock { $0.answers.count } }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let target = request.headers["X-Amz-Target"] ?? ""
    let operation = String(target.split(separator: ".").last ?? "")
    let body = (try? JSONDocument(request.body))?.object() ?? JSONObject()
    let json = String(decoding: request.body, as: UTF8.self)
    let answer = state.withLock { state -> Answer? in
      state.requests.append(
        Request(operation: operation, url: request.url.description, body: body, json: json))
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
    guard let answer else { throw .connection("nothing is scripted for \(operation)") }
    return try await Self.resolve(answer)
  }

  private static func resolve(_ answer: Answer) async throws(TransportError) -> TransportResponse {
    switch answer {
    case .response(let status, let body):
      return TransportResponse(status: status, body: JSONWriter.write(body))
    case .failure(let error): throw error
    case .held(let gate, let answer):
      await gate.pass()
      if Task.isCancelled { throw .connection("cancelled") }
      return try await resolve(answer)
    }
  }
}
