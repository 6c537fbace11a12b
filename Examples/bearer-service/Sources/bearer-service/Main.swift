import ArgumentParser
import AsyncHTTPTransport
import BearerService
import Hummingbird
import Logging
import OpenIDConnect

/// A service that wants bearer tokens of a Cognito user pool, or of any authorization server.
@main
struct Main: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bearer-service", abstract: "Serve /me to whoever bears a valid access token.")

  @Option(help: "The tokens of this Cognito user pool.")
  var userPool: String?

  @Option(help: "The app clients that may have asked for them.")
  var clientID: [String] = []

  @Option(help: "The tokens of this authorization server (RFC 9068).")
  var issuer: String?

  @Option(help: "The audience that is ours.")
  var audience: [String] = []

  @Option(help: "A scope that a token must have.")
  var scope: [String] = []

  @Option(help: "The port to listen on; 0 for any.")
  var port = 8080

  @Option(help: "Trust servers' certificates that this PEM file vouches for, and no others.")
  var caFile: String?

  func run() async throws {
    let logger = Logger(label: "bearer-service")
    let transport = HTTPClientTransport(trustRoots: caFile.map { .file($0) } ?? .system)
    let verifier = try OpenIDVerifier([trusted()], transport: transport, logger: logger)
    // Keys are fetched before the first caller comes; should that fail, they are when one does.
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
