import Foundation
import JOSE

// Once: make a verifier of the key set that the issuer has published, and keep it.
let published = try String(contentsOfFile: CommandLine.arguments[1], encoding: .utf8)
let verifier = try TokenVerifier(
  keys: JWKSet(json: published),
  policy: TokenPolicy(issuer: "https://issuer.example", audience: "my-api"))

// For each request: the text after "Bearer " in its header Authorization.
while let token = readLine() {
  do {
    let claims = try verifier.verify(token).claims
    print("Hello, \(claims.subject ?? "nobody") of \(claims["groups"]?.strings ?? [])")
  } catch {
    print("401 \(error.codeText): \(error)")
  }
}
