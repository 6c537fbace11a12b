import JOSE

/// Tokens that come again: RS256, with and without a cache.
struct Repeated {
  let plain: TokenVerifier
  let cached: TokenVerifier
  /// Ten thousand tokens, and the one that all other rows verify.
  let tokens: [String]
  private let token: String

  init(_ material: Material) throws {
    plain = try material.verifier()
    cached = try TokenVerifier(
      keys: JWKSet([material.key]), policy: plain.policy,
      cache: VerifiedTokenCache(capacity: 40_000, byteLimit: 256 << 20))
    token = material.token
    let signer = try TokenSigner(key: material.key, type: nil)
    let claims = try plain.verify(material.token).claims
    // Signing takes about a millisecond each.
    tokens = try (0..<10_000).map { number in
      var claims = claims
      claims["jti"] = .string("b7a4c1d9-60e2-4f3a-8d5b-\(100_000_000_000 + number)")
      return try signer.issue(claims, lifetime: .seconds(3_600))
    }
  }

  func contenders() -> [Contender] {
    let (plain, cached, token, tokens) = (plain, cached, token, tokens)
    return [
      Contender(name: "no cache") { count in
        for _ in 0..<count { _ = try plain.verify(token) }
        return true
      },
      Contender(name: "cached, one token") { count in
        for _ in 0..<count { _ = try cached.verify(token) }
        return true
      },
      Contender(name: "cached, ten thousand in turn") { count in
        for index in 0..<count { _ = try cached.verify(tokens[index % tokens.count]) }
        return true
      },
    ]
  }
}
