internal import Records
internal import RecordsSQLite
internal import Synchronization
internal import Testing

/// Contents of the cache, and the time that they stay.
@Suite struct CacheTests {
  typealias Failure = RecordStoreError

  /// A table that counts how often rows are decoded.
  private final class Decodings: Sendable {
    private let count = Atomic<Int>(0)
    var all: Int { count.load(ordering: .relaxed) }

    func table() -> Table<Person> {
      let plain = Person.encoding(version: 2)
      return Table<Person>(
        "person", key: { $0.key }, indexes: [Person.byEmail, Person.byTag],
        encoding: RowEncoding(
          version: 2, encode: { person, version in plain.encode(person, version) },
          decode: { bytes, version in
            self.count.add(1, ordering: .relaxed)
            return plain.decode(bytes, version)
          }), expires: { $0.expires })
    }
  }

  @Test func cachedRowsAreDecodedOnce() async throws {
    try await TestFolder.with { folder in
      let decodings = Decodings()
      let table = decodings.table()
      let store = try SQLiteRecordStore(path: folder + "/r.sqlite", tables: [table, Counter.table])
      try await store.write { rows throws(Failure) in
        for number in 0..<10 { try rows.put(Person("a", number, email: "\(number)", tags: ["t"]), in: table) }
      }
      func look(_ number: Int) async throws(Failure) -> [Person?] {
        try await store.read { rows throws(Failure) in
          [
            try rows.get(table, RecordKey("a", number)),
            try rows.get(table, by: Person.byEmail, RecordKey("a", "\(number)")),
          ] + (try rows.scan(table, by: Person.byTag, .only(RecordKey("t")), limit: 10))
        }
      }
      for _ in 0..<2 { #expect(try await look(3).allSatisfy { $0?.tags == ["t"] }) }
      var before = decodings.all
      for _ in 0..<10 { _ = try await look(3) }
      #expect(decodings.all == before)
      // A change of another table concerns no row of this one, and a change of another row only the scan.
      try await store.write { rows throws(Failure) in
        try rows.put(Counter(name: "c", value: 1), in: Counter.table)
      }
      _ = try await look(3)
      #expect(decodings.all == before)
      func get(_ number: Int) async throws(Failure) -> Person? {
        try await store.read { rows throws(Failure) in try rows.get(table, RecordKey("a", number)) }
      }
      try await store.write { rows throws(Failure) in try rows.put(Person("a", 4, note: "new"), in: table) }
      before = decodings.all
      #expect(try await get(3)?.email == "3")
      #expect(decodings.all == before)
      #expect(try await get(4)?.note == "new")
      #expect(decodings.all == before + 1)
      try await store.close()
    }
  }

  /// Nor where the engine is read: because another row is not cached, or to write.
  @Test func cachedRowsThatAreReadAgainAreNotDecoded() async throws {
    try await TestFolder.with { folder in
      let decodings = Decodings()
      let table = decodings.table()
      let store = try SQLiteRecordStore(path: folder + "/r.sqlite", tables: [table, Counter.table])
      try await store.write { rows throws(Failure) in
        try rows.put(Person("a", 1, email: "e", note: "old"), in: table)
      }
      func look() async throws(Failure) -> [Person?] {
        try await store.read { rows throws(Failure) in
          [
            try rows.get(table, RecordKey("a", 1)),
            try rows.get(table, by: Person.byEmail, RecordKey("a", "e")),
            try rows.get(table, RecordKey("missing")),
          ]
        }
      }
      _ = try await look()
      let before = decodings.all
      #expect(try await look().map { $0?.note } == ["old", "old", nil])
      #expect(decodings.all == before)
      // A row that the transaction has changed is another row.
      let seen = try await store.write { rows throws(Failure) in
        let old = try rows.get(table, RecordKey("a", 1))?.note
        try rows.put(Person("a", 1, email: "e", note: "new"), in: table)
        return [old, try rows.get(table, RecordKey("a", 1))?.note]
      }
      #expect(seen == ["old", "new"])
      // The new row alone: once to check that it can be read, once to read it.
      #expect(decodings.all == before + 2)
      #expect(try await look().map { $0?.note } == ["new", "new", nil])
      try await store.close()
    }
  }

  /// However much of another table changes, also more rows than are listed, the rows of this one stay cached.
  @Test func tablesAreCachedOnTheirOwn() async throws {
    try await TestFolder.with { folder in
      let decodings = Decodings()
      let table = decodings.table()
      let store = try SQLiteRecordStore(path: folder + "/r.sqlite", tables: [table, Counter.table])
      try await store.write { rows throws(Failure) in
        for number in 0..<10 { try rows.put(Person("a", number, email: "\(number)", tags: ["t"]), in: table) }
      }
      func look() async throws(Failure) -> Int {
        try await store.read { rows throws(Failure) in
          var found = try rows.scan(table, by: Person.byTag, .only(RecordKey("t")), limit: 20).count
          for number in 0..<10 {
            found += try rows.get(table, RecordKey("a", number)) == nil ? 0 : 1
            found += try rows.get(table, by: Person.byEmail, RecordKey("a", "\(number)")) == nil ? 0 : 1
          }
          return found
        }
      }
      #expect(try await look() == 30)
      #expect(try await look() == 30)
      let before = decodings.all
      try await store.write { rows throws(Failure) in
        for number in 0..<2_000 { try rows.put(Counter(name: "c\(number)", value: 1), in: Counter.table) }
      }
      #expect(try await look() == 30)
      try await store.write { rows throws(Failure) in try rows.delete(.all, from: Counter.table) }
      #expect(try await look() == 30)
      #expect(decodings.all == before)
      try await store.close()
    }
  }

  /// Names that callers invent are not cached, and cached rows have a bound.
  @Test func theCacheIsBounded() async throws {
    try await TestFolder.with { folder in
      let store = try SQLiteRecordStore(
        path: folder + "/r.sqlite", tables: StoreFixture.tables, cacheSize: 4 << 20)
      for number in 0..<500 {
        _ = try await store.read { rows throws(Failure) in
          (
            try rows.get(Person.table, RecordKey("x", number)),
            try rows.get(Person.table, by: Person.byEmail, RecordKey("x", "\(number)")),
            try rows.scan(Person.table, .prefix(RecordKey("\(number)")), limit: 10)
          )
        }
      }
      #expect(store.cachedBytes == 0)
      let note = String(repeating: "n", count: 20_000)
      try await store.write { rows throws(Failure) in
        for number in 0..<300 { try rows.put(Person("a", number, note: note), in: Person.table) }
      }
      var most = 0
      for number in 0..<600 {
        let person = try await store.read { rows throws(Failure) in
          try rows.get(Person.table, RecordKey("a", number % 300))
        }
        #expect(person?.note == note)
        most = max(most, store.cachedBytes)
      }
      #expect(most <= 4 << 20 && most > 1 << 20)
      try await store.close()
    }
  }

  /// An expiration ends a cached row, and a cached list.
  @Test(arguments: [EngineKind.cachedMemory, .sqlite, .postgresql]) func cachedRowsExpire(_ kind: EngineKind)
    async throws
  {
    let f = try await StoreFixture(kind)
    let start = Timestamp(seconds: 1_000)
    try await f.store.write(at: start) { rows throws(Failure) in
      for number in 0..<4 {
        var person = Person("a", number, email: "\(number)", tags: ["t"])
        person.expires = start + .seconds(Int64(number) + 1)
        try rows.put(person, in: Person.table)
      }
    }
    for second in [0, 0, 1, 2, 3, 4, 0] as [Int64] {
      let (ids, tagged, first) = try await f.store.read(at: start + .seconds(second)) {
        rows throws(Failure) in
        (
          try rows.scan(Person.table, limit: 2).map(\.id),
          try rows.scan(Person.table, by: Person.byTag, limit: 9).map(\.id),
          try rows.get(Person.table, by: Person.byEmail, RecordKey("a", "1"))
        )
      }
      let live = Array(Int(second)..<4)
      #expect(ids == Array(live.prefix(2)) && tagged == live && (first != nil) == (second < 2))
    }
    await f.remove()
  }
}
