internal import Foundation
internal import GRDB
internal import Records
internal import RecordsSQLite
internal import Testing

/// Changes of declarations over an SQLite file, and files whose own tables are damaged.
@Suite struct SQLiteSchemaTests {
  typealias Failure = RecordStoreError

  private func open(_ path: String, _ table: Records.Table<Person>) throws(Failure) -> SQLiteRecordStore {
    try SQLiteRecordStore(path: path, tables: [table], readers: 2, makesFile: true)
  }

  private func refusal(_ path: String, _ table: Records.Table<Person> = Person.table) -> Failure? {
    do throws(Failure) {
      _ = try open(path, table)
      return nil
    } catch {
      return error
    }
  }

  private func put(
    _ store: SQLiteRecordStore, _ number: Int, _ email: String, in table: Records.Table<Person>
  )
    async throws(Failure)
  {
    try await store.write { rows throws(Failure) in
      try rows.put(Person("a", number, email: email), in: table)
    }
  }

  @Test func anIndexThatBecomesUniqueIsMadeAgain() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      let shared = Index<Person>("email") { $0.email.map { [RecordKey($0)] } ?? [] }
      let unique = Index<Person>("email", isUnique: true) { $0.email.map { [RecordKey($0)] } ?? [] }
      let before = Person.table(version: 1, indexes: [shared])
      let old = try open(path, before)
      try await put(old, 1, "x", in: before)
      try await put(old, 2, "x", in: before)
      try await old.close()
      #expect(
        refusal(path, Person.table(version: 1, indexes: [unique]))
          == .tableRefused(table: "person", reason: "its indexes have changed and its version has not"))
      let after = Person.table(version: 2, indexes: [unique])
      #expect(
        refusal(path, after)
          == .tableRefused(
            table: "person", reason: "rows have the same value in the unique index person.email")
      )
      // The refused change has changed nothing.
      let again = try open(path, before)
      try await put(again, 2, "y", in: before)
      try await again.close()
      let new = try open(path, after)
      let found = try await new.read { rows throws(Failure) in
        try rows.get(after, by: unique, RecordKey("y"))
      }
      #expect(found == Person("a", 2, email: "y"))
      await #expect(throws: Failure.uniqueViolated(table: "person", index: "email")) {
        try await put(new, 3, "x", in: after)
      }
      try await new.close()
    }
  }

  private static let damages = [
    "(NULL, 2, 0)", "(X'FF', 2, 0)", "('person', 'x', 0)", "('person', NULL, 0)",
  ]

  /// Replaces the list of tables with one that has no types.
  private func damage(_ path: String, _ row: String) throws {
    let database = try DatabaseQueue(path: path)
    try database.writeWithoutTransaction { connection in
      try connection.execute(
        sql: """
          DROP TABLE "records.tables";
          CREATE TABLE "records.tables" (name, version, change);
          INSERT INTO "records.tables" VALUES \(row)
          """)
    }
    try database.close()
  }

  @Test(arguments: Self.damages) func damagedListsOfTablesAreRefused(_ row: String) async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      try await open(path, Person.table).close()
      try damage(path, row)
      let error = refusal(path)
      #expect(error?.code == .fileRefused || error?.code == .databaseTooNew, "\(row): \(error as Any)")
    }
  }

  @Test(arguments: ["('person', 2, NULL)", "('person', 2, 'x')", "(NULL, 2, 1)"])
  func damagedVersionsFailReads(_ row: String) async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      let store = try open(path, Person.table)
      try damage(path, row)
      await #expect(
        throws: Failure.unavailable("the database is damaged: its tables' versions cannot be read")
      ) { try await store.read { rows throws(Failure) in try rows.count(Person.table, limit: 1) } }
    }
  }
}
