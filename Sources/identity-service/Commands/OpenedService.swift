internal import AsyncHTTPTransport
internal import CognitoIdentity
internal import CoreMetrics
internal import Logging
internal import RecordsSQLite

/// A service over a data folder, with its HTTP server.
struct OpenedService {
  let service: IdentityPoolService
  let server: IdentityServer
  let folder: DataFolder
  private let logger: Logger

  init(_ configuration: ServiceConfiguration) async throws {
    let metrics = PrometheusText()
    MetricsSystem.bootstrap(metrics)
    let level = LogLevel(configuration.logLevel)
    let logger = Logger(label: "identity-service") { _ in JSONLineLog(level: level) }
    guard let data = configuration.data else {
      throw OperatingError("the data folder is missing: set --data FOLDER or IDENTITY_SERVICE_DATA")
    }
    folder = try await DataFolder.open(data, makesFolder: true) { table, key in
      logger.log(
        .error, "row cannot be read",
        with: [("table", table), ("key", IdentityTables.description(of: key, in: table))])
    }
    self.logger = logger
    var rotation = RotationRule(period: .seconds(Int64(configuration.rotation) * 86_400))
    // The system's clock may be wrong temporarily, after a start for instance.
    rotation.removalDelay = RotationRule.grace
    let transport = HTTPClientTransport(trustRoots: configuration.authorities.map { .file($0) } ?? .system)
    service = IdentityPoolService(
      store: MeasuredStore(folder.store), sealing: folder.sealing,
      logins: LoginVerifier(transport: transport), rotation: rotation,
      settings: IdentityPoolService.Settings(
        region: configuration.region, account: configuration.account,
        issuer: try configuration.tokenIssuer()))
    server = IdentityServer(
      service: service, configuration: configuration, metrics: metrics, level: level, logger: logger)
  }

  /// Warns of plain HTTP on an address that other machines reach.
  func warn(_ address: IdentityServer.Address) {
    guard address.isExposed else { return }
    server.logger.log(
      .warning,
      "plain HTTP on an address that other machines reach: tokens and credentials can be read, and signed calls repeated; use --certificate and --private-key, or a TLS proxy",
      with: [("address", address.url)])
  }

  /// Serves until SIGTERM or SIGINT, then closes the database.
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
    do throws(RecordStoreError) { try await folder.close() } catch {
      logger.log(
        .error, "the database could not be closed",
        with: [("code", error.codeText), ("reason", "\(error)")])
    }
    try outcome.get()
  }
}
