internal import CognitoIdentity
internal import CognitoSync
internal import HTTPExchange
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Records
internal import ServiceHosting
internal import ServiceLifecycle
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityPlatform
internal import UnixSignals

/// The HTTP server with its limits and background tasks.
struct IdentityServer {
  let services: PoolServices
  /// Signing keys of user pools that are made ahead of need.
  let spareKeys: SpareSigningKeys
  let messages: MessageSettings
  /// Sends push messages; nil where no setting says how.
  let push: (any PushSender)?
  let configuration: ServiceConfiguration
  let metrics: PrometheusText
  let level: LogLevel
  let logger: Logger
  /// Whether the store can be written.
  let writes: WriteHealth
  /// The time limit of the shutdown.
  let limit: ShutdownLimit

  private var service: IdentityPoolService { services.identityPools }

  /// Serves until SIGTERM or SIGINT; then finishes the calls that have begun, within the shutdown timeout.
  ///
  /// - Parameters:
  ///   - rereading: reads the settings again on SIGHUP. nil: SIGHUP ends the process, as it does when a
  ///     terminal is closed.
  ///   - onRunning: called after the ports are bound and before the first response to a call. An error stops
  ///     the server.
  /// - Throws: `OperatingError` for an address that cannot be bound or a certificate that cannot be read, and
  ///   the errors of `onRunning`.
  func run(
    rereading: (@Sendable () throws -> ServiceConfiguration)? = nil,
    onRunning: @escaping @Sendable (Address) async throws -> Void
  ) async throws {
    let signals = rereading == nil ? nil : await UnixSignalsSequence(trapping: .sighup)
    logger.log(.info, "starting", with: [("version", ProgramVersion.current)] + configuration.texts)
    let certificates = try ServerCertificates(configuration, logger: logger)
    let readiness = ServiceReadiness(writes: writes, logger: logger)
    let proxies = try configuration.proxies()
    let connections = ConnectionTable(limit: configuration.connectionsPerAddress, proxies: proxies)
    let management = ManagementResponder(
      readiness: readiness,
      metrics: ServiceMetrics(
        recorded: metrics, process: ProcessFigures(start: Timestamp.now.since1970 / .seconds(1)),
        service: service, readiness: readiness, connections: connections, certificates: certificates))
    try await service.keys.maintain()
    await readiness.check(service)

    var tasks: [any Service] = [
      KeyMaintenance(keys: service.keys, logger: logger),
      ReadinessCheck(readiness: readiness, service: service),
      Upkeep(services, logger: logger),
      UserPoolKeyMaintenance(service: services.userPools, logger: logger),
      SpareKeyMaking(keys: spareKeys, logger: logger),
    ]
    let mails = MessageService(services.userPools, sender: messages.sender, logger: logger)
    let pushes = push.map { PushService(services.dataSets, sender: $0, logger: logger) }
    tasks.append(mails)
    if let pushes { tasks.append(pushes) }
    limit.extend { mails.isSending || pushes?.isSending == true }
    if let certificates {
      tasks.append(CertificateWatch(certificates: certificates, seconds: configuration.certificateCheck))
    }
    let crossOrigin = CrossOrigin(try AllowedOrigins(configuration.allowedOrigins))
    if let signals, let rereading {
      tasks.append(
        ReloadSignal(
          signals: signals, certificates: certificates, reread: rereading, level: level,
          crossOrigin: crossOrigin, messages: messages, logger: logger))
    }
    let start = ServerStart()
    let managed = try managementService(management)
    let listener = try publicListener(connections, certificates)
    let application = listener.application(
      try responder(proxies, management, crossOrigin), logger: quiet
    ) { channel in
      let other = await managed?.bound.wait()
      // The management address cannot be bound, and this task is cancelled.
      if managed != nil, other == nil { return }
      let address = Address(configuration, channel, other)
      await start.perform { try await onRunning(address) }
      logger.log(
        .info, "listening", with: [("address", address.url), ("management", address.management ?? "")])
    }
    let address = ServiceConfiguration.Listener(host: configuration.address, port: configuration.port)
    let main = BoundedService(
      "listener", application, of: listener, seconds: configuration.shutdownTimeout, logger: logger,
      limit: limit,
      onStop: {
        readiness.stop()
        spareKeys.stop()
        // Messages that are being sent have the time of the calls, too.
        mails.stop()
        pushes?.stop()
      }, refusal: { address.refusal($0) })
    // Services end in the reverse order: background tasks after the last response, and the readiness at last. Messages are
    // begun no more from the signal on.
    let managing: [any Service] = managed.map { [$0] } ?? []
    let others: [any Service] = (managing + tasks).map { LimitedService($0, limit: limit) }
    let group = ServiceGroup(
      configuration: .init(
        services: others + [main, SignalledLimit(limit)], gracefulShutdownSignals: [.sigterm, .sigint],
        logger: quiet))
    start.onFailure = { await group.triggerGracefulShutdown() }
    try await group.run()
    if let error = start.error { throw error }
    logger.info("stopped")
  }

