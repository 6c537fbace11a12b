internal import TokenSecurityPlatform
package import Logging
package import ServiceLifecycle
internal import Synchronization

/// The public listener, with a time limit for its graceful shutdown.
package struct BoundedService: Service {
  private let inner: any Service
  private let listener: HTTPListener
  private let seconds: Int
  private let logger: Logger
  private let onStop: @Sendable () -> Void
  private let refusal: @Sendable (String) -> any Error

  /// The time for calls to end after their connections were closed.
  private static let endOfCalls = Duration.seconds(5)

  /// Describes the service.
  ///
  /// - Parameters:
  ///   - inner: the server of the listener.
  ///   - listener: the listener.
  ///   - seconds: the time for calls to end.
  ///   - logger: the log.
  ///   - onStop: called when the shutdown begins.
  ///   - refusal: makes the error for an address that cannot be bound, of the reason.
  package init(
    _ inner: any Service, of listener: HTTPListener, seconds: Int, logger: Logger,
    onStop: @escaping @Sendable () -> Void, refusal: @escaping @Sendable (String) -> any Error
  ) {
    self.inner = inner
    self.listener = listener
    self.seconds = seconds
    self.logger = logger
    self.onStop = onStop
    self.refusal = refusal
  }

  package func run() async throws {
    let connections = listener.connections
    let watchdog = ShutdownWatchdog()
    // Afterwards the data is closed, which an exit would interrupt.
    defer { watchdog.cancel() }
    try await withGracefulShutdownHandler {
      try await listener.run(inner, else: refusal)
    } onGracefulShutdown: {
      onStop()
      logger.log(.info, "stopping", with: [("connections", "\(connections.count)")])
      watchdog.start {
        guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
        let count = connections.abortAll()
        // Any client can keep its connection until then.
        logger.log(.info, "shutdown timeout: connections were closed", with: [("connections", "\(count)")])
        // Calls end at once when their connections are closed, but on a machine with too much work that takes seconds too.
        // The programs write a change before they respond, so that the process may exit at any time.
        guard (try? await Task.sleep(for: Self.endOfCalls)) != nil else { return }
        logger.error("shutdown timeout: calls were still running")
        exit(1)
      }
    }
  }
}

/// A task that ends a shutdown that takes too long, unless it is cancelled before.
private final class ShutdownWatchdog: Sendable {
  private enum State {
    case idle
    case running(Task<Void, Never>)
    case cancelled
  }

  private let state = Mutex(State.idle)

  func start(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      guard case .idle = state else { return }
      state = .running(Task.detached { await body() })
    }
  }

  func cancel() {
    state.withLock { state in
      if case .running(let task) = state { task.cancel() }
      state = .cancelled
    }
  }
}
