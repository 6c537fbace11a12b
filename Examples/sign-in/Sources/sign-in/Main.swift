import ArgumentParser
import AsyncHTTPTransport
import CognitoUserPoolClient
import Foundation

/// Signs a user of a user pool up and in, sets an authenticator app up, and signs a request with AWS credentials.
@main
struct Main: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-in", abstract: "Sign up and in, with an authenticator app, and sign a request.")

  @Option(help: "The user pool.")
  var pool: String

  @Option(help: "The app client.")
  var clientID: String

  @Option(help: "The identity pool that the credentials come from. Default: no request is signed.")
  var identityPool: String?

  @Option(help: "The address of another service than AWS: https://HOST or https://HOST:PORT.")
  var endpoint: String?

  @Option(help: "The file of the session and the remembered device.")
  var sessionFile = "sign-in.session"

  @Option(help: "The program that verifies the signed request.")
  var verifyToken = "verify-token"

  @Option(help: "Ask nothing: a new user, whose codes are in this file of messages of identity-service.")
  var messages: String?

  func run() async throws {
    var address: UserPoolEndpoint?
    if let endpoint { address = try UserPoolEndpoint(address: endpoint) }
    let userPool = try UserPool(id: pool, clientID: clientID, endpoint: address)
    let transport = HTTPClientTransport()
    let client = UserPoolClient(pool: userPool, transport: transport)
    let sessions = try UserPoolSessions(client: client, store: FileSessionStore(path: sessionFile))
    var questions: any Questions = Terminal()
    if let messages { questions = DemoAnswers(messageFile: messages) }
    let account = Account(sessions: sessions, questions: questions)

    try await account.signIn()
    try await account.setUpAuthenticator()
    if let identityPool {
      let signing = RequestSigning(sessions: sessions, transport: transport, verifyToken: verifyToken)
      try await signing.signAndVerify(identityPool: identityPool, endpoint: endpoint)
    }
    if await questions.isYes(.signOut) {
      try await sessions.signOut()
      print("signed out")
    }
  }
}
