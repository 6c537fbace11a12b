import Foundation
import JOSE
import OpenIDConnect

/// Verifiers whose keys come from elsewhere: what holding them costs, and what a thousand issuers cost.
enum Issuers {
  /// Answers every question with one key set.
  private struct Answers: HTTPTransport {
    let set: String

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      TransportResponse(status: 200, headers: ["cache-control": "max-age=86400"], body: Array(set.utf8))
    }
  }

  private static func trusted(_ name: String) throws -> TrustedIssuer {
    var policy = TokenPolicy(issuer: .exactly(name), audience: .absent, algorithms: [.rs256])
    policy.claims = [
      .init("token_use", .exactly("access")), .init("client_id", .exactly(.string(Material.client))),
    ]
    return TrustedIssuer(policy: policy, keys: .remote(.address(try HTTPURL(name + "/jwks.json"))))
  }

  /// A verifier of one issuer, with cached keys.
  static func single(_ material: Material) async throws -> OpenIDVerifier {
    let set = "{\"keys\":[\(material.key.publicJWK.map { JSONValue.object($0).description } ?? "")]}"
    let verifier = try OpenIDVerifier([trusted(Material.issuer)], transport: Answers(set: set))
    try await verifier.prefetch()
    return verifier
  }

  static func contenders(_ material: Material) async throws -> [Contender] {
    let set = "{\"keys\":[\(material.key.publicJWK.map { JSONValue.object($0).description } ?? "")]}"
    let local = try material.verifier()
    let one = try await single(material)
    let names = [Material.issuer] + (1..<1_000).map { "https://issuer-\($0).example/pool" }
    let thousand = try OpenIDVerifier(names.map(trusted), transport: Answers(set: set))
    try await thousand.prefetch()
    // A token of each issuer, and as a measure for what so many texts cost by themselves, as many of one.
    let signer = try TokenSigner(key: material.key, type: nil)
    let claims = try UnverifiedToken(material.token).claims
    let tokens = try names.map { name in
      var claims = claims
      claims["iss"] = .string(name)
      return try signer.sign(claims)
    }
    let copies = try names.indices.map { index in
      var claims = claims
      claims["jti"] = .string("b7a4c1d9-60e2-4f3a-8d5b-\(index)")
      return try signer.sign(claims)
    }
    let profile = try OpenIDVerifier(
      [.cognitoUserPool("eu-west-1_Example01", use: .access, clientIDs: [Material.client])],
      transport: Answers(set: set))
    try await profile.prefetch()
    let token = material.token
    return [
      Contender(name: "a local set") { count in
        for _ in 0..<count { _ = try local.verify(token) }
        return true
      },
      Contender(name: "cached remote keys") { count in
        for _ in 0..<count { _ = try one.verify(token) }
        return true
      },
      Contender(name: "cached remote keys, a user pool by its profile") { count in
        for _ in 0..<count { _ = try profile.verify(token) }
        return true
      },
      Contender(name: "1,000 issuers, tokens of one") { count in
        for _ in 0..<count { _ = try thousand.verify(token) }
        return true
      },
      Contender(name: "one issuer, 1,000 tokens in turn") { count in
        for index in 0..<count { _ = try one.verify(copies[index % 1_000]) }
        return true
      },
      Contender(name: "1,000 issuers, a token of each in turn") { count in
        for index in 0..<count { _ = try thousand.verify(tokens[index % 1_000]) }
        return true
      },
    ]
  }

  /// A DPoP proof, whose key comes with it and is read each time, beside the bare check of its signature.
  static func proofs() throws -> [Contender] {
    var key = try JWK.generate(.es256)
    key.keyID = nil
    var header = JSONObject()
    header["typ"] = "dpop+jwt"
    header["jwk"] = key.publicJWK.map(JSONValue.object)
    var claims = JSONObject()
    claims["jti"] = "b7a4c1d9-60e2-4f3a-8d5b-1c9e7f2a3046"
    claims["htm"] = "POST"
    claims["htu"] = "https://api.example/orders"
    claims["iat"] = .number(JSONNumber(NumericDate.now.seconds))
    let text = JSONValue.object(claims).description
    let proof = try JWSSigner(key: key, algorithm: .es256).sign(Array(text.utf8), header: header)
    let plain = try JWSSigner(key: key, algorithm: .es256).sign(Array(text.utf8))
    let bare = try JWSVerifier(keys: JWKSet([key]))
    let rules = DPoPRules { _, _, _ in true }
    let address = try HTTPURL("https://api.example/orders")
    return [
      Contender(name: "a DPoP proof's signature alone, key prepared") { count in
        for _ in 0..<count { _ = try bare.verify(compact: plain) }
        return true
      },
      Contender(name: "a DPoP proof") { count in
        for _ in 0..<count { _ = try rules.verify(proof, method: "POST", address: address, accessToken: nil) }
        return true
      },
    ]
  }
}
