internal import Foundation
internal import GRDB
internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import RecordsSQLite
internal import Testing

/// Databases of programs that had no tables of the removal, such as those of version 0.2.0, and nodes of them.
@Suite struct RemovalUpgradeTests {
  typealias Failure = RecordStoreError

  private static let start = Timestamp(seconds: 1_800_000_000)
  private static let end = start + .seconds(60)

  /// The table for a store that has no tables of the removal. Its rows have the form of the others.
  private static let older = Records.Table<Person>(
    "person", key: { $0.key }, indexes: [Person.byEmail, Person.byTag],
    encoding: Person.encoding(version: 2))
  private static let olderTables: [any DeclaredTable] = [older, Counter.table]
  /// The update of the older program, since the table does not say when rows expire.
  private static let expire = "UPDATE person SET expires = \(end.microseconds)"

  private func put(_ store: any RecordStore, _ ids: Range<Int>, in table: Records.Table<Person>)
    async throws(Failure)
  {
    try await store.write(at: Self.start) { rows throws(Failure) in
      for id in ids {
        var person = Person("a", id, tags: ["t"])
        person.expires = Self.end
        try rows.put(person, in: table)
      }
    }
  }

  /// The numbers of rows in the index that have ended or not, after passes at a time.
  private func listed(_ store: any RecordStore, after now: Timestamp) async throws(Failure) -> Int {
    for _ in 0..<2 { _ = try await store.removeExpired(from: Person.table, at: now, portion: 3) }
    return try await store.read(at: .earliest, .fresh) { rows throws(Failure) in
      try rows.count(Person.table, by: Person.byTag, limit: 100)
    }
  }

  @Test func filesOfAnOlderProgramAreConverted() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      let old = try SQLiteRecordStore(path: path, tables: Self.olderTables)
      try await put(old, 0..<8, in: Self.older)
      try await old.close()
      let database = try DatabaseQueue(path: path)
      try await database.write { try $0.execute(sql: Self.expire) }
      try database.close()
      #expect(throws: Failure.databaseTooOld(path)) {
        _ = try SQLiteRecordStore(
          path: path, tables: StoreFixture.tables, migrates: false, removal: RemovalRule())
      }
      let new = try SQLiteRecordStore(path: path, tables: StoreFixture.tables, removal: RemovalRule())
      #expect(try await listed(new, after: Self.start) == 8)
      #expect(try await listed(new, after: Self.end) == 0)
      #expect(try await listed(new, after: Self.start) == 8)
      try await new.close()
      #expect(throws: Failure.databaseTooNew(path)) {
        _ = try SQLiteRecordStore(path: path, tables: Self.olderTables)
      }
    }
  }

  /// Nodes of both programs run side by side.
  @Test func nodesOfAnOlderProgramGoOn() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let settings = try TestServer.shared.settings(database)
    let old = try await PostgreSQLRecordStore(settings, tables: Self.olderTables)
    try await put(old, 0..<4, in: Self.older)
    let new = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables, removal: RemovalRule())
    try await put(old, 4..<8, in: Self.older)
    _ = try await TestServer.shared.sql(Self.expire, database)
    #expect(try await listed(new, after: Self.end) == 0)
    // The older node writes rows that have ended, and one that has not. It finds what is in the index.
    try await put(old, 8..<10, in: Self.older)
    #expect(try await listed(new, after: Self.start) == 10)
    _ = try await TestServer.shared.sql(Self.expire, database)
    #expect(try await listed(new, after: Self.end) == 0)
    let found = try await old.read(at: Self.start, .fresh) { rows throws(Failure) in
      (
        try rows.count(Self.older, limit: 100),
        try rows.count(Self.older, by: Person.byTag, .only(RecordKey("t")), limit: 100)
      )
    }
    #expect(found == (10, 0))
    // Others of it may be started until all nodes have the tables.
    try await PostgreSQLRecordStore(settings, tables: Self.olderTables).close()
    try await old.close()
    try await new.close()
    try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables).close()
    do throws(Failure) {
      _ = try await PostgreSQLRecordStore(settings, tables: Self.olderTables)
      Issue.record("the database was opened")
    } catch {
      #expect(error.code == .databaseTooNew, "\(error)")
    }
  }
}
