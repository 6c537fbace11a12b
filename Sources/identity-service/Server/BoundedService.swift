internal import TokenSecurityPlatform
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// The public listener, with a time limit for its graceful shutdown.
struct BoundedService: Service {
  let inner: any Service
  let listener: HTTPListener
  let readiness: ServiceReadiness
  let seconds: Int
  let logger: Logger

  /// The time for calls to end after their connections were closed.
  private static let endOfCalls = Duration.seconds(5)

  func run() async throws {
    let connections = listener.connections
    let watchdog = ShutdownWatchdog()
    // Afterwards the data is closed, which an exit would interrupt.
    defer { watchdog.cancel() }
    try await withGracefulShutdownHandler {
      try await listener.run(inner)
    } onGracefulShutdown: {
      readiness.stop()
      logger.log(.info, "stopping", with: [("connections", "\(connections.count)")])
      watchdog.start {
        guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
        let count = connections.abortAll()
        logger.log(.warning, "shutdown timeout: connections were closed", with: [("connections", "\(count)")])
        // Calls end at once when their connections are closed, but on a machine with too much work that takes seconds too.
        // Acknowledged changes are on the disk, so that the process may exit at any time.
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
