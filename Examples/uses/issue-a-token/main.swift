import JOSE

// Once: make a key, keep it secret, publish its public half.
let key = try JWK.generate(.es256)
let published = JWKSet(key).publicJSON

// For each user: a token of 15 minutes.
let signer = try TokenSigner(key: key)
let token = try signer.issue(
  TokenClaims(issuer: "https://issuer.example", subject: "alice", audience: ["my-api"]))
print(token)
print(published)
