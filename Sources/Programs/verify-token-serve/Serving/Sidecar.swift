internal import AsyncHTTPTransport
internal import HTTPExchange
internal import Hummingbird
internal import Logging
internal import Metrics
internal import NIOCore
internal import OpenIDConnect
internal import ServiceHosting
internal import ServiceLifecycle
internal import TokenLifetime
internal import TokenSecurityPlatform
internal import UnixSignals

/// The server of decisions, with its management address and background tasks.
struct Sidecar {
  private let configuration: SidecarConfiguration
  private let file: ConfigurationFile
  private let level: LogLevel
  private let logger: Logger
  private let metrics = PrometheusText(help: [
    ("verify_token_decisions_total", "Decisions by route and code; ok: the request may pass."),
    ("verify_token_decision_seconds", "The time of decisions, by route."),
  ])

  /// Questions have no bodies, but where a route checks them. What a proxy sends of one all the same is read and discarded.
  private static let limits = ConnectionLimits(
    requestTimeout: 10, responseTimeout: 10, idleTimeout: 300, bodyLimit: Int(SignedRoute.longestBody))
  private static let shutdownSeconds = 10
  /// Management clients are few.
  private static let managementConnections = 64

  init(_ configuration: SidecarConfiguration, _ file: ConfigurationFile) {
    self.configuration = configuration
    self.file = file
    let level = LogLevel(configuration.tokens.logLevel)
    self.level = level
    logger = Logger(label: "verify-token-serve") { _ in JSONLineLog(level: level) }
  }

  /// The rules of a configuration.
  static func rules(
    _ configuration: SidecarConfiguration, of file: ConfigurationFile, replacing former: SidecarRules? = nil,
    logger: Logger = .silent
  ) throws(StartError) -> SidecarRules {
    let tokens = configuration.tokens
    let nonces = try file.nonces(tokens)
    do throws(PolicyDocumentError) {
      for policy in tokens.policies { try policy.checkFiles() }
      return SidecarRules(
        tokens: try RequestAuthorizer(tokens, replacing: former?.tokens, nonces: nonces, logger: logger) {
          document in
          HTTPClientTransport(
            TransportConfiguration(
              trustRoots: document.trustRoots.map { .file($0) } ?? .system,
              addresses: document.fetching.addresses))
        },
        signed: try SignedRequests(configuration, replacing: former?.signed) { settings in
          HTTPClientTransport(
            TransportConfiguration(trustRoots: settings.trustRoots.map { .file($0) } ?? .system))
        })
    } catch {
      throw .configuration(path: file.path, error)
    }
  }

  /// Serves until SIGTERM or SIGINT; then ends what has begun.
  func run() async throws(StartError) {
    do { try await serve() } catch let error as StartError { throw error } catch {
      throw .failed("\(error)")
    }
  }

  private func serve() async throws {
    let capacity: Int
    do throws(OpenFiles.TooFew) {
      capacity = try OpenFiles.capacity(for: configuration.tokens.connections)
    } catch {
      throw StartError.failed("\(error)")
    }
    MetricsSystem.bootstrap(metrics)
    let rules = CurrentRules(try Self.rules(configuration, of: file, logger: logger))
    let stopping = Stopping()
    // Before the first signal can come.
    let signals = await UnixSignalsSequence(trapping: .sighup)
    let main = try Listening(configuration.tokens.listen, Self.limits, capacity)
    let reload = ReloadOnSignal(
      signals: signals, file: file, started: configuration, rules: rules, level: level, logger: logger)
    let application = main.listener.application(
      DecisionResponder(rules: rules, logger: logger), logger: quiet
    ) { channel in
      rules.begin()
      announce(main, channel, as: "listening", stopping)
    }
    let limit = ShutdownLimit(.seconds(Self.shutdownSeconds) + ShutdownLimit.rest, logger: logger)
    var services: [any Service] = []
    var sockets = [main.socket]
    // Where the start fails, no shutdown has removed them.
    defer { for socket in sockets { socket?.remove() } }
    if let management = configuration.tokens.management {
      let status = StatusResponder(
        rules: rules, stopping: stopping, metrics: metrics,
        figures: ProcessFigures(start: Timestamp.now.since1970 / .seconds(1)))
      let managed = try Listening(management, Self.limits, Self.managementConnections)
      sockets.append(managed.socket)
      let server = managed.listener.application(status, logger: quiet) { channel in
        announce(managed, channel, as: "management is listening", stopping)
      }
      services.append(bounded("management listener", server, managed, limit) {})
    }
    // Ends after the last response.
    services.append(LimitedService(reload, limit: limit))
    services.append(bounded("listener", application, main, limit) { stopping.begin() })
    services.append(SignalledLimit(limit))
    let group = ServiceGroup(
      configuration: .init(
        services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: quiet))
    defer { rules.end() }
    try await group.run()
    if let failure = stopping.failure { throw failure }
    logger.info("stopped")
  }

  private func bounded(
    _ name: String, _ server: any Service, _ listening: Listening, _ limit: ShutdownLimit,
    onStop: @escaping @Sendable () -> Void
  ) -> BoundedService {
    BoundedService(
      name, server, of: listening.listener, seconds: Self.shutdownSeconds, logger: logger, limit: limit,
      onStop: {
        // Another process can listen there from now on.
        listening.socket?.remove()
        onStop()
      },
      refusal: { StartError.addressUnusable(listening.address.text, reason: $0) })
  }

  private func announce(
    _ listening: Listening, _ channel: any Channel, as event: String, _ stopping: Stopping
  ) {
    do throws(StartError) {
      // A shutdown may have come first.
      guard try listening.socket?.publish() ?? true else { return }
    } catch {
      stopping.fail(error)
      return
    }
    var text = listening.address.text
    if case .loopback(let host, _) = listening.address {
      text = ListenAddress.loopback(host: host, port: channel.localAddress?.port ?? 0).text
    }
    logger.log(
      .info, "\(event)",
      with: [
        ("address", text), ("routes", "\(configuration.routeCount)"), ("version", ProgramVersion.current),
      ])
  }

  /// Hummingbird logs connections.
  private var quiet: Logger {
    var quiet = logger
    quiet.logLevel = max(.warning, logger.logLevel)
    return quiet
  }
}