  /// Hummingbird logs connections, not calls.
  private var quiet: Logger {
    var quiet = logger
    quiet.logLevel = max(.warning, logger.logLevel)
    return quiet
  }

  private func responder(
    _ proxies: TrustedProxies, _ management: ManagementResponder, _ crossOrigin: CrossOrigin
  ) throws -> IdentityResponder {
    let hosts = try configuration.acceptedHosts()
    let limiter = RateLimiter(rate: configuration.rate)
    let services = ServedService.all(self.services)
    let callers = try SignedCallers(
      service, signingNames: services.map(\.declaration.signingName), hosts: hosts)
    let calls = CallHandler(
      services, callers: callers, repeated: RepeatedCalls(store: service.store, sealing: service.sealing),
      limiter: limiter,
      metrics: CallMetrics(), logger: logger)
    let base = try configuration.publicAddress()?.url ?? hosts.first.map { "\(configuration.scheme)://\($0)" }
    return IdentityResponder(
      calls: calls, limiter: limiter, proxies: proxies,
      clients: ClientRequests(limit: configuration.connectionsPerAddress),
      documents: PublicDocuments(services: self.services, base: base, scheme: configuration.scheme),
      management: management, publicPaths: PublicPaths(configuration), crossOrigin: crossOrigin)
  }

  private var limits: ConnectionLimits {
    ConnectionLimits(
      requestTimeout: configuration.requestTimeout, responseTimeout: configuration.responseTimeout,
      idleTimeout: configuration.idleTimeout, bodyLimit: ServiceConfiguration.bodyLimit * 17)
  }

  private func publicListener(_ connections: ConnectionTable, _ certificates: ServerCertificates?) throws
    -> HTTPListener
  {
    let capacity: Int
    do throws(OpenFiles.TooFew) { capacity = try OpenFiles.capacity(for: configuration.connections) } catch {
      throw OperatingError("\(error)")
    }
    if capacity < configuration.connections {
      logger.log(
        .warning, "the limit of open files (ulimit -n) allows fewer connections than configured",
        with: [("configured", "\(configuration.connections)"), ("connections", "\(capacity)")])
    }
    return HTTPListener(
      .hostname(configuration.address, port: configuration.port), limits: limits, connections: connections,
      security: certificates?.current, capacity: capacity)
  }

  private func managementService(_ responder: ManagementResponder) throws -> ManagementService? {
    guard let address = try configuration.managementListener() else { return nil }
    let listener = HTTPListener(
      .hostname(address.host, port: address.port), limits: limits, connections: ConnectionTable(limit: 0),
      capacity: ManagementService.mostConnections)
    return ManagementService(
      listener: listener, address: address, responder: responder, bound: BoundAddress(), logger: quiet)
  }
}
