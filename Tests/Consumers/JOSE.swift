import JOSE

let key = try JWK.generate(.ed25519)
let token = try TokenSigner(key: key).issue(
  TokenClaims(issuer: "https://issuer.example", subject: "alice", audience: ["my-api"]))
let verifier = try TokenVerifier(
  keys: JWKSet([key.publicKey]), policy: TokenPolicy(issuer: "https://issuer.example", audience: "my-api"))
print("verified", try verifier.verify(token).claims.subject ?? "")
