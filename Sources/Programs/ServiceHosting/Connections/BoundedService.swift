package import Logging
package import ServiceLifecycle

/// A listener with a time limit for its graceful shutdown.
package struct BoundedService: Service {
  private let name: String
  private let inner: any Service
  private let listener: HTTPListener
  private let seconds: Int
  private let logger: Logger
  private let limit: ShutdownLimit
  private let timer: ShutdownLimit.Timer
  private let onStop: @Sendable () -> Void
  private let refusal: @Sendable (String) -> any Error

  /// Describes the service.
  ///
  /// - Parameters:
  ///   - name: its name among the steps of the shutdown.
  ///   - inner: the server of the listener.
  ///   - listener: the listener.
  ///   - seconds: the time for calls to end, after which their connections are closed.
  ///   - logger: the log.
  ///   - limit: the limit of the whole shutdown.
  ///   - timer: measures `seconds`. Default: a thread of its own.
  ///   - onStop: called when the shutdown begins.
  ///   - refusal: makes the error for an address that cannot be bound, of the reason.
  package init(
    _ name: String, _ inner: any Service, of listener: HTTPListener, seconds: Int, logger: Logger,
    limit: ShutdownLimit, timer: @escaping ShutdownLimit.Timer = ShutdownLimit.onThread,
    onStop: @escaping @Sendable () -> Void, refusal: @escaping @Sendable (String) -> any Error
  ) {
    self.name = name
    self.inner = inner
    self.listener = listener
    self.seconds = seconds
    self.logger = logger
    self.limit = limit
    self.timer = timer
    self.onStop = onStop
    self.refusal = refusal
  }

  package func run() async throws {
    try await LimitedService(Serving(bounded: self), name: name, limit: limit).run()
  }

  /// The listener, whose shutdown is a step.
  private struct Serving: Service {
    let bounded: BoundedService

    func run() async throws {
      try await withGracefulShutdownHandler {
        try await bounded.listener.run(bounded.inner, else: bounded.refusal)
      } onGracefulShutdown: { [bounded] in
        bounded.stop()
      }
    }
  }

  private func stop() {
    onStop()
    let connections = listener.connections
    logger.log(.info, "stopping", with: [("connections", "\(connections.count)")])
    timer(.seconds(seconds)) { [limit, name, logger] in
      guard limit.isRunning(name) else { return }
      // Calls end at once when their connections are closed, but on a machine with too much work that takes seconds too.
      let count = connections.abortAll()
      // Any client can keep its connection until then.
      logger.log(.info, "shutdown timeout: connections were closed", with: [("connections", "\(count)")])
    }
  }
}
