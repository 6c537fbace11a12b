internal import ArgumentParser
internal import CognitoIdentity
internal import CoreMetrics
internal import Logging
internal import OpenIDConnectHTTP

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

  @Option(help: "How many calls a second a caller may make; 1000 unless said otherwise, 0 for no limit.")
  var rate: Int?

  @Option(help: "How many connections there may be; 1024 unless said otherwise.")
  var connections: Int?

  @Option(help: "How many seconds a request may take to come in; 10 unless said otherwise.")
  var requestTimeout: Int?

  @Option(help: "After how many seconds a silent connection is closed; 60 unless said otherwise.")
  var idleTimeout: Int?

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
        connections: connections, requestTimeout: requestTimeout, idleTimeout: idleTimeout,
        rotation: rotation,
        logLevel: logLevel), file: config)
  }
}

/// A service over a folder, ready to be asked.
struct OpenedService {
  let service: IdentityPoolService
  let server: IdentityServer

  init(_ configuration: ServiceConfiguration) throws {
    let metrics = PrometheusText()
    MetricsSystem.bootstrap(metrics)
    let logger = Logger(label: "identity-service") { label in
      JSONLineLog(label: label, level: configuration.logLevel)
    }
    let folder = try DataFolder(configuration.data)
    let fetcher = AsyncHTTPFetcher(trustRoots: configuration.authorities.map { .file($0) } ?? .system)
    service = IdentityPoolService(
      store: folder.store, sealing: folder.sealing, logins: LoginVerifier(fetcher: fetcher),
      rotation: RotationRule(period: Int64(configuration.rotation) * 86_400),
      settings: IdentityPoolService.Settings(
        region: configuration.region, account: configuration.account, issuer: configuration.issuer))
    server = IdentityServer(service: service, configuration: configuration, metrics: metrics, logger: logger)
  }
}
