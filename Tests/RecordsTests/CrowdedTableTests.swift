internal import Foundation
internal import Records
internal import RecordsSQLite
internal import Testing
internal import TokenSecurityTesting

/// Tables with many ended rows, short processes, and passes that fail.
@Suite struct CrowdedTableTests {
  typealias Failure = RecordStoreError

  private static let start = Timestamp(seconds: 1_800_000_000)

  /// The rule, with an uptime that a test sets.
  private static func rule(_ uptime: SettableClock) -> RemovalRule {
    var rule = RemovalRule()
    rule.crowd = 10
    rule.uptime = { uptime.elapsed }
    return rule
  }

  private static let tables: [any DeclaredTable] = [Person.table, Person.invented]

  private func put(
    _ store: any RecordStore, _ ids: Range<Int>, end: Timestamp, at now: Timestamp,
    in table: Table<Person> = Person.invented
  ) async throws(Failure) {
    try await store.write(at: now) { rows throws(Failure) in
      for id in ids {
        var person = Person("a", id)
        person.expires = end
        try rows.put(person, in: table)
      }
    }
  }

  private func stored(
    _ store: any RecordStore, in table: Table<Person> = Person.invented
  ) async throws(Failure) -> Int {
    try await store.read(at: .earliest, .fresh) { rows throws(Failure) in
      try rows.count(table, limit: 1_000)
    }
  }

