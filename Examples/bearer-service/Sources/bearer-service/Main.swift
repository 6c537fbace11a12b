import ArgumentParser
import AsyncHTTPTransport
import BearerService
import Hummingbird
import Logging
import OpenIDConnect

/// A service that requires bearer tokens of a Cognito user pool or of any authorization server.
@main
struct Main: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bearer-service", abstract: "Serve /me to callers with a valid access token.")

  @Option(help: "Accept tokens of this Cognito user pool.")
  var userPool: String?

  @Option(help: "An accepted app client.")
  var clientID: [String] = []

  @Option(help: "Accept tokens of this authorization server (RFC 9068).")
  var issuer: String?

  @Option(help: "The audience of this service.")
  var audience: [String] = []

  @Option(help: "A required scope.")
  var scope: [String] = []

  @Option(help: "The port to listen on; 0 for any.")
  var port = 8080

  @Option(help: "Trust only the certificates in this PEM file.")
  var caFile: String?

  func run() async throws {
    let logger = Logger(label: "bearer-service")
    let transport = HTTPClientTransport(trustRoots: caFile.map { .file($0) } ?? .system)
    let verifier = try OpenIDVerifier([trusted()], transport: transport, logger: logger)
    // Fetch the keys before the first call. If that fails, the first call fetches them.
    do { try await verifier.prefetch() } catch { logger.warning("no keys yet: \(error)") }
    let application = Application(
      router: makeRouter(verifier: verifier),
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in print("listening on \(channel.localAddress?.description ?? "")") },
      logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await verifier.keepFresh() }
      try await application.runService()
      group.cancelAll()
    }
  }

  private func trusted() throws -> TrustedIssuer {
    if let userPool {
      return try .cognitoUserPool(userPool, use: .access, clientIDs: clientID, scopes: scope)
    }
    guard let issuer else { throw ValidationError("give --user-pool or --issuer") }
    let clients: Expectation<String> = clientID.isEmpty ? .unchecked(because: "any client") : .oneOf(clientID)
    return .authorizationServer(
      AccessTokenRules(issuers: [issuer], audiences: audience, clientIDs: clients, scopes: scope))
  }
}
