internal import GRDB
internal import PostgreSQLTestServer
internal import Records
internal import RecordsSQLite
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Reads of a row or its neighbour, in every engine.
@Suite struct EvenReadingTests {
  typealias Failure = RecordStoreError

  private final class Decodings: Sendable {
    private let count = Atomic<Int>(0)
    var all: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
  }

  private static func nearest(
    _ store: any RecordStore, _ number: Int, at now: Timestamp = .now, _ freshness: ReadFreshness = .cached
  ) async throws(Failure) -> (id: Int, isExact: Bool)? {
    try await store.read(at: now, freshness) { rows throws(Failure) in
      try rows.nearest(Person.table, to: RecordKey("b", number), in: .prefix(RecordKey("b"))).map {
        ($0.row.id, $0.isExact)
      }
    }
  }

  /// The row itself, the one before, and before the first one the next row; never one beyond the range.
  @Test(arguments: EngineKind.allCases) func neighbours(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind)
    #expect(try await Self.nearest(f.store, 1) == nil)
    let end = Timestamp(seconds: 2_000)
    try await f.store.write { rows throws(Failure) in
      try rows.put(Person("a", 1), in: Person.table)
      try rows.put(Person("c", 1), in: Person.table)
      for number in [10, 20] { try rows.put(Person("b", number), in: Person.table) }
      var ending = Person("b", 30)
      ending.expires = end
      try rows.put(ending, in: Person.table)
    }
    for freshness in [ReadFreshness.cached, .fresh, .cached] {
      for (number, id) in [(1, 10), (10, 10), (11, 10), (20, 20), (29, 20), (30, 30), (31, 30)] {
        let found = try #require(
          try await Self.nearest(f.store, number, at: end - .seconds(1), freshness))
        #expect(found == (id, id == number))
      }
    }
    // A row that has ended is no row of the key.
    let ended = try #require(try await Self.nearest(f.store, 30, at: end))
    #expect(ended == (30, false))
    let inWrite = try await f.store.write { rows throws(Failure) in
      try rows.put(Person("b", 15), in: Person.table)
      return try rows.nearest(Person.table, to: RecordKey("b", 14), in: .prefix(RecordKey("b")))?.row.id
    }
    #expect(inWrite == 10)
    await f.remove()
  }

  /// Each read decodes one row, whether it has been read before or not, and caches nothing.
  @Test func theSameWork() async throws {
    try await TestFolder.with { folder in
      let decodings = Decodings()
      let plain = Person.encoding(version: 2)
      let table = Table<Person>(
        "person", key: { $0.key }, indexes: [Person.byEmail, Person.byTag],
        encoding: RowEncoding(
          version: 2, encode: { person, version in plain.encode(person, version) },
          decode: { bytes, version in
            decodings.add()
            return plain.decode(bytes, version)
          }), expires: { $0.expires })
      let store = try SQLiteRecordStore(path: folder + "/r.sqlite", tables: [table])
      try await store.write { rows throws(Failure) in
        for number in [10, 20, 30] { try rows.put(Person("b", number), in: table) }
      }
      for _ in 0..<2 {
        _ = try await store.read { rows throws(Failure) in try rows.get(table, RecordKey("b", 10)) }
      }
      let cached = store.cachedBytes
      for number in [10, 20, 21, 99, 10] {
        let before = decodings.all
        _ = try await store.read(at: .now, .fresh) { rows throws(Failure) in
          try rows.nearest(table, to: RecordKey("b", number), in: .all)
        }
        #expect(decodings.all == before + 1)
        _ = try await store.write { rows throws(Failure) in
          try rows.nearest(table, to: RecordKey("b", number), in: .all)
        }
        #expect(decodings.all == before + 2)
      }
      #expect(store.cachedBytes == cached)
      try await store.close()
    }
  }

  /// A damaged row fails the calls for its own key alone.
  @Test(arguments: [EngineKind.sqlite, .postgresql]) func damagedNeighbours(_ kind: EngineKind) async throws {
    let f = try await StoreFixture(kind)
    try await f.store.write { rows throws(Failure) in
      for number in [10, 20] { try rows.put(Person("b", number), in: Person.table) }
    }
    let key = Hex.string(RecordKey("b", 20).encoded)
    try await f.execute("UPDATE person SET row = \(f.blob("ff00")) WHERE key = \(f.blob(key))")
    #expect(try await Self.nearest(f.store, 25, at: .now, .fresh) == nil)
    #expect(try await Self.nearest(f.store, 10, at: .now, .fresh)?.isExact == true)
    let error = await #expect(throws: Failure.self) { try await Self.nearest(f.store, 20, at: .now, .fresh) }
    #expect(error?.codeText == "record_damaged")
    await f.remove()
  }
}
