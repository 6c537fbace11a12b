import AsyncHTTPTransport
import CognitoUserPoolClient

// The service's address, a user pool, its app client, a name and a password.
let arguments = CommandLine.arguments

// Without an endpoint, the pool is Amazon's.
let pool = try UserPool(
  id: arguments[2], clientID: arguments[3], endpoint: UserPoolEndpoint(address: arguments[1]))
let client = UserPoolClient(pool: pool, transport: HTTPClientTransport())
let sessions = try UserPoolSessions(client: client)

do {
  let tokens = try await sessions.tokens(username: arguments[4], password: SecretBytes(arguments[5]))
  print("Hello, \(tokens.username)")  // tokens.accessToken, tokens.idToken: text
} catch .signInIncomplete(.code) {
  // Of a second factor: sessions.signIn(delegate:) asks for it.
  print("The pool asks for a code.")
} catch  where error.isRefusal("NotAuthorizedException") {
  print("Wrong name or password.")
} catch .signInIncomplete(let step) {
  print("The pool asks for more: \(step)")
} catch {
  print("\(error.codeText): \(error)")
}
