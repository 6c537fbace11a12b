internal import Foundation
internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import RecordsSQLite
internal import Testing
internal import TokenSecurityTesting

/// Ended rows are removed by two looks at the clock that are a day of uptime apart, on every engine.
@Suite struct RemovalTests {
  typealias Failure = RecordStoreError

  private static let start = Timestamp(seconds: 1_800_000_000)
  private static let hour = Duration.seconds(3_600)
  private static let days = Duration.seconds(86_400)

  /// The rule, with an uptime that a test sets.
  private static func rule(_ uptime: SettableClock) -> RemovalRule {
    var rule = RemovalRule()
    rule.uptime = { uptime.elapsed }
    return rule
  }

  /// A row that ends.
  private static func person(_ id: Int = 1, end: Timestamp) -> Person {
    var person = Person("a", id, email: "\(id)", tags: ["t"])
    person.expires = end
    return person
  }

  private func put(_ store: any RecordStore, _ person: Person, at now: Timestamp) async throws(Failure) {
    try await store.write(at: now) { rows throws(Failure) in try rows.put(person, in: Person.table) }
  }

  private func has(_ store: any RecordStore, _ id: Int = 1, at now: Timestamp) async throws(Failure) -> Bool {
    try await store.read(at: now, .fresh) { rows throws(Failure) in
      try rows.contains(Person.table, RecordKey("a", id))
    }
  }

  /// The number of rows that a pass removes.
  private func pass(_ store: any RecordStore, at now: Timestamp) async throws(Failure) -> Int {
    try await store.removeExpired(from: Person.table, at: now)
  }

  /// Passes each hour, and returns the number of hours until one has removed rows; nil where none has.
  private func hours(
    _ store: any RecordStore, _ uptime: SettableClock, from now: inout Timestamp, most: Int
  ) async throws(Failure) -> Int? {
    for hour in 0..<most {
      if try await pass(store, at: now) > 0 { return hour }
      uptime.advance(by: Self.hour)
      now += Self.hour
    }
    return nil
  }

