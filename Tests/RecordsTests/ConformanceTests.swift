internal import Records
internal import Testing

/// Behaviour of every engine, call by call.
@Suite struct ConformanceTests {
  typealias Failure = RecordStoreError

  private func with(_ kind: EngineKind, _ body: (any RecordStore, StoreFixture) async throws -> Void)
    async throws
  {
    let f = try await StoreFixture(kind)
    try await body(f.store, f)
    await f.remove()
  }

  private func put(_ store: any RecordStore, _ people: Person...) async throws(Failure) {
    try await store.write { rows throws(Failure) in
      for person in people { try rows.put(person, in: Person.table) }
    }
  }

  private func get(_ store: any RecordStore, _ person: Person) async throws(Failure) -> Person? {
    try await store.read { rows throws(Failure) in try rows.get(Person.table, person.key) }
  }

  @Test(arguments: EngineKind.allCases) func refusedTransactionsChangeNothing(_ kind: EngineKind) async throws
  {
    try await with(kind) { store, _ in
      let ada = Person("a", 1, email: "ada", tags: ["x"])
      try await put(store, ada)
      await #expect(throws: RuleError.refused) {
        try await store.write { rows throws(RuleError) in
          try rows.delete(ada.key, from: Person.table)
          try rows.put(Person("a", 2, email: "ada"), in: Person.table)
          try rows.put(Counter(name: "c", value: 1), in: Counter.table)
          throw .refused
        }
      }
      #expect(try await get(store, ada) == ada)
      let counters = try await store.read { rows throws(Failure) in try rows.count(Counter.table, limit: 9) }
      #expect(counters == 0)
      // A rule's error that hides another one of the rules is the only one.
      let value = try await store.write { rows throws(RuleError) in
        do throws(RuleError) { try rows.put(Person("a", 2, email: "ada"), in: Person.table) } catch {
          return "\(error)"
        }
        return ""
      }
      #expect(value.contains("unique index email"))
    }
  }

  @Test(arguments: EngineKind.allCases) func rowsAreReplacedIfTheyAreStillTheSame(_ kind: EngineKind)
    async throws
  {
    try await with(kind) { store, _ in
      var ada = Person("a", 1, note: "1")
      try await put(store, ada)
      let key = ada.key
      let first = try await store.read { rows throws(Failure) in try rows.stamped(Person.table, key) }
      let stamp = try #require(first).stamp
      ada.note = "2"
      let second = ada
      func replace(_ stamp: RowStamp, _ person: Person) async throws(Failure) -> Replacement {
        try await store.write { rows throws(Failure) in
          try rows.replace(person, in: Person.table, ifStill: stamp)
        }
      }
      #expect(try await replace(stamp, second) == .replaced)
      #expect(try await replace(stamp, second) == .changed)
      await #expect(throws: Failure.self) { try await replace(stamp, Person("a", 2)) }
      try await store.write { rows throws(Failure) in try rows.delete(second.key, from: Person.table) }
      #expect(try await replace(stamp, second) == .missing)
      #expect(try await get(store, second) == nil)
    }
  }

  @Test(arguments: EngineKind.allCases) func limitsAreErrorsWithCodes(_ kind: EngineKind) async throws {
    try await with(kind) { store, _ in
      func code(_ person: Person) async -> String {
        do throws(Failure) { try await put(store, person) } catch { return error.codeText }
        return ""
      }
      let long = String(repeating: "x", count: 2_000)
      #expect(await code(Person(long, 1)) == "record_key_too_long")
      #expect(await code(Person("a", 1, email: long)) == "record_key_too_long")
      #expect(await code(Person("a", 1, tags: ["a", long])) == "record_key_too_long")
      #expect(await code(Person("a", 1, note: String(repeating: "x", count: 2 << 20))) == "record_too_large")
      // The longest ones are stored, and found.
      let most = String(repeating: "\u{10FFFF}", count: 312)
      let large = Person(
        most, 1, email: String(repeating: "e", count: 20), tags: [String(repeating: "t", count: 1_278)],
        note: String(repeating: "n", count: 1_000_000))
      #expect(await code(large) == "")
      #expect(try await get(store, large) == large)
      let found = try await store.read { rows throws(Failure) in
        try rows.scan(Person.table, by: Person.byTag, .prefix(RecordKey(large.tags[0])), limit: 2)
      }
      #expect(found == [large])
      // No row has a longer key.
      #expect(try await get(store, Person(long, 1)) == nil)
    }
  }

  @Test(arguments: EngineKind.allCases) func otherDeclarationsAreRefused(_ kind: EngineKind) async throws {
    try await with(kind) { store, _ in
      let other = Person.table(version: 2)
      await #expect(throws: Failure.self) {
        try await store.read { rows throws(Failure) in try rows.get(other, RecordKey("a", 1)) }
      }
      await #expect(throws: Failure.self) {
        try await store.read { rows throws(Failure) in
          try rows.get(Person.table, by: Person.byTag, RecordKey("x"))
        }
      }
    }
    for name in ["", "A", "a-b", "a.b", String(repeating: "a", count: 25), "é", "sqlite_x", "pg_x"] {
      let table = Table<Counter>(
        name, key: { RecordKey($0.name) }, encoding: .init(encode: { _, _ in [] }, decode: { _, _ in nil }))
      #expect(throws: Failure.self) { try MemoryRecordStore(tables: [table]) }
    }
    #expect(throws: Failure.self) { try MemoryRecordStore(tables: [Counter.table, Counter.table]) }
  }

  @Test(arguments: EngineKind.allCases) func transactionsEndWithTheirClosure(_ kind: EngineKind) async throws
  {
    try await with(kind) { store, _ in
      let leak = Leak()
      _ = try await store.write { rows throws(Failure) in leak.keep(rows) }
      #expect(throws: Failure.transactionEnded) { try leak.rows?.get(Counter.table, RecordKey("c")) }
    }
  }

  @Test(arguments: EngineKind.allCases) func closedStoresSaySo(_ kind: EngineKind) async throws {
    try await with(kind) { store, _ in
      try await store.close()
      await #expect(throws: Failure.self) { try await get(store, Person("a", 1)) }
      await #expect(throws: Failure.self) { try await put(store, Person("a", 1)) }
    }
  }

  @Test(arguments: EngineKind.allCases) func expiredRowsAreRemovedInPortions(_ kind: EngineKind) async throws
  {
    try await with(kind) { store, _ in
      let start = Timestamp(seconds: 1_000)
      try await store.write(at: start) { rows throws(Failure) in
        for number in 0..<100 {
          var person = Person("a", number, email: "\(number)", tags: ["t"])
          if number % 4 != 0 { person.expires = start + .seconds(Int64(number)) }
          try rows.put(person, in: Person.table)
        }
      }
      let later = start + .seconds(50)
      let live = try await store.read(at: later) { rows throws(Failure) in
        try rows.count(Person.table, limit: 1_000)
      }
      // 25 that do not expire, and 51 to 99 without multiples of four.
      #expect(live == 25 + 37)
      // Expired rows are left for nodes whose clocks are behind.
      #expect(try await store.removeExpired(from: Person.table, at: later, portion: 7) == 0)
      let atEnd = later + .seconds(120)
      let removed = try await store.removeExpired(from: Person.table, at: atEnd, portion: 7)
      #expect(removed == 38)
      let all = try await store.read(at: start) { rows throws(Failure) in
        (
          try rows.count(Person.table, limit: 1_000),
          try rows.count(Person.table, by: Person.byTag, limit: 1_000)
        )
      }
      // Those that remain have ended by the last clock, and are in no index.
      #expect(all == (62, 25))
      #expect(try await store.removeExpired(from: Person.table, at: atEnd) == 0)
    }
  }

  /// A transaction sees its own writes, and a pool goes with all of its rows.
  @Test(arguments: EngineKind.allCases) func rangesAreDeletedWithTheirIndexes(_ kind: EngineKind) async throws
  {
    try await with(kind) { store, _ in
      try await store.write { rows throws(Failure) in
        for number in 0..<500 {
          try rows.put(Person("a", number, email: "\(number)", tags: ["t", "u"]), in: Person.table)
        }
        try rows.put(Person("b", 1, email: "1", tags: ["t"]), in: Person.table)
        try rows.put(Person("a\0", 1, tags: ["t"]), in: Person.table)
      }
      let counts = try await store.write { rows throws(Failure) in
        let removed = try rows.delete(.prefix(RecordKey("a")), from: Person.table)
        return [
          removed, try rows.count(Person.table, limit: 1_000),
          try rows.count(Person.table, by: Person.byTag, limit: 1_000),
          try rows.count(Person.table, by: Person.byEmail, limit: 1_000),
        ]
      }
      #expect(counts == [500, 2, 2, 1])
      try await put(store, Person("a", 1, email: "1"))
    }
  }
}

/// Keeps a transaction longer than its closure.
private final class Leak: @unchecked Sendable {
  var rows: WriteTransaction<RecordStoreError>?
  func keep(_ rows: WriteTransaction<RecordStoreError>) { self.rows = rows }
}
