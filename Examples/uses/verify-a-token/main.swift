import JOSE

// The token of a request, and the key set that its issuer has published.
let (token, published) = (readLine() ?? "", readLine() ?? "")

// Once: make a verifier and keep it.
let verifier = try TokenVerifier(
  keys: JWKSet(json: published),
  policy: TokenPolicy(issuer: "https://issuer.example", audience: "my-api"))

// For each request.
do {
  let verified = try verifier.verify(token)
  print("Hello, \(verified.claims.subject ?? "nobody")")
} catch {
  print("401 \(error.codeText): \(error)")
}