  @Test(arguments: EngineKind.allCases) func endedRowsAreKeptForADayOfUptime(_ kind: EngineKind) async throws
  {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, removal: Self.rule(uptime))
    try await put(f.store, Self.person(end: Self.start + .seconds(60)), at: Self.start)
    try await put(f.store, Self.person(2, end: Self.start + Self.days * 100), at: Self.start)
    var now = Self.start + .seconds(300)
    // The first pass knows of a write five minutes ago. The next sighting is an hour later.
    #expect(try await hours(f.store, uptime, from: &now, most: 40) == 25)
    #expect(try await has(f.store, 2, at: now))
    #expect(try await pass(f.store, at: now) == 0)
    await f.remove()
  }

  @Test(arguments: EngineKind.allCases) func aClockThatIsAheadRemovesNothing(_ kind: EngineKind) async throws
  {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, removal: Self.rule(uptime))
    var now = Self.start
    // A service that has run for long.
    #expect(try await hours(f.store, uptime, from: &now, most: 30) == nil)
    try await put(f.store, Self.person(end: now + Self.days * 7), at: now)
    // For eight seconds, and twice for almost a day.
    for passes in [2, 23 * 12, 23 * 12] {
      for _ in 0..<passes {
        #expect(try await pass(f.store, at: now + Self.days * 40) == 0)
        uptime.advance(by: .seconds(passes == 2 ? 5 : 300))
        now += .seconds(passes == 2 ? 5 : 300)
      }
      #expect(try await !has(f.store, at: now + Self.days * 40))
      #expect(try await pass(f.store, at: now) == 0)
      #expect(try await has(f.store, at: now))
    }
    await f.remove()
  }

  /// The uptime of several processes is added up, until each is closed, and what passes between two of them is none.
  @Test(arguments: [EngineKind.sqlite, .postgresql]) func uptimeIsKeptInTheStore(_ kind: EngineKind)
    async throws
  {
    let first = SettableClock()
    let f = try await StoreFixture(kind, removal: Self.rule(first))
    var now = Self.start + .seconds(300)
    try await put(f.store, Self.person(end: Self.start), at: now)
    #expect(try await hours(f.store, first, from: &now, most: 14) == nil)
    try await f.store.close()
    let second = SettableClock()
    let store = try await another(f, second)
    now += Self.days * 300
    // A process knows nothing of the time before its first pass.
    #expect(try await hours(store, second, from: &now, most: 40) == 24 - 14)
    try await store.close()
    await f.remove()
  }

  /// Two processes on one store at the same time are up for that time once.
  @Test(arguments: [EngineKind.sqlite, .postgresql]) func uptimeIsCountedOnce(_ kind: EngineKind) async throws
  {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, removal: Self.rule(uptime))
    let store = try await another(f, uptime)
    var now = Self.start
    var removed: [Int] = []
    for halfHour in 0..<60 {
      if try await pass([f.store, store][halfHour % 2], at: now) > 0 { removed.append(halfHour) }
      if halfHour == 0 { try await put(f.store, Self.person(end: now), at: now) }
      uptime.advance(by: Self.hour / 2)
      now += Self.hour / 2
    }
    #expect(removed == [2 + 48])
    try await store.close()
    await f.remove()
  }

  /// Another process on the fixture's database.
  private func another(_ f: StoreFixture, _ uptime: SettableClock) async throws -> any RecordStore {
    if let folder = f.folder {
      return try SQLiteRecordStore(
        path: "\(folder)/r.sqlite", tables: StoreFixture.tables, removal: Self.rule(uptime))
    }
    return try await PostgreSQLRecordStore(
      TestServer.shared.settings(#require(f.database)), tables: StoreFixture.tables,
      removal: Self.rule(uptime))
  }

  /// A process that was stopped for days has seen no clock in that time.
  @Test(arguments: EngineKind.allCases) func aLongPauseIsAnHour(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, removal: Self.rule(uptime))
    var now = Self.start
    #expect(try await hours(f.store, uptime, from: &now, most: 2) == nil)
    try await put(f.store, Self.person(end: now), at: now)
    for _ in 0..<20 {
      uptime.advance(by: Self.days * 10)
      now += .seconds(3_600)
      #expect(try await pass(f.store, at: now) == 0)
    }
    await f.remove()
  }

  /// A clock that is set back between two passes writes a row that no pass has found ended.
  @Test(arguments: EngineKind.allCases) func rowsOfACorrectedClockAreKept(_ kind: EngineKind) async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(kind, removal: Self.rule(uptime))
    var ahead = Self.start + Self.days * 40
    #expect(try await hours(f.store, uptime, from: &ahead, most: 30) == nil)
    // The clock was ahead all the time. It is right for the time of a call.
    try await put(f.store, Self.person(end: Self.start + .seconds(60)), at: Self.start)
    #expect(try await pass(f.store, at: ahead) == 0)
    #expect(try await has(f.store, at: Self.start))
    await f.remove()
  }

  /// Without its row the removal begins anew.
  @Test func aDamagedRowIsReplaced() async throws {
    let uptime = SettableClock()
    let f = try await StoreFixture(.postgresql, removal: Self.rule(uptime))
    let database = try #require(f.database)
    var now = Self.start
    #expect(try await hours(f.store, uptime, from: &now, most: 30) == nil)
    _ = try await TestServer.shared.sql("UPDATE removal_sightings SET row = 'x'", database)
    try await put(f.store, Self.person(end: now + .seconds(60)), at: now)
    #expect(try await hours(f.store, uptime, from: &now, most: 40) == 25)
    #expect(f.damaged.all.count == 1)
    await f.remove()
  }

  /// A node whose clock is ahead removes nothing that has not ended by the server's clock.
  @Test func theServersClockCounts() async throws {
    let (uptime, start) = (SettableClock(), Self.start)
    let f = try await StoreFixture(
      .postgresql, removal: Self.rule(uptime), clock: "to_timestamp(\(start.seconds))")
    try await put(f.store, Self.person(end: start + .seconds(60)), at: start)
    var ahead = start + Self.days * 40
    #expect(try await hours(f.store, uptime, from: &ahead, most: 60) == nil)
    #expect(try await has(f.store, at: start))
    await f.remove()
  }

  /// Rows that have ended are none for any call, as long as they are kept.
  @Test(arguments: EngineKind.allCases) func endedRowsAreNone(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind, removal: Self.rule(SettableClock()))
    let end = Self.start + .seconds(60)
    let person = Self.person(end: end)
    try await put(f.store, person, at: Self.start)
    // Into the cache, where there is one.
    #expect(try await has(f.store, at: Self.start))
    for _ in 0..<2 {
      let found = try await f.store.read(at: end) { rows throws(Failure) in
        [
          try rows.get(Person.table, person.key) != nil, try rows.contains(Person.table, person.key),
          try rows.get(Person.table, by: Person.byEmail, RecordKey("a", "1")) != nil,
          try rows.stamped(Person.table, person.key) != nil, try !rows.scan(Person.table, limit: 9).isEmpty,
          try !rows.scan(Person.table, by: Person.byTag, limit: 9).isEmpty,
          try rows.count(Person.table, limit: 9) > 0,
          try rows.count(Person.table, by: Person.byTag, limit: 9) > 0,
          try !rows.keys(of: Person.table, by: Person.byTag, limit: 9).isEmpty,
        ]
      }
      #expect(!found.contains(true), "\(found)")
    }
    let written = try await f.store.write(at: end) { rows throws(Failure) in
      [
        try rows.insert(Self.person(end: end + .seconds(60)), in: Person.table),
        try rows.delete(person.key, from: Person.table),
      ]
    }
    #expect(written == [true, true])
    await f.remove()
  }
}
