internal import Foundation
internal import GRDB
internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import RecordsSQLite
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Rows that have ended are in no index, so that reads do not pass over them, and come back where a clock was ahead.
@Suite struct EndedRowListingTests {
  typealias Failure = RecordStoreError

  private static let start = Timestamp(seconds: 1_800_000_000)

  private static func person(_ id: Int, end: Timestamp?) -> Person {
    // An index has each value once.
    var person = Person("a", id, email: "\(id)", tags: ["t", "t"])
    person.expires = end
    return person
  }

  private func put(_ store: any RecordStore, _ people: [Person], at now: Timestamp) async throws(Failure) {
    try await store.write(at: now) { rows throws(Failure) in
      for person in people { try rows.put(person, in: Person.table) }
    }
  }

  /// A pass that goes on until all is done.
  private func pass(_ store: any RecordStore, at now: Timestamp, portion: Int = 3) async throws(Failure) {
    _ = try await store.removeExpired(from: Person.table, at: now, portion: portion)
  }

  /// The ids of the rows in an index, those that have ended included: at this time none has.
  private func listed(_ store: any RecordStore) async throws(Failure) -> [Int] {
    try await store.read(at: .earliest, .fresh) { rows throws(Failure) in
      try rows.scan(Person.table, by: Person.byTag, limit: 100_000).map(\.id)
    }
  }

  private func stored(_ store: any RecordStore) async throws(Failure) -> [Int] {
    try await store.read(at: .earliest, .fresh) { rows throws(Failure) in
      try rows.scan(Person.table, limit: 100_000).map(\.id)
    }
  }

