import JOSE

let key = try JWK.generate(.ed25519)
let claims = TokenClaims(issuer: "https://issuer.example", subject: "alice", audience: ["my-api"])
let token = try TokenSigner(key: key).issue(claims)
let policy = TokenPolicy(issuer: "https://issuer.example", audience: "my-api")
let verifier = try TokenVerifier(keys: JWKSet(key.publicOnly ?? key), policy: policy)
print("verified", try verifier.verify(token).claims.subject ?? "")
