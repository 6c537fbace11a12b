internal import TokenSecurityPlatform
internal import Logging
internal import ServiceLifecycle

/// The public listener, with a time limit for its graceful shutdown.
struct BoundedService: Service {
  let inner: any Service
  let listener: HTTPListener
  let readiness: ServiceReadiness
  let seconds: Int
  let logger: Logger

  func run() async throws {
    let connections = listener.connections
    try await withGracefulShutdownHandler {
      try await listener.run(inner)
    } onGracefulShutdown: {
      readiness.stop()
      logger.log(.info, "stopping", with: [("connections", "\(connections.count)")])
      Task.detached {
        try? await Task.sleep(for: .seconds(seconds))
        let count = connections.abortAll()
        logger.log(.warning, "shutdown timeout: connections were closed", with: [("connections", "\(count)")])
        // Acknowledged changes are on the disk, so that the process may exit at any time.
        try? await Task.sleep(for: .seconds(1))
        logger.error("shutdown timeout: calls were still running")
        exit(1)
      }
    }
  }
}