  @Test(arguments: EngineKind.allCases) func endedRowsLeaveTheIndexes(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind, removal: RemovalRule())
    let (start, end) = (Self.start, Self.start + .seconds(60))
    // Many end at one time.
    try await put(f.store, (0..<8).map { Self.person($0, end: end) }, at: start)
    try await put(f.store, [Self.person(8, end: end + .seconds(1)), Self.person(9, end: nil)], at: start)
    // The first pass knows of the write's clock.
    try await pass(f.store, at: end)
    #expect(try await listed(f.store).count == 10)
    try await pass(f.store, at: end)
    #expect(try await listed(f.store) == [8, 9])
    #expect(try await stored(f.store) == Array(0..<10))
    let found = try await f.store.read(at: end - .seconds(1), .fresh) { rows throws(Failure) in
      try rows.get(Person.table, by: Person.byEmail, RecordKey("a", "3"))?.id
    }
    // A value in a unique index has one row: nothing is passed over.
    #expect(found == 3)
    try await pass(f.store, at: end + .seconds(1))
    #expect(try await listed(f.store) == [9])
    // The clock was ahead. In portions, and as often as it is.
    for _ in 0..<2 {
      try await pass(f.store, at: start)
      #expect(try await listed(f.store) == Array(0..<10))
      try await pass(f.store, at: end + .seconds(86_400))
      #expect(try await listed(f.store) == [9])
    }
    await f.remove()
  }

  /// A row that has ended when it is written is in no index from then on, and one that is prolonged is.
  @Test(arguments: EngineKind.allCases) func writesOfEndedRows(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind, removal: RemovalRule())
    let (start, end) = (Self.start, Self.start + .seconds(60))
    try await put(f.store, [Self.person(1, end: end), Self.person(2, end: end)], at: end)
    #expect(try await listed(f.store) == [])
    try await put(f.store, [Self.person(2, end: end + .seconds(60))], at: end)
    #expect(try await listed(f.store) == [2])
    for _ in 0..<2 { try await pass(f.store, at: end + .seconds(60)) }
    #expect(try await listed(f.store) == [])
    try await f.store.write(at: end) { rows throws(Failure) in
      try rows.put(Self.person(2, end: end + .seconds(90)), in: Person.table)
      try rows.delete(Self.person(1, end: end).key, from: Person.table)
    }
    try await pass(f.store, at: start)
    #expect(try await listed(f.store) == [2])
    #expect(try await stored(f.store) == [2])
    await f.remove()
  }

  /// Whatever clocks write and pass: after passes with one clock the index has the rows that have not ended by it.
  @Test(arguments: EngineKind.allCases, 1...3) func noRowIsLost(_ kind: EngineKind, _ seed: Int) async throws
  {
    var random = SeededGenerator(seed: UInt64(seed))
    let f = try await StoreFixture(kind, removal: RemovalRule())
    for _ in 0..<kind.rounds / 20 {
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let clock = Self.start + .seconds(Int64.random(in: 0...300, using: &random))
        let people = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          let end = clock + .seconds(Int64.random(in: -20...100, using: &random))
          return Self.person(Int.random(in: 0..<40, using: &random), end: end)
        }
        let isPassing = Bool.random(using: &random)
        if isPassing {
          let most = Int.random(in: 1...5, using: &random)
          // It may not be done.
          try await f.store.write(at: clock) { rows throws(Failure) in
            for person in people { try rows.put(person, in: Person.table) }
            _ = try rows.removeExpired(from: Person.table, limit: most)
          }
        } else {
          try await put(f.store, people, at: clock)
        }
      }
      let clock = Self.start + .seconds(Int64.random(in: 0...300, using: &random))
      for _ in 0..<2 {
        try await pass(f.store, at: clock, portion: Int.random(in: 1...5, using: &random))
      }
      let live = try await f.store.read(at: clock, .fresh) { rows throws(Failure) in
        try rows.scan(Person.table, limit: 1_000).map(\.id)
      }
      let listed = try await listed(f.store)
      #expect(listed == live, "seed \(seed)")
      guard listed == live else { break }
    }
    await f.remove()
  }

  /// The cost of a read by an index depends on the rows that have not ended.
  @Test func readsPassOverNoEndedRows() async throws {
    let store = try MemoryRecordStore(tables: StoreFixture.tables)
    let (start, end) = (Self.start, Self.start + .seconds(60))
    let count = 20_000
    for first in stride(from: 0, to: count, by: 1_000) {
      try await put(store, (first..<first + 1_000).map { Self.person($0, end: end) }, at: start)
    }
    try await put(store, (0..<3).map { Self.person(count + $0, end: nil) }, at: start)
    for _ in 0..<2 { try await pass(store, at: end, portion: 500) }
    let before = store.visitedEntries
    let found = try await store.read(at: end, .fresh) { rows throws(Failure) in
      (
        try rows.keys(of: Person.table, by: Person.byTag, limit: 10).count,
        try rows.scan(Person.table, by: Person.byTag, limit: 10).count,
        try rows.count(Person.table, by: Person.byTag, limit: 10)
      )
    }
    #expect(found == (3, 3, 3))
    #expect(store.visitedEntries - before <= 9)
    // A pass looks at what has ended since the last one.
    let passed = store.visitedEntries
    try await pass(store, at: end, portion: 500)
    #expect(store.visitedEntries == passed)
    #expect(try await stored(store).count == count + 3)
  }

  /// Information about rows that were taken out goes with them.
  @Test func entriesAreRemovedWithTheRows() async throws {
    let uptime = SettableClock()
    var rule = RemovalRule()
    rule.uptime = { uptime.elapsed }
    let f = try await StoreFixture(.sqlite, removal: rule)
    let folder = try #require(f.folder)
    func entries() throws -> Int? {
      try DatabaseQueue(path: "\(folder)/r.sqlite").read { connection in
        try Int.fetchOne(
          connection, sql: "SELECT count(*) FROM removal_unlisted WHERE expires IS NOT NULL")
      }
    }
    var now = Self.start
    try await put(f.store, (0..<8).map { Self.person($0, end: now + .seconds(60)) }, at: now)
    var most = 0
    for _ in 0..<30 {
      try await pass(f.store, at: now)
      most = max(most, try #require(try entries()))
      uptime.advance(by: .seconds(3_600))
      now += .seconds(3_600)
    }
    #expect(most == 8)
    #expect(try await stored(f.store).isEmpty)
    #expect(try entries() == 0)
    await f.remove()
  }
}
