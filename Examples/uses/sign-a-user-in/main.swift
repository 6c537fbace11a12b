import AsyncHTTPTransport
import CognitoUserPoolClient

// The service's address, a user pool, its app client, a name and a password.
let arguments = CommandLine.arguments

// Without an endpoint, the pool is Amazon's.
let pool = try UserPool(
  id: arguments[2], clientID: arguments[3], endpoint: UserPoolEndpoint(address: arguments[1]))
let client = UserPoolClient(pool: pool, transport: HTTPClientTransport())
let sessions = try UserPoolSessions(client: client)

/// Answers what a pool asks for.
struct Prompt: SignInDelegate {
  func password(lastUsername: String?) async -> UserPassword? {
    UserPassword(username: CommandLine.arguments[4], password: SecretBytes(CommandLine.arguments[5]))
  }

  func code(from source: CodeSource) async -> String? {
    // .message has the medium and a part of the address, .softwareToken the name of the device.
    print("The code: \(source)")
    return readLine()
  }
}

do {
  let tokens = try await sessions.tokens(username: arguments[4], password: SecretBytes(arguments[5]))
  print("Hello, \(tokens.username)")  // tokens.accessToken, tokens.idToken: text
} catch .signInIncomplete(.code) {
  // Of a second factor. A delegate answers all steps.
  let tokens = try await sessions.signIn(delegate: Prompt())
  print("Hello, \(tokens.username)")
} catch  where error.isRefusal("NotAuthorizedException") {
  print("Wrong name or password.")
} catch .signInIncomplete(let step) {
  print("The pool asks for more: \(step)")
} catch {
  print("\(error.codeText): \(error)")
}
