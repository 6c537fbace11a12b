import AsyncHTTPTransport
import OpenIDConnect

// The provider's address, and your client id there.
let arguments = CommandLine.arguments

// Once: the verifier fetches the providers' keys when it needs them, and keeps them.
let verifier = try OpenIDVerifier(
  [
    .openIDProvider(arguments[1], clientIDs: [arguments[2]]),
    .google(clientIDs: ["123.apps.googleusercontent.com"]),
    .cognitoUserPool("eu-west-1_Example01", use: .access, clientIDs: ["1h57kf5cpq17m0eml12EXAMPLE"]),
    .authorizationServer(
      "https://login.example", audiences: ["my-api"], clientIDs: .unchecked(because: "all clients are ours"),
      maximumLifetime: .minutes(15)),
  ], transport: HTTPClientTransport())

// For each request.
while let token = readLine() {
  do {
    let verified = try await verifier.verifyFetchingKeys(token)
    print("Hello, \(verified.claims.subject ?? "nobody")")
  } catch {
    print("401 \(error.codeText)")
  }
}