  /// Of many ended rows those are removed that had ended half an hour of uptime ago. What has not ended stays.
  @Test(arguments: EngineKind.allCases) func manyEndedRowsAreKeptForLess(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, tables: Self.tables, removal: Self.rule(uptime))
    var now = Self.start
    try await put(f.store, 0..<50, end: now + .seconds(60), at: now)
    try await put(f.store, 50..<60, end: now + .seconds(40 * 86_400), at: now)
    var minutes: Int?
    for minute in stride(from: 0, to: 120, by: 5) {
      if try await f.store.removeExpired(from: Person.invented, at: now, portion: 7) > 0, minutes == nil {
        minutes = minute
      }
      uptime.advance(by: .seconds(300))
      now += .seconds(300)
    }
    // Seen to have ended at the first sighting after the end, ten minutes after the start.
    #expect(minutes == 40)
    #expect(try await stored(f.store) == 10)
    // As many as are allowed are kept for a day.
    try await put(f.store, 0..<10, end: now + .seconds(60), at: now)
    for _ in stride(from: 0, to: 120, by: 5) {
      #expect(try await f.store.removeExpired(from: Person.invented, at: now) == 0)
      uptime.advance(by: .seconds(300))
      now += .seconds(300)
    }
    #expect(try await stored(f.store) == 20)
    await f.remove()
  }

  /// A transaction that removes rows counts none: the count of a million would keep others waiting. Without a count, and with
  /// an old one, rows are kept for the day.
  @Test(arguments: EngineKind.allCases) func rowsAreCountedBeforeTheRemoval(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, tables: Self.tables, removal: Self.rule(uptime))
    var now = Self.start
    try await put(f.store, 0..<50, end: now, at: now)
    func removed() async throws(Failure) -> Int {
      try await f.store.write(at: now) { rows throws(Failure) in
        try rows.removeExpired(from: Person.invented, limit: 1)
      }
    }
    func pass(_ seconds: Int64) async throws(Failure) -> Int {
      uptime.advance(by: .seconds(seconds))
      now += .seconds(seconds)
      return try await removed()
    }
    for _ in 0..<6 { #expect(try await pass(600) == 0) }
    let time = now
    try await f.store.read(at: time, .fresh) { rows throws(Failure) in
      try rows.countEnded(in: Self.tables)
    }
    #expect(try await removed() == 1)
    #expect(try await pass(1_199) == 1)
    #expect(try await pass(1) == 0)
    #expect(try await stored(f.store) == 48)
    await f.remove()
  }

  /// Rows of other tables, such as sign-ins, are kept for a day however many seem to have ended, and whatever the clock
  /// says meanwhile.
  @Test(arguments: EngineKind.allCases) func otherTablesAreKeptForADay(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, tables: Self.tables, removal: Self.rule(uptime))
    var now = Self.start
    let end = now + .seconds(7 * 86_400)
    for table in [Person.table, Person.invented] {
      try await put(f.store, 0..<50, end: end, at: now, in: table)
    }
    for minute in stride(from: 0, to: 23 * 60, by: 30) {
      let clock = now + .seconds(40 * 86_400)
      #expect(try await f.store.removeExpired(from: Person.table, at: clock) == 0, "minute \(minute)")
      _ = try await f.store.removeExpired(from: Person.invented, at: clock)
      uptime.advance(by: .seconds(1_800))
      now += .seconds(1_800)
    }
    #expect(try await f.store.removeExpired(from: Person.table, at: now) == 0)
    #expect(try await stored(f.store, in: Person.table) == 50)
    #expect(try await stored(f.store) == 0)
    // The clock is right again, and they end.
    now = end
    var removed: [Int] = []
    for hour in 0..<30 {
      if try await f.store.removeExpired(from: Person.table, at: now, portion: 7) > 0 { removed.append(hour) }
      uptime.advance(by: .seconds(3_600))
      now += .seconds(3_600)
    }
    #expect(removed == [25])
    await f.remove()
  }

  /// A clock that is ahead for less than half an hour removes nothing of a table that seems to have many ended rows.
  @Test(arguments: EngineKind.allCases) func aClockThatIsAheadRemovesNothing(_ kind: EngineKind) async throws
  {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, tables: Self.tables, removal: Self.rule(uptime))
    var now = Self.start
    try await put(f.store, 0..<50, end: now + .seconds(7 * 86_400), at: now)
    for minute in 0..<120 {
      // The last minute of each half an hour is right.
      let clock = minute % 30 == 29 ? now : now + .seconds(40 * 86_400)
      #expect(try await f.store.removeExpired(from: Person.invented, at: clock) == 0)
      uptime.advance(by: .seconds(60))
      now += .seconds(60)
    }
    #expect(try await stored(f.store) == 50)
    await f.remove()
  }

  /// Processes that end within ten minutes add up to a day, also those that are killed.
  @Test(arguments: [true, false]) func shortProcessesHaveUptime(_ isClosed: Bool) async throws {
    try await TestFolder.with { folder in
      var now = Self.start
      var killed: [SQLiteRecordStore] = []
      for _ in 0..<20 {
        let uptime = SettableClock()
        let store = try SQLiteRecordStore(
          path: folder + "/r.sqlite", tables: StoreFixture.tables, removal: Self.rule(uptime))
        // A pass each half a minute, and 25 seconds more.
        for pass in 0..<5 {
          _ = try await store.removeExpired(from: Person.table, at: now)
          let pause = Duration.seconds(pass == 4 ? 25 : 30)
          uptime.advance(by: pause)
          now += pause
        }
        if isClosed { try await store.close() } else { killed.append(store) }
      }
      let store = try SQLiteRecordStore(path: folder + "/r.sqlite", tables: StoreFixture.tables)
      let stored = try await store.read(at: now, .fresh) { rows throws(Failure) in
        try rows.get(RemovalTable.rows, RemovalTable.key)?.uptime
      }
      let known = try #require(stored)
      if isClosed {
        #expect(known == 20 * 145)
      } else {
        // Each loses the time after its last pass, and a minute at most.
        #expect((20 * 60...20 * 120).contains(known), "\(known)")
      }
      try await store.close()
      for store in killed { try await store.close() }
    }
  }

  /// A pass that is not committed has taken no clock into account: the next one still drops the sightings.
  @Test(arguments: EngineKind.allCases) func aPassThatFailsForgetsNoClock(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    var rule = RemovalRule()
    rule.uptime = { uptime.elapsed }
    let f = try await StoreFixture(kind, tables: Self.tables, removal: rule)
    var ahead = Self.start + .seconds(40 * 86_400)
    for _ in 0..<30 {
      _ = try await f.store.removeExpired(from: Person.table, at: ahead)
      uptime.advance(by: .seconds(3_600))
      ahead += .seconds(3_600)
    }
    // The clock is right for the time of a call.
    try await put(f.store, 0..<1, end: Self.start + .seconds(60), at: Self.start)
    let before = ahead
    await #expect(throws: RuleError.refused) {
      try await f.store.write(at: before) { rows throws(RuleError) in
        _ = try rows.removeExpired(from: Person.table, limit: 10)
        throw .refused
      }
    }
    #expect(try await f.store.removeExpired(from: Person.table, at: ahead) == 0)
    #expect(try await stored(f.store) == 1)
    await f.remove()
  }

  /// A clock that is noted while a pass runs is not forgotten with it.
  @Test func aClockOfTheTimeOfAPassIsKept() {
    let watch = ClockWatch(RemovalRule())
    watch.note(100)
    let first = watch.look()
    #expect(first.clock == 100)
    watch.note(105)
    watch.forget(until: first.number)
    let second = watch.look()
    #expect(second.clock == 105)
    // Two passes at a time, of which the later one is committed first.
    watch.note(90)
    let third = watch.look()
    watch.forget(until: second.number)
    #expect(watch.look().clock == 90)
    watch.forget(until: third.number)
    #expect(watch.look().clock == .max)
    // Any number that fail.
    watch.note(7)
    for _ in 0..<100 { #expect(watch.look().clock == 7) }
  }
}
