internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import ServiceHosting
internal import Synchronization
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Responds to the requests of the management address: health, version and metrics.
struct StatusResponder: HTTPResponder {
  let rules: CurrentRules
  let stopping: Stopping
  let metrics: PrometheusText
  let figures: ProcessFigures

  func respond(to request: Request, context: RequestSender) async throws -> Response {
    guard request.method.rawValue.isIdentical(to: "GET") else { return Response(status: .notFound) }
    switch ExactString(request.head.path ?? "") {
    case "/health/live": return Self.text("live\n")
    case "/health/ready":
      if stopping.isStopping { return Self.text("stopping\n", .serviceUnavailable) }
      guard rules.isReady else { return Self.text("keys have not been fetched yet\n", .serviceUnavailable) }
      return Self.text("ready\n")
    case "/version": return Self.text("verify-token \(ProgramVersion.current)\n")
    case "/metrics":
      return Self.text(metrics.text(with: figures.readings), type: "text/plain; version=0.0.4")
    default: return Response(status: .notFound)
    }
  }

  private static func text(
    _ text: String, _ status: HTTPResponse.Status = .ok, type: String = "text/plain"
  ) -> Response {
    Response(
      status: status, headers: [.contentType: type, .cacheControl: "no-store"],
      body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}

/// Whether the shutdown has begun.
final class Stopping: Sendable {
  private let state = Mutex((isStopping: false, failure: StartError?.none))

  var isStopping: Bool { state.withLock { $0.isStopping } }
  /// Why the program stops without a signal.
  var failure: StartError? { state.withLock { $0.failure } }

  func begin() { state.withLock { $0.isStopping = true } }

  /// Stops the program for an error.
  func fail(_ error: StartError) {
    state.withLock { $0 = (true, error) }
    kill(getpid(), SIGTERM)
  }
}
