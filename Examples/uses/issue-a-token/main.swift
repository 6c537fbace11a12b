import JOSE

// Once: make a key, keep it secret, publish its public half.
let key = try JWK.generate(.es256)
let published = JWKSet(key).publicJSON

// For each user: a token of 15 minutes, or of another lifetime.
let signer = try TokenSigner(key: key)
var claims = TokenClaims(issuer: "https://issuer.example", subject: "alice", audience: ["my-api"])
claims["groups"] = ["admins", "staff"]
print(try signer.issue(claims))
print(try signer.issue(claims, lifetime: .seconds(300)))
print(published)
