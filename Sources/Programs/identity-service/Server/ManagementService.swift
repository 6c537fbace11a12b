internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import Synchronization
internal import ServiceHosting

/// The listener of the management address. It starts before the public listener and ends after it, so that
/// the readiness can be read while calls finish.
///
/// It has a thread of its own: reads of a file that a disk does not answer block the threads of calls. The thread
/// ends with the process, like those of calls: Hummingbird closes a listener in a task that its `run` does not
/// wait for, and the task uses the event loop once more after the last connection has been closed.
struct ManagementService: Service {
  /// Management clients are few: a monitoring system and an orchestrator.
  static let mostConnections = 64

  private let listener: HTTPListener
  private let address: ServiceConfiguration.Listener
  private let group: MultiThreadedEventLoopGroup
  let responder: ManagementResponder
  let bound: BoundAddress
  let logger: Logger

  init(
    listener: HTTPListener, address: ServiceConfiguration.Listener, responder: ManagementResponder,
    bound: BoundAddress, logger: Logger
  ) {
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var listener = listener
    listener.group = group
    self.listener = listener
    self.address = address
    self.responder = responder
    self.bound = bound
    self.logger = logger
  }

  func run() async throws {
    // New connections are accepted by this task.
    try await withTaskExecutorPreference(EventLoopExecutor(group.next())) { try await serve() }
  }

  private func serve() async throws {
    let application = listener.application(responder, logger: logger) { channel in
      bound.set(ServiceConfiguration.Listener.text(address.host, channel.localAddress?.port ?? 0))
    }
    try await withGracefulShutdownHandler {
      try await listener.run(application) { address.refusal($0) }
    } onGracefulShutdown: {
      let connections = listener.connections
      // Lets a response end that is under way.
      ShutdownLimit.onThread(.milliseconds(200)) { _ = connections.abortAll() }
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
