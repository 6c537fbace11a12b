internal import ArgumentParser
internal import CognitoIdentity
internal import CognitoIdentitySQLite
internal import CoreMetrics
internal import Logging
internal import AsyncHTTPTransport

/// What can be said of how a service is run. All of it can stand in the environment or in a file as well.
struct ServingOptions: ParsableArguments {
  @Option(help: "A JSON file with these settings: {\"port\": 8008}.")
  var config: String?

  @Option(help: "The folder that pools, identities and keys lie in. It is made where it is not there.")
  var data: String?

  @Option(help: "The address to listen on; 127.0.0.1 unless said otherwise.")
  var address: String?

  @Option(help: "The port; 8008 unless said otherwise, 0 for any that is free.")
  var port: Int?

  @Option(
    help: "The region that ids begin with and that calls are signed for; us-east-1 unless said otherwise.")
  var region: String?

  @Option(help: "The account in ARNs, 12 digits.")
  var account: String?

  @Option(help: "What tokens have as iss; Cognito's own unless said otherwise.")
  var issuer: String?

  @Option(help: "A PEM file with the certificate, and those that vouch for it. TLS is spoken then.")
  var certificate: String?

  @Option(help: "A PEM file with the certificate's private key.")
  var privateKey: String?

  @Option(
    help:
      "A name that the service is reached by, with its port where that is not the usual one. Signed calls for other names are refused."
  )
  var host: [String] = []

  @Option(help: "Trust login providers' certificates that this PEM file vouches for, and no others.")
  var authorities: String?

  @Option(
    help:
      "Requests per second of each address, and calls of each access key. Refused calls count for the address. Default: 1000; 0: no limit."
  )
  var rate: Int?

  @Option(help: "The most connections. Default: 1024.")
  var connections: Int?

  @Option(
    help:
      "The most connections of one IPv4 address or IPv6 /64 network. Default: 256; 0, behind a proxy: no limit."
  )
  var connectionsPerAddress: Int?

  @Option(help: "Seconds for a request to arrive whole, from its first byte. Default: 10.")
  var requestTimeout: Int?

  @Option(help: "Seconds for a client to take a response. Default: 10.")
  var responseTimeout: Int?

  @Option(help: "Seconds until a silent connection is closed. Default: 60.")
  var idleTimeout: Int?

  @Option(help: "Seconds for a shutdown to finish what was begun. Default: 10.")
  var shutdownTimeout: Int?

  @Option(help: "For how many days a signing key signs; 30 unless said otherwise.")
  var rotation: Int?

  @Option(
    help:
      "What is logged: \(ServiceConfiguration.levels). Every call is at info; notice unless said otherwise.")
  var logLevel: String?

  func configuration(data fallback: String? = nil) async throws -> ServiceConfiguration {
    try await ServiceConfiguration(
      ServiceConfiguration.Flags(
        data: data ?? fallback, address: address, port: port, region: region, account: account,
        issuer: issuer,
        certificate: certificate, privateKey: privateKey, hosts: host, authorities: authorities, rate: rate,
        connections: connections, connectionsPerAddress: connectionsPerAddress,
        requestTimeout: requestTimeout, responseTimeout: responseTimeout, idleTimeout: idleTimeout,
        shutdownTimeout: shutdownTimeout, rotation: rotation, logLevel: logLevel), file: config)
  }
}

/// A service over a folder, ready to be asked.
struct OpenedService {
  let service: IdentityPoolService
  let server: IdentityServer
  private let store: SQLiteIdentityStore
  private let logger: Logger

  init(_ configuration: ServiceConfiguration) throws {
    let metrics = PrometheusText()
    MetricsSystem.bootstrap(metrics)
    let logger = Logger(label: "identity-service") { label in
      JSONLineLog(label: label, level: configuration.logLevel)
    }
    let folder = try DataFolder(configuration.data, founding: .allowed) { table, id in
      logger.log(.error, "row cannot be read", with: [("table", table), ("id", id)])
    }
    store = folder.store
    self.logger = logger
    var rotation = RotationRule(period: .seconds(Int64(configuration.rotation) * 86_400))
    // The clock on the wall may be wrong for a moment, after a start for instance.
    rotation.removalDelay = RotationRule.grace
    let transport = HTTPClientTransport(trustRoots: configuration.authorities.map { .file($0) } ?? .system)
    service = IdentityPoolService(
      store: folder.store, sealing: folder.sealing, logins: LoginVerifier(transport: transport),
      rotation: rotation,
      settings: IdentityPoolService.Settings(
        region: configuration.region, account: configuration.account, issuer: configuration.issuer))
    server = IdentityServer(service: service, configuration: configuration, metrics: metrics, logger: logger)
  }

  /// Says that callers' tokens and credentials can be read on the way.
  func warn(_ place: IdentityServer.Place) {
    guard place.isExposed else { return }
    server.logger.log(
      .warning,
      "plain HTTP on an address that other machines reach: tokens and credentials can be read on the way, and signed calls can be repeated; use --certificate and --private-key, or a proxy that speaks TLS",
      with: [("address", place.url)])
  }

  /// Serves until the process is told to stop, then writes the database's log back and closes it.
  func run(onRunning: @escaping @Sendable (IdentityServer.Place) async throws -> Void) async throws {
    defer {
      do throws(IdentityError) { try store.close() } catch {
        logger.log(.error, "database not closed", with: [("code", error.codeText), ("reason", "\(error)")])
      }
    }
    try await server.run(onRunning: onRunning)
  }
}
