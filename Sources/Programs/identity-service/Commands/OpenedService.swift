internal import AsyncHTTPTransport
internal import CognitoIdentity
internal import CognitoSync
internal import CognitoUserPool
internal import CoreMetrics
internal import Logging
internal import Records
internal import ServiceHosting
internal import TokenLifetime

/// A service over a data folder or a database, with its HTTP server.
struct OpenedService {
  let services: PoolServices
  let server: IdentityServer
  let data: ServiceData
  private let logger: Logger
  /// Nil for a database of several nodes.
  private let lock: ServeLock?

  /// Opens the data, which decides the region, the account and the issuer.
  init(_ given: ServiceConfiguration) async throws {
    var configuration = given
    let metrics = PrometheusText(help: MetricHelp.texts)
    MetricsSystem.bootstrap(metrics)
    let level = LogLevel(configuration.logLevel)
    let logger = Logger(label: "identity-service") { _ in JSONLineLog(level: level) }
    // Before the data is opened, unless this is the first start.
    let paths = configuration.data.map { DataPaths($0) }
    let lock = try paths.flatMap { try ServeLock($0) }
    let transport = HTTPClientTransport(trustRoots: configuration.authorities.map { .file($0) } ?? .system)
    // One host may get all registrations, messages and removals that are under way. With fewer connections those of a pool
    // whose receiver hangs would keep the others waiting.
    let pushTransport = HTTPClientTransport(
      TransportConfiguration(
        trustRoots: configuration.authorities.map { .file($0) } ?? .system, connectionsPerHost: 128))
    // A start that fails leaves no data that it made.
    try configuration.checkAddresses()
    try configuration.checkSecretsOfMessages(transport)
    let introspection = try IntrospectionSettings.read(configuration.introspection)
    let pushSettings = try PushSenderSettings.read(configuration.push, transport: pushTransport)
    // Whoever names what the row is about can have it read.
    let unreadable = ReportLimit()
    let data = try await ServiceData.open(
      folder: configuration.data, database: configuration.database, makesData: true
    ) { table, key in
      guard let before = unreadable.report(table) else { return }
      logger.log(
        .error, "row cannot be read",
        with: [
          ("table", table), ("key", ServiceTables.description(of: key, in: table)), ("before", "\(before)"),
        ])
    }
    let settings: StoredSettings
    let messages: MessageSettings
    do {
      self.lock = try lock ?? paths.flatMap { try ServeLock($0) }
      settings = try await configuration.dataSettings().establish(in: data.store)
      // The first start makes the folder that the file of messages may be in.
      messages = try MessageSettings(configuration, transport: transport)
    } catch {
      try? await data.close()
      throw error
    }
    configuration.region = settings.region
    configuration.account = settings.account
    configuration.issuer = settings.issuer
    self.data = data
    self.logger = logger
    var rotation = RotationRule(period: .seconds(Int64(configuration.rotation) * 86_400))
    // The system's clock may be wrong temporarily, after a start for instance.
    rotation.removalDelay = RotationRule.grace
    let writes = WriteHealth()
    let store = MeasuredStore(data.store, writes)
    let spareKeys = SpareSigningKeys(for: .rs256)
    let userPools = UserPoolService(
      store: store, secrets: data.secrets.userPools,
      settings: configuration.ofUserPools(settings, rotation),
      hooks: messages.functions.map { MeasuredHooks($0, logger) }, keyMaker: spareKeys.maker)
    let identityPools = IdentityPoolService(
      store: store, sealing: data.secrets.identityPools,
      logins: LoginVerifier(
        transport: transport, userPools: ServedUserPools(service: userPools), introspection: introspection),
      rotation: rotation, settings: configuration.ofIdentityPools(settings), observer: DatasetObserver())
    let push: (any PushSender)?
    do {
      push = try pushSettings?.sender(identityPools, transport: pushTransport)
    } catch {
      try? await data.close()
      throw error
    }
    services = PoolServices(
      identityPools: identityPools, userPools: userPools,
      dataSets: SyncService(
        store: store, secrets: data.secrets.dataSets, settings: .init(account: settings.account),
        sender: push))
    server = IdentityServer(
      services: services, spareKeys: spareKeys, messages: messages, push: push, configuration: configuration,
      metrics: metrics, level: level, logger: logger, writes: writes,
      limit: ShutdownLimit(.seconds(configuration.shutdownTimeout) + ShutdownLimit.rest, logger: logger))
  }

  var service: IdentityPoolService { services.identityPools }

  /// The first start of a data folder has ended: a service without signing keys is not taken for a new one again.
  func finishFirstStart() throws {
    if case .folder(let folder) = data { try folder.finishFirstStart() }
  }

  /// Warns of plain HTTP on an address that other machines reach.
  func warn(_ address: IdentityServer.Address) {
    guard address.isExposed else { return }
    server.logger.log(
      .warning,
      "plain HTTP on an address that other machines reach: tokens and credentials can be read, and signed calls repeated; use --certificate and --private-key, or a TLS proxy",
      with: [("address", address.url)])
  }

  /// Serves until SIGTERM or SIGINT, then closes the database. The process ends after it: the shutdown's limit includes its
  /// exit.
  ///
  /// - Parameters:
  ///   - rereading: reads the settings again on SIGHUP. nil: SIGHUP ends the process.
  ///   - onRunning: called after the ports are bound.
  /// - Throws: `OperatingError`, and the errors of `onRunning`.
  func run(
    rereading: (@Sendable () throws -> ServiceConfiguration)? = nil,
    onRunning: @escaping @Sendable (IdentityServer.Address) async throws -> Void
  ) async throws {
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await server.run(rereading: rereading, onRunning: onRunning))
    } catch {
      outcome = .failure(error)
    }
    server.limit.begin("database")
    do throws(RecordStoreError) { try await data.close() } catch {
      logger.log(
        .error, "the database could not be closed",
        with: [("code", error.codeText), ("reason", "\(error)")])
    }
    server.limit.end("database")
    server.limit.begin("exit")
    try outcome.get()
  }
}
