import CurlTransport
import OpenIDConnect

// Once. It fetches the pool's keys when it needs them, and keeps them.
let verifier = try OpenIDVerifier(
  [.cognitoUserPool("eu-west-1_Example01", use: .access, clientIDs: ["1h57kf5cpq17m0eml12EXAMPLE"])],
  transport: CurlHTTPTransport())

// For each request: the text after "Bearer " in its header Authorization.
while let token = readLine() {
  do {
    print("Hello, \(try await verifier.verifyFetchingKeys(token).claims.subject ?? "nobody")")
  } catch {
    print(error.isRefusal ? 401 : 503, "\(error.codeText): \(error)")
  }
}
