internal import Foundation
internal import GRDB
internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import RecordsSQLite
internal import Testing

/// Databases of an older program that may not be changed; removal in portions; drafts and folders.
@Suite struct OlderDatabaseTests {
  typealias Failure = RecordStoreError

  private let oldTable = Person.table(version: 1)
  /// Tables that an older program did not have: a newer version of one, and one more.
  private var newer: [[any DeclaredTable]] { [[Person.table(version: 2)], [oldTable, Counter.table]] }

  @Test func olderServersAreNotChanged() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let settings = try TestServer.shared.settings(database)
    try await PostgreSQLRecordStore(settings, tables: [oldTable]).close()
    for tables in newer {
      do throws(Failure) {
        _ = try await PostgreSQLRecordStore(settings, tables: tables, migrates: false)
        Issue.record("the database was opened")
      } catch {
        #expect(error.code == .databaseTooOld, "\(error)")
      }
    }
    // The older program goes on.
    try await PostgreSQLRecordStore(settings, tables: [oldTable], migrates: false).close()
    for tables in newer.prefix(1) {
      try await PostgreSQLRecordStore(settings, tables: tables).close()
      try await PostgreSQLRecordStore(settings, tables: tables, migrates: false).close()
    }
  }

  @Test func olderFilesAreNotChanged() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      try await SQLiteRecordStore(path: path, tables: [oldTable]).close()
      for tables in newer {
        #expect(throws: Failure.databaseTooOld(path)) {
          _ = try SQLiteRecordStore(path: path, tables: tables, migrates: false)
        }
      }
      try await SQLiteRecordStore(path: path, tables: [oldTable], migrates: false).close()
      try await SQLiteRecordStore(path: path, tables: newer[0]).close()
      try await SQLiteRecordStore(path: path, tables: newer[0], migrates: false).close()
    }
  }

  @Test(arguments: EngineKind.allCases)
  func rangesAreRemovedInPortions(_ kind: EngineKind) async throws {
    let fixture = try await StoreFixture(kind)
    let store = fixture.store
    do {
      try await store.write { rows throws(Failure) in
        for number in 0..<7 { try rows.put(Person("a", number, tags: ["t"]), in: Person.table) }
        try rows.put(Person("b", 0), in: Person.table)
      }
      func remove(_ limit: Int) async throws(Failure) -> [Int] {
        try await store.write { rows throws(Failure) in
          let removed = try rows.delete(.prefix(RecordKey("a")), from: Person.table, limit: limit)
          return [
            removed, try rows.count(Person.table, limit: 100),
            try rows.count(Person.table, by: Person.byTag, limit: 100),
          ]
        }
      }
      #expect(try await remove(0) == [0, 8, 7])
      #expect(try await remove(3) == [3, 5, 4])
      let rest = try await store.read { rows throws(Failure) in
        try rows.scan(Person.table, limit: 100).map { "\($0.pool)\($0.id)" }
      }
      #expect(rest == ["a3", "a4", "a5", "a6", "b0"])
      #expect(try await remove(4) == [4, 1, 0])
      #expect(try await remove(4) == [0, 1, 0])
      // Rows that have ended are kept for a day, and there may be many of them.
      let start = Timestamp(seconds: 1_000)
      try await store.write(at: start) { rows throws(Failure) in
        for number in 0..<7 {
          var person = Person("a", number)
          person.expires = start + .seconds(1)
          try rows.put(person, in: Person.table)
        }
      }
      #expect(try await remove(4) == [4, 1, 0])
      #expect(try await remove(4) == [3, 1, 0])
      #expect(try await remove(4) == [0, 1, 0])
    }
    await fixture.remove()
  }

  @Test func draftsOfOtherFilesRemain() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      let other = try PrivateFiles.makeDraft(of: path + ".bak")
      let own = try PrivateFiles.makeDraft(of: path)
      PrivateFiles.removeDrafts(of: path)
      #expect(PrivateFiles.exists(other) && !PrivateFiles.exists(own))
    }
  }

  /// A folder's owner can replace its files, whoever runs the program.
  @Test(.enabled(if: getuid() == 0, "only root can give a folder away"))
  func foldersOfOtherUsersAreRefused() async throws {
    try await TestFolder.with { folder in
      try PrivateFiles.check(folder: folder)
      try #require(unsafe chown(folder, 12_345, 12_345) == 0)
      #expect(throws: Failure.self) { try PrivateFiles.check(folder: folder) }
    }
  }
}
