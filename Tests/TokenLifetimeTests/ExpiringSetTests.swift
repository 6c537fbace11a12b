internal import Testing
internal import TokenLifetime
internal import TokenSecurityTesting

@Suite struct ExpiringSetTests {
  private static let start = Timestamp(seconds: 1_800_000_000)

  static func key(_ number: Int) -> DigestKey {
    var digest = InlineArray<32, UInt8>(repeating: 0xA5)
    for index in 0..<8 { digest[24 + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    return DigestKey(digest)
  }

  private func insert(
    _ set: inout ExpiringSet, _ number: Int, end: Int64 = 900, at now: Int64 = 0
  ) -> Bool {
    insert(&set, number, from: Self.start.advanced(bySeconds: now), to: Self.start.advanced(bySeconds: end))
  }

  private func insert(
    _ set: inout ExpiringSet, _ number: Int, from now: Timestamp, to end: Timestamp
  ) -> Bool {
    set.insert(Self.key(number), until: end, at: now)
  }

  @Test func allBytesOfTheDigestCount() {
    let zero = DigestKey(InlineArray(repeating: 0))
    for index in 0..<32 {
      var digest = InlineArray<32, UInt8>(repeating: 0)
      digest[index] = 1
      #expect(DigestKey(digest) != zero)
    }
  }

  @Test func anEntryCountsInItsLastSecond() {
    var set = ExpiringSet(capacity: 10)
    #expect(insert(&set, 1))
    #expect(!insert(&set, 1))
    #expect(!insert(&set, 1, at: 900))
    #expect(insert(&set, 1, end: 2_000, at: 901))
    #expect(!insert(&set, 1, end: 2_000, at: 2_000))
    #expect(set.count == 1)
  }

  /// Fractions of a second do not shorten the last second.
  @Test func fractionsDoNotCount() {
    var set = ExpiringSet(capacity: 10)
    let end = Self.start + .milliseconds(10_250)
    #expect(insert(&set, 1, from: Self.start, to: end))
    #expect(!insert(&set, 1, from: Self.start + .milliseconds(10_999), to: end))
    #expect(insert(&set, 1, from: Self.start + .milliseconds(11_000), to: end))
  }

  @Test func aFullSetRefusesNewKeys() {
    var set = ExpiringSet(capacity: 3)
    for number in 1...3 { #expect(insert(&set, number, end: 900 + Int64(number))) }
    #expect(!insert(&set, 4, at: 901))
    #expect(!insert(&set, 1, end: 901, at: 901))
    #expect(insert(&set, 4, end: 1_800, at: 902))
    #expect(!insert(&set, 2, end: 902, at: 902))
    #expect(!insert(&set, 3, end: 903, at: 902))
    #expect(set.count == 3)
    var least = ExpiringSet(capacity: -1)
    #expect(insert(&least, 1))
    #expect(!insert(&least, 2))
  }

  /// Expired entries are removed as time goes on, not only when the set is full.
  @Test func expiredEntriesAreRemoved() {
    var set = ExpiringSet(capacity: 100_000)
    for number in 0..<2_000 { #expect(insert(&set, number)) }
    for number in 2_000..<6_000 { #expect(insert(&set, number, end: 2_000, at: 1_000)) }
    #expect(set.count == 4_000)
  }

  /// A clock that was ahead fills the set. The entries that it left are removed, and keys of the present are
  /// kept.
  @Test(arguments: [3_600, 86_400, 100 * 366 * 86_400] as [Int64])
  func aClockThatWasAhead(jump: Int64) {
    var set = ExpiringSet(capacity: 20)
    for number in 0..<10 { #expect(insert(&set, number)) }
    for number in 10..<20 { #expect(insert(&set, number, end: jump + 900, at: jump)) }
    // A key of the time ahead is new in the present.
    #expect(insert(&set, 10, at: 5))
    for number in 20..<29 { #expect(insert(&set, number, at: 10)) }
    for number in 0...10 { #expect(!insert(&set, number, at: 10)) }
    #expect(!insert(&set, 30, at: 10))
  }

  /// Two callers read the clock, and take the lock in the other order.
  @Test func readingsOutOfOrder() {
    var set = ExpiringSet(capacity: 1)
    #expect(insert(&set, 1, end: 10, at: 10))
    #expect(!insert(&set, 2, end: 9, at: 9))
    #expect(!insert(&set, 1, end: 10, at: 9))
  }

  @Test func theEndsOfTime() {
    var set = ExpiringSet(capacity: 2)
    #expect(insert(&set, 1, from: .earliest, to: .latest))
    #expect(!insert(&set, 1, from: .latest, to: .latest))
    #expect(insert(&set, 2, from: .latest, to: .earliest))
    #expect(!insert(&set, 3, from: .earliest, to: .earliest))
    #expect(set.count == 2)
  }
}

@Suite struct ExpiringTableTests {
  /// The table against a plain list.
  @Test(arguments: 1...4) func isAQueue(seed: Int) {
    var state = UInt64(seed)
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var table = ExpiringTable<Int>()
    var list: [(number: Int, end: Int64)] = []
    for _ in 0..<TestScale.count(5_000) {
      let number = random(100)
      let key = ExpiringSetTests.key(number)
      switch random(10) {
      case 0...4:
        let end = Int64(random(50))
        table.insert(key, until: end, number)
        list.removeAll { $0.number == number }
        list.append((number, end))
      case 5...6:
        let expected = list.first { $0.number == number }
        let removed = table.remove(key)
        #expect(removed?.end == expected?.end)
        list.removeAll { $0.number == number }
      case 7...8:
        let least = list.map(\.end).min()
        let expected = list.first { $0.end == least }
        #expect(table.first?.value == expected?.number)
        if let first = table.first { _ = table.remove(first.key) }
        list.removeAll { $0.number == expected?.number }
      default:
        let end = Int64(random(70))
        table.removeAll(after: end)
        list.removeAll { $0.end > end }
      }
      #expect(table.count == list.count)
      #expect(table[key]?.end == list.first { $0.number == number }?.end)
      #expect(table.latestEnd == list.map(\.end).max())
    }
  }

  @Test func removesAFewExpiredEntriesAtATime() {
    var table = ExpiringTable<Void>()
    for number in 0..<20 { table.insert(ExpiringSetTests.key(number), until: Int64(number), ()) }
    for (now, limit, count, first) in [(0, 8, 20, 0), (5, 8, 15, 5), (100, 2, 13, 7)]
      as [(Int64, Int, Int, Int64)]
    {
      table.removeExpired(at: now, limit: limit)
      #expect(table.count == count)
      #expect(table.first?.end == first)
    }
  }
}
