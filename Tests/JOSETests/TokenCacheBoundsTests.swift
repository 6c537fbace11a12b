internal import JOSE
internal import Testing

/// What a cache keeps and removes, and many tasks that use it.
@Suite struct TokenCacheBoundsTests {
  typealias Pair = VerifiedTokenCacheTests.Pair
  static let now = VerifiedTokenCacheTests.now

  @Test(arguments: [(1, 1 << 20), (5, 1 << 20), (64, 1 << 20), (1_000, 1 << 20), (1_000, 60_000), (10, 0)])
  func staysWithinItsBounds(capacity: Int, byteLimit: Int) throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: capacity, byteLimit: byteLimit))
    for number in 0..<1_500 {
      let token = try pair.numbered(number)
      for _ in 0..<2 { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
      if number % 100 == 0 {
        let counts = pair.cache.statistics
        #expect(counts.tokens <= capacity && counts.bytes <= byteLimit)
      }
    }
    let counts = pair.cache.statistics
    #expect(counts.tokens <= capacity && counts.bytes <= byteLimit)
    #expect(counts.insertions - counts.evictions == counts.tokens)
    if byteLimit > 0 { #expect(counts.tokens > 0 && counts.evictions > 0) }
  }

  /// Tokens in use survive any number of tokens that come once.
  @Test func tokensInUseStay() throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: 20))
    let token = try pair.numbered(-1)
    for number in 0..<500 {
      #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) }
      #expect(throws: Never.self) { try pair.cached.verify(pair.numbered(number), at: Self.now) }
    }
    #expect(pair.cache.statistics.insertions == 501)
  }

  @Test func expiredTokensGoFirst() throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: 20))
    let kept = try (0..<10).map { try pair.numbered($0) }
    for number in 0..<10 {
      let token = try pair.token([
        "exp": .number(JSONNumber(Self.now.seconds + 10)), "jti": .string("short \(number)"),
      ])
      for _ in 0..<2 { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
      for _ in 0..<2 { #expect(throws: Never.self) { try pair.cached.verify(kept[number], at: Self.now) } }
    }
    let later = Self.now.advanced(bySeconds: 10)
    for number in 20..<25 {
      for token in kept { #expect(throws: Never.self) { try pair.cached.verify(token, at: later) } }
      #expect(throws: Never.self) { try pair.cached.verify(pair.numbered(number), at: later) }
    }
    #expect(pair.cache.statistics.insertions == 25)
  }

  @Test func removal() throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: 5_000))
    let tokens = try (0..<300).map { try pair.numbered($0) }
    for token in tokens { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
    #expect(pair.cache.statistics.tokens == 300)
    // The predicate may use the verifier.
    pair.cache.remove { token in
      (try? pair.cached.verify(token.compact, at: Self.now)) != nil
        && token.claims.tokenID?.utf8.last == UInt8(ascii: "7")
    }
    #expect(pair.cache.statistics.tokens == 270)
    // Removal is no revocation.
    for token in tokens { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
    pair.cache.remove { _ in true }
    #expect(pair.cache.statistics.tokens == 0 && pair.cache.statistics.bytes == 0)
  }

  /// Many tasks with few tokens, and others that remove them meanwhile.
  @Test func contention() async throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: 128, byteLimit: 300_000))
    let tokens = try (0..<200).map { try pair.numbered($0 < 100 ? 0 : $0) }
    let forged = tokens.map { String($0.dropLast(8)) + "AAAAAAAA" }
    let good = await withTaskGroup(of: Int.self) { group in
      for task in 0..<32 {
        group.addTask {
          (0..<400).filter { round in
            if task == 0, round % 20 == 0 { pair.cache.remove { $0.claims.tokenID?.utf8.count == 1 } }
            let place = (task * 7 + round) % tokens.count
            guard let token = try? pair.cached.verify(tokens[place], at: Self.now) else { return false }
            return token.compact == tokens[place]
              && (try? pair.cached.verify(forged[place], at: Self.now)) == nil
          }.count
        }
      }
      return await group.reduce(0, +)
    }
    #expect(good == 32 * 400)
    let counts = pair.cache.statistics
    #expect(counts.tokens <= 128 && counts.bytes <= 300_000 && counts.hits > 0)
  }
}
