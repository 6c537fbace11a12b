package import ServiceLifecycle

/// A service whose end is a step of a shutdown with a limit.
package struct LimitedService: Service {
  private let inner: any Service
  private let name: String
  private let limit: ShutdownLimit

  /// Describes the service.
  ///
  /// - Parameters:
  ///   - inner: the service.
  ///   - name: its name in the log. Default: that of its type.
  ///   - limit: the limit.
  package init(_ inner: any Service, name: String? = nil, limit: ShutdownLimit) {
    self.inner = inner
    self.name = name ?? "\(type(of: inner))"
    self.limit = limit
  }

  package func run() async throws {
    defer { limit.end(name) }
    try await withTaskCancellationOrGracefulShutdownHandler {
      try await inner.run()
    } onCancelOrGracefulShutdown: { [limit, name] in
      limit.begin(name)
    }
  }
}
