internal import JOSE
internal import Testing

/// Entries that a cache keeps and removes, and many tasks that use it.
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
    for number in 20..<30 {
      #expect(throws: Never.self) { try pair.cached.verify(pair.numbered(number), at: later) }
    }
    let hits = pair.cache.statistics.hits
    for token in kept { #expect(throws: Never.self) { try pair.cached.verify(token, at: later) } }
    #expect(pair.cache.statistics.hits - hits == 10)
  }

  /// A token that replaces a removed one does not change whose turn is next.
  @Test func insertionWithoutEvictionKeepsTheOrder() throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: 4))
    func verify(_ number: Int) throws { _ = try pair.cached.verify(pair.numbered(number), at: Self.now) }
    // The fifth replaces the first, and the second is next.
    for number in 0..<5 { try verify(number) }
    let removed = try pair.numbered(3)
    pair.cache.remove { $0.compact == removed }
    for number in 5..<7 { try verify(number) }
    #expect(pair.cache.statistics.evictions == 2)
    let hits = pair.cache.statistics.hits
    try verify(4)
    #expect(pair.cache.statistics.hits - hits == 1)
    try verify(1)
    #expect(pair.cache.statistics.hits - hits == 1)
  }

  /// Tokens that are not used any more are replaced by new ones before they expire.
  @Test func unusedTokensGiveWay() throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: 50))
    let old = try (0..<50).map { try pair.numbered($0) }
    let new = try (100..<150).map { try pair.numbered($0) }
    for token in old + old + new {
      #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) }
    }
    let hits = pair.cache.statistics.hits
    for token in new { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
    #expect(pair.cache.statistics.hits - hits == 50)
  }

  /// A capacity a third above the number of tokens in use is enough, also for the order that is worst for
  /// full shards.
  @Test(arguments: [120, 400, 2_048, 10_000])
  func aThirdMoreIsEnough(capacity: Int) throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: capacity))
    let tokens = try (0..<(capacity * 3 / 4)).map { try pair.numbered($0) }
    for token in tokens + tokens {
      #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) }
    }
    let hits = pair.cache.statistics.hits
    for token in tokens { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
    #expect(pair.cache.statistics.hits - hits >= tokens.count * 9 / 10)
  }

  /// A low limit of bytes is not divided among so many shards that no token fits.
  @Test func largeTokensFitIntoALowByteLimit() throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: 10_000, byteLimit: 200_000))
    let token = try pair.token([
      "exp": .number(JSONNumber(Self.now.seconds + 900)),
      "text": .string(String(repeating: "a", count: 10_000)),
    ])
    for _ in 0..<2 { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
    #expect(pair.cache.statistics.hits == 1)
  }

  @Test(arguments: [(Int.max, Int.max), (.min, .min), (0, .max), (.max, -1)])
  func extremeLimits(capacity: Int, byteLimit: Int) throws {
    let pair = try Pair(cache: VerifiedTokenCache(capacity: capacity, byteLimit: byteLimit))
    let token = try pair.numbered(1)
    for _ in 0..<2 { #expect(throws: Never.self) { try pair.cached.verify(token, at: Self.now) } }
    #expect(pair.cache.statistics.hits == (byteLimit > 0 ? 1 : 0))
    #expect(pair.cache.capacity >= 1 && pair.cache.byteLimit >= 0)
  }

  /// The bytes of a token cover its texts, and a caller's text is not kept: it may have more capacity.
  @Test func bytesCoverTheMemory() throws {
    let pair = try Pair()
    let keys = try PreparedKeys(JWKSet([pair.key]))
    let section = TokenCacheSection(pair.cache)
    var text = try pair.token([
      "exp": .number(JSONNumber(Self.now.seconds + 900)),
      "text": .string(String(repeating: "a", count: 8_000)),
    ])
    text.reserveCapacity(1 << 20)
    let token = try section.store(keys: keys) { () throws(JOSEError) in
      try pair.plain.verify(text, at: Self.now)
    }
    let found = try #require(section.find(text))
    let claims = JSONValue.object(token.claims.object).description.utf8.count
    #expect(claims > 8_000)
    #expect(pair.cache.statistics.bytes > text.utf8.count + claims)
    #expect(pair.cache.statistics.bytes < 4 * text.utf8.count)
    func address(_ text: String) -> UInt {
      var text = text
      return text.withUTF8 { UInt(bitPattern: $0.baseAddress) }
    }
    #expect(address(token.compact) == address(text))
    #expect(address(found.token.compact) != address(text))
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
