internal import Logging
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// The listener of the management address. It starts before the public listener and ends after it, so that
/// the readiness can be read while calls finish.
struct ManagementService: Service {
  /// Management clients are few: a monitoring system and an orchestrator.
  static let mostConnections = 64

  let listener: HTTPListener
  let responder: ManagementResponder
  let bound: BoundAddress
  let logger: Logger

  func run() async throws {
    let application = listener.application(responder, logger: logger) { channel in
      bound.set(ServiceConfiguration.Listener.text(listener.listener.host, channel.localAddress?.port ?? 0))
    }
    try await withGracefulShutdownHandler {
      try await listener.run(application)
    } onGracefulShutdown: {
      let connections = listener.connections
      Task.detached {
        // Lets a response end that is under way.
        try? await Task.sleep(for: .milliseconds(200))
        _ = connections.abortAll()
      }
    }
  }
}

/// An address that becomes known when it is bound.
final class BoundAddress: Sendable {
  private let stream = AsyncStream<String>.makeStream()

  func set(_ address: String) {
    stream.continuation.yield(address)
    stream.continuation.finish()
  }

  /// Waits for the address. Returns nil where the task is cancelled first.
  func wait() async -> String? { await stream.stream.first { _ in true } }
}
