internal import CognitoIdentity
internal import TokenSecurityEncodings
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import ServiceLifecycle
internal import Synchronization
internal import UnixSignals

/// The HTTP server with its limits and background tasks.
struct IdentityServer {
  let service: IdentityPoolService
  let configuration: ServiceConfiguration
  let metrics: PrometheusText
  let logger: Logger

  /// The address of a running server.
  struct Address: Sendable {
    let url: String
    /// True for plain HTTP on an address that other machines reach.
    let isExposed: Bool
  }

  /// Serves until SIGTERM or SIGINT; then finishes the calls that have begun, within the shutdown timeout.
  ///
  /// - Parameter onRunning: called after the port is bound and before the first response. An error stops the
  ///   server.
  /// - Throws: `OperatingError` for an address that cannot be bound or a certificate that cannot be read, and
  ///   the errors of `onRunning`.
  func run(onRunning: @escaping @Sendable (Address) async throws -> Void) async throws {
    let tls = try configuration.tlsContext()
    let limiter = RateLimiter(rate: configuration.rate)
    let responder = IdentityResponder(
      calls: CallHandler(
        service: service, callers: try SignedCallers(service, hosts: configuration.hosts), limiter: limiter,
        metrics: CallMetrics(), logger: logger),
      service: service, metrics: metrics, limiter: limiter, host: configuration.hosts.first,
      scheme: configuration.scheme)
    try await service.keys.maintain()
    let connections = ConnectionTable(limit: configuration.connectionsPerAddress)
    let limits = IdentityChannel.Limits(
      requestTimeout: configuration.requestTimeout, responseTimeout: configuration.responseTimeout,
      idleTimeout: configuration.idleTimeout)
    let server = HTTPServerBuilder { responder in
      IdentityChannel(responder: responder, limits: limits, connections: connections, tls: tls)
    }
    var settings = ApplicationConfiguration(
      address: .hostname(configuration.address, port: configuration.port), backlog: 1_024)
    let capacity = try OpenFiles.capacity(for: configuration.connections)
    if capacity < configuration.connections {
      logger.log(
        .warning, "the limit of open files (ulimit -n) allows fewer connections than configured",
        with: [("configured", "\(configuration.connections)"), ("connections", "\(capacity)")])
    }
    settings.availableConnectionsDelegate = .maximum(capacity, logger: logger)
    // Hummingbird logs connections, not calls.
    var quiet = logger
    quiet.logLevel = max(.warning, logger.logLevel)
    let start = Start()
    let scheme = configuration.scheme
    let host = configuration.address
    let application = Application(
      responder: responder, server: server, configuration: settings,
      services: [KeyMaintenance(keys: service.keys, logger: logger)],
      onServerRunning: { channel in
        let address = Address(
          url:
            "\(scheme)://\(host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host):\(channel.localAddress?.port ?? 0)",
          isExposed: scheme == "http" && !ClientAddress.isLoopback(channel.localAddress?.ipAddress))
        await start.perform { try await onRunning(address) }
      }, logger: quiet)
    let group = ServiceGroup(
      configuration: .init(
        services: [
          BoundedService(
            inner: application, connections: connections, seconds: configuration.shutdownTimeout,
            logger: logger)
        ],
        gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
    start.onFailure = { await group.triggerGracefulShutdown() }
    do {
      try await group.run()
    } catch let error as IOError {
      throw OperatingError("cannot listen on \(configuration.address):\(configuration.port): \(error)")
    } catch let error as SocketAddressError {
      throw OperatingError("cannot listen on \(configuration.address):\(configuration.port): \(error)")
    }
    if let error = start.error { throw error }
    logger.notice("stopped")
  }
}

/// Runs the start's last step and keeps its error.
private final class Start: Sendable {
  private let state = Mutex<(error: (any Error)?, onFailure: (@Sendable () async -> Void)?)>((nil, nil))

  var error: (any Error)? { state.withLock { $0.error } }

  var onFailure: (@Sendable () async -> Void)? {
    get { state.withLock { $0.onFailure } }
    set { state.withLock { $0.onFailure = newValue } }
  }

  func perform(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      state.withLock { $0.error = error }
      await onFailure?()
    }
  }
}

/// Maintains the signing keys every five seconds.
private struct KeyMaintenance: Service {
  let keys: SigningKeyRing
  let logger: Logger

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(5))
        guard !Task.isCancelled else { return }
        do throws(IdentityError) {
          let changes = try await keys.maintain()
          if !changes.astray.isEmpty {
            logger.log(
              .warning, "removed signing keys that were made while the clock was ahead",
              with: [("keys", "\(changes.astray)")])
          }
          if changes != KeyChanges() {
            logger.log(.notice, "signing keys changed", with: [("keys", "\(keys.schedule.map(\.keyID))")])
          }
        } catch {
          logger.log(
            .error, "signing keys could not be maintained",
            with: [("code", error.codeText), ("reason", "\(error)")])
        }
      }
    }
  }
}
