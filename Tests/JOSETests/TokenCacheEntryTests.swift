internal import JOSE
internal import Testing

/// Which tokens enter a cache, and which texts find them.
@Suite struct TokenCacheEntryTests {
  typealias Pair = VerifiedTokenCacheTests.Pair
  let now = VerifiedTokenCacheTests.now

  @Test func onlyVerifiedTokensEnter() throws {
    let pair = try Pair()
    let token = try pair.numbered(1)
    let expired = try pair.token(["exp": .number(JSONNumber(now.seconds - 1))])
    let forged = String(token.dropLast(8)) + "AAAAAAAA"
    // The same signature below other claims.
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    let other = try pair.numbered(2).split(separator: ".", omittingEmptySubsequences: false)
    let swapped = [parts[0], other[1], parts[2]].joined(separator: ".")
    let hostile = ["", ".", "..", "a.b.c", String(repeating: "a", count: 20_000), expired, forged, swapped]
    for _ in 0..<3 {
      for text in hostile { #expect(throws: JOSEError.self) { try pair.cached.verify(text, at: now) } }
    }
    #expect(pair.cache.statistics == VerifiedTokenCache().statistics)
    #expect(throws: Never.self) { try pair.cached.verify(token, at: now) }
    // With the token in the cache, a text with its length and its end is still another text, and so is each
    // text with one other byte.
    let oneOff = token.utf8.indices.map { place in
      let other = token.utf8[place] == UInt8(ascii: "A") ? "B" : "A"
      return token[..<place] + other + token[token.utf8.index(after: place)...]
    }
    for text in hostile + VerifiedTokenCacheTests.variants(of: token) + oneOff.map(String.init) {
      #expect(throws: JOSEError.self) { try pair.cached.verify(text, at: now) }
    }
    let counts = pair.cache.statistics
    #expect(counts.tokens == 1 && counts.insertions == 1 && counts.hits == 0 && counts.evictions == 0)
  }

  /// A token that the policy's own check refuses does not enter, also if its signature is valid.
  @Test func aTokenThatACheckRefusesDoesNotEnter() throws {
    let pair = try Pair { policy in
      policy.checks = [TokenCheck("own", expected: "nothing", hasEffects: true) { _, _, _ in "refused" }]
    }
    let token = try pair.numbered(1)
    for _ in 0..<2 { #expect(throws: JOSEError.self) { try pair.cached.verify(token, at: now) } }
    #expect(pair.cache.statistics == VerifiedTokenCache().statistics)
  }

  /// One cache for verifiers with other policies and other keys.
  @Test func verifiersDoNotFindEachOthersTokens() throws {
    let cache = VerifiedTokenCache()
    let pair = try Pair(cache: cache)
    let token = try pair.numbered(1)
    #expect(throws: Never.self) { try pair.cached.verify(token, at: now) }
    let stricter = try TokenVerifier(
      keys: JWKSet([pair.key]), policy: TokenPolicy(issuer: "i", audience: "b"), cache: cache)
    let fewerAlgorithms = try TokenVerifier(
      keys: JWKSet([pair.key]),
      policy: TokenPolicy(issuer: "i", audience: "a", algorithms: [.es256]), cache: cache)
    let otherKey = try TokenVerifier(
      keys: JWKSet([JWK.generate(.hs256, keyID: pair.key.keyID)]),
      policy: TokenPolicy(issuer: "i", audience: "a"), cache: cache)
    for verifier in [stricter, fewerAlgorithms, otherKey] {
      for _ in 0..<2 { #expect(throws: JOSEError.self) { try verifier.verify(token, at: now) } }
    }
    #expect(cache.statistics.tokens == 1 && cache.statistics.hits == 0)
  }
}
