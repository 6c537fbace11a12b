internal import JOSE
internal import OpenIDConnect
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

@Suite struct ReplayCacheTests {
  let now = NumericDate(seconds: 1_000)

  @Test func storesNamesUntilTheEnd() {
    let cache = TokenReplayCache(capacity: 2)
    let end = NumericDate(seconds: 1_010)
    #expect(cache.insert("a", until: end, at: now))
    #expect(!cache.insert("a", until: end, at: now))
    #expect(!cache.insert("a", until: end, at: end))
    #expect(cache.insert("a", until: end, at: NumericDate(seconds: 1_011)))
  }

  @Test func refusesNewNamesRatherThanForget() {
    let cache = TokenReplayCache(capacity: 2)
    let end = NumericDate(seconds: 1_010)
    #expect(cache.insert("a", until: end, at: now))
    #expect(cache.insert("b", until: end, at: now))
    #expect(!cache.insert("c", until: end, at: now))
    #expect(cache.insert("c", until: NumericDate(seconds: 2_000), at: NumericDate(seconds: 1_011)))
    #expect(cache.insert("d", until: NumericDate(seconds: 1_020), at: NumericDate(seconds: 1_011)))
    #expect(!cache.insert("e", until: NumericDate(seconds: 2_000), at: NumericDate(seconds: 1_020)))
    #expect(cache.insert("e", until: NumericDate(seconds: 2_000), at: NumericDate(seconds: 1_021)))
    #expect(!cache.insert("c", until: NumericDate(seconds: 2_000), at: NumericDate(seconds: 1_021)))
  }

  @Test func namesAreComparedByBytes() {
    let cache = TokenReplayCache()
    let end = NumericDate(seconds: 1_010)
    #expect(cache.insert("\u{212A}unden", until: end, at: now))
    #expect(cache.insert("Kunden", until: end, at: now))
    #expect(cache.insert("e\u{301}", until: end, at: now))
    #expect(cache.insert("\u{E9}", until: end, at: now))
  }

  @Test func endsTooFarAwayAreRefused() {
    let cache = TokenReplayCache(capacity: 2, longestLifetime: .seconds(100))
    #expect(!cache.insert("a", until: NumericDate(seconds: 1_101), at: now))
    #expect(cache.insert("a", until: NumericDate(seconds: 1_100), at: now))
    #expect(
      !TokenReplayCache(capacity: 2, longestLifetime: Duration(attoseconds: .min)).insert(
        "a", until: now, at: now)
    )
    #expect(
      TokenReplayCache(capacity: 2, longestLifetime: Duration(attoseconds: .max)).insert(
        "a", until: now, at: now))
  }

  /// The cache was filled while the clock was ahead.
  @Test func entriesOfAClockThatWasAheadDoNotFillTheCache() {
    let cache = TokenReplayCache(capacity: 3, longestLifetime: .seconds(100))
    let ahead = NumericDate(seconds: 10_000_000)
    for name in ["a", "b", "c"] {
      #expect(cache.insert(name, until: ahead.advanced(bySeconds: 50), at: ahead))
    }
    for name in ["a", "d", "e"] { #expect(cache.insert(name, until: now.advanced(bySeconds: 50), at: now)) }
    #expect(!cache.insert("d", until: now.advanced(bySeconds: 50), at: now))
  }

  /// A full cache of names that were used shortly before their end, and a clock that is set back: the tokens
  /// are valid again, so their names stay.
  @Test func aFullCacheKeepsNamesOfTokensThatAreValidAgain() {
    let cache = TokenReplayCache(capacity: 3, longestLifetime: .seconds(1_000))
    let end = now.advanced(bySeconds: 1)
    for name in ["a", "b", "c"] { #expect(cache.insert(name, until: end, at: now)) }
    let earlier = now.advanced(bySeconds: -500)
    #expect(!cache.insert("d", until: earlier.advanced(bySeconds: 1), at: earlier))
    for name in ["a", "b", "c"] { #expect(!cache.insert(name, until: end, at: earlier)) }
  }

  /// The clock jumps at random. An accepted name is refused while its token could be valid, and a full cache
  /// accepts a new name after the longest lifetime at the latest.
  @Test(arguments: 0..<20)
  func aJumpingClockNeitherBlocksNorForgets(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let life: Int64 = 100
    let cache = TokenReplayCache(capacity: 16, longestLifetime: .seconds(life))
    var seconds: Int64 = 1_000_000
    var number = 0
    for _ in 0..<TestScale.count(300) {
      let jumps: [Int64] = [0, 1, 7, 50, life, 3_600, 86_400 * 365, -1, -50, -3_600, -86_400 * 365]
      seconds += jumps.randomElement(using: &random) ?? 0
      let now = NumericDate(seconds: seconds)
      let end = now.advanced(bySeconds: Int64.random(in: 0...life, using: &random))
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        number += 1
        let isNew = cache.insert("\(number)", until: end, at: now)
        if isNew {
          #expect(!cache.insert("\(number)", until: end, at: now))
          #expect(!cache.insert("\(number)", until: end, at: end))
        }
      }
      // After the longest lifetime there is room again.
      let later = now.advanced(bySeconds: life + 61)
      number += 1
      #expect(cache.insert("\(number)", until: later.advanced(bySeconds: 1), at: later))
    }
  }

  /// A full cache of whose names few expire at a time. Insertion must not walk all of them.
  @Test func aFullCacheStaysUsable() {
    let cache = TokenReplayCache(capacity: 20_000)
    for number in 0..<20_000 {
      #expect(cache.insert("\(number)", until: NumericDate(seconds: 1_001 + Int64(number) / 2), at: now))
    }
    for number in 0..<10_000 {
      let later = NumericDate(seconds: 1_002 + Int64(number))
      #expect(cache.insert("again \(number)", until: NumericDate(seconds: 90_000), at: later))
    }
  }
}
