internal import Foundation
internal import GRDB
internal import Records
internal import RecordsSQLite
internal import Testing
internal import TokenSecurityTesting

/// The files of an SQLite store: modes, versions, indexes that are added, backups.
@Suite struct SQLiteFileTests {
  typealias Failure = RecordStoreError

  private func mode(_ path: String) throws -> Int {
    let value = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    return try #require(value as? NSNumber).intValue
  }

  private func open(
    _ path: String, _ tables: [any DeclaredTable] = StoreFixture.tables, makesFile: Bool = true
  ) throws(Failure) -> SQLiteRecordStore {
    try SQLiteRecordStore(path: path, tables: tables, readers: 2, makesFile: makesFile)
  }

  /// Why a store is not opened; empty if it is.
  private func reason(
    _ path: String, _ tables: [any DeclaredTable] = StoreFixture.tables, makesFile: Bool = true
  ) -> String {
    do throws(Failure) { _ = try open(path, tables, makesFile: makesFile) } catch {
      return "\(error.codeText): \(error)"
    }
    return ""
  }

  private func put(_ store: any RecordStore, _ person: Person, in table: Records.Table<Person> = Person.table)
    async throws(Failure)
  {
    try await store.write { rows throws(Failure) in try rows.put(person, in: table) }
  }

  @Test func commitsAreSynced() async throws {
    try await TestFolder.with { folder in
      let store = try open(folder + "/r.sqlite")
      #expect(try store.synchronousLevel() == 2)
      try await put(store, Person("a", 1))
      #expect(try store.synchronousLevel() == 2)
      try await store.close()
    }
  }

  /// A backup has the pages of its database.
  @Test func newFilesHavePagesOf8KiB() async throws {
    try await TestFolder.with { folder in
      let store = try open(folder + "/r.sqlite")
      try await put(store, Person("a", 1))
      try store.backUp(to: folder + "/copy.sqlite")
      try await store.close()
      for name in ["r", "copy"] {
        let file = try DatabaseQueue(path: "\(folder)/\(name).sqlite")
        let size = try await file.read { try Int.fetchOne($0, sql: "PRAGMA page_size") }
        #expect(size == 8_192, "\(name)")
        try file.close()
      }
    }
  }

  @Test func filesAreTheOwners() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      let store = try open(path)
      try await put(store, Person("a", 1))
      for name in ["", "-wal", "-shm"] { #expect(try mode(path + name) == 0o600, "\(name)") }
      try await store.close()
      // Everything is in one file.
      #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
      unsafe chmod(path, 0o644)
      #expect(reason(path) == "")
      #expect(try mode(path) == 0o600)
      for mode in [0o620, 0o602, 0o666] as [mode_t] {
        unsafe chmod(path, mode)
        #expect(reason(path).contains("record_file_refused: other users can write \(path)"))
      }
      unsafe chmod(path, 0o600)
      for mode in [0o777, 0o1777, 0o770] as [mode_t] {
        unsafe chmod(folder, mode)
        #expect(reason(path).contains("other users can write to the folder"))
      }
      unsafe chmod(folder, 0o700)
      unsafe symlink(path, folder + "/link.sqlite")
      #expect(reason(folder + "/link.sqlite").contains("not a regular file"))
      #expect(reason(path) == "")
    }
  }

  @Test func foreignAndNewerFilesAreRefusedAsTheyAre() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      #expect(reason(path, makesFile: false).contains("does not exist"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
      #expect(reason(path).contains("record_database_foreign: \(path) has no tables"))
      // Of another program, which does not use a write-ahead log.
      let other = folder + "/other.sqlite"
      let database = try DatabaseQueue(path: other)
      try await database.write {
        try $0.execute(sql: "CREATE TABLE \"records.tables\" (a); CREATE TABLE person (b)")
      }
      try database.close()
      unsafe chmod(other, 0o600)
      let before = try Data(contentsOf: URL(filePath: other))
      #expect(reason(other).contains("record_database_foreign"))
      #expect(try Data(contentsOf: URL(filePath: other)) == before)
      for sql in [
        "PRAGMA user_version = 99", "UPDATE \"records.tables\" SET version = 3 WHERE name = 'person'",
        "INSERT INTO \"records.tables\" VALUES ('future', 1, 0)",
      ] {
        let path = folder + "/newer.sqlite"
        #expect(reason(path) == "")
        // The store's connections may still be closing.
        var configuration = Configuration()
        configuration.busyMode = .timeout(600)
        let newer = try DatabaseQueue(path: path, configuration: configuration)
        try await newer.writeWithoutTransaction { try $0.execute(sql: sql) }
        try newer.close()
        #expect(reason(path).contains("record_database_too_new: \(path) was written by a newer"), "\(sql)")
        for name in ["", "-wal", "-shm"] { unsafe unlink(path + name) }
      }
    }
  }

  /// Also while they are written, since others may be able to read the folder.
  @Test func draftsAreTheOwners() async throws {
    try await TestFolder.with { folder in
      unsafe chmod(folder, 0o755)
      let path = folder + "/key"
      let draft = try PrivateFiles.makeDraft(of: path) { file in
        var details = stat()
        return unsafe fstat(file, &details) == 0 && details.st_mode & 0o777 == 0o600
      }
      #expect(try mode(draft) == 0o600)
      try PrivateFiles.publish(draft, at: path)
      #expect(try mode(path) == 0o600)
      #expect(!PrivateFiles.exists(draft))
    }
  }

  @Test func leftoversStopNoStart() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      for name in ["/r.sqlite.1.draft", "/r.sqlite.1.draft-journal", "/r.sqlite.abc.draft", "/other.1.draft"]
      {
        _ = FileManager.default.createFile(atPath: folder + name, contents: Data("x".utf8))
      }
      #expect(reason(path) == "")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(Set(names) == ["r.sqlite", "other.1.draft"])
    }
  }

  /// A newer version adds an index and removes another; the older one is refused, also if it is still
  /// running.
  @Test func indexesAreAddedWithANewVersion() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      let oldTable = Person.table(version: 1, indexes: [Person.byEmail])
      let old = try open(path, [oldTable])
      for number in 0..<100 {
        try await put(old, Person("a", number, email: "\(number)", tags: ["t", "t"]), in: oldTable)
      }
      #expect(
        reason(path, [Person.table(version: 1)]).contains("its indexes have changed and its version has not"))
      let newTable = Person.table(version: 2, indexes: [Person.byTag])
      let new = try open(path, [newTable, Counter.table])
      let count = try await new.read { rows throws(Failure) in
        try rows.count(newTable, by: Person.byTag, .prefix(RecordKey("t")), limit: 1_000)
      }
      #expect(count == 100)
      // It would not fill the new index.
      do throws(Failure) {
        try await put(old, Person("a", 200), in: oldTable)
        Issue.record("an older program wrote")
      } catch {
        #expect(error.code == .databaseTooNew || error.code == .unavailable, "\(error)")
      }
      try await put(new, Person("a", 200, tags: ["t"]), in: newTable)
      try await old.close()
      try await new.close()
      #expect(reason(path, [oldTable]).contains("record_database_too_new"))
    }
  }

  @Test(arguments: 0..<5) func oneDatabaseIsMadeByManyAtOnce(_ round: Int) async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            let store = try open(path)
            try await put(store, Person("a", number))
            try await store.close()
          }
        }
        try await group.waitForAll()
      }
      let store = try open(path)
      #expect(try await store.read { rows throws(Failure) in try rows.count(Person.table, limit: 99) } == 8)
    }
  }

  /// A copy while writes go on has some of them, each whole.
  @Test func backupsAreConsistent() async throws {
    try await TestFolder.with { folder in
      let store = try open(folder + "/r.sqlite")
      let copy = folder + "/copy.sqlite"
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 0..<300 {
            try await store.write { rows throws(Failure) in
              try rows.put(Person("a", number, tags: ["t"]), in: Person.table)
              try rows.put(Counter(name: "count", value: number + 1), in: Counter.table)
            }
          }
        }
        group.addTask {
          try await eventually {
            try await store.read { rows throws(Failure) in try rows.count(Person.table, limit: 1) } > 0
          }
          try store.backUp(to: copy)
        }
        try await group.waitForAll()
      }
      #expect(try mode(copy) == 0o600)
      #expect(throws: Failure.self) { try store.backUp(to: copy) }
      try await store.close()
      let restored = try open(copy, makesFile: false)
      let (rows, tags, counter) = try await restored.read { rows throws(Failure) in
        (
          try rows.count(Person.table, limit: 1_000),
          try rows.count(Person.table, by: Person.byTag, limit: 1_000),
          try rows.get(Counter.table, RecordKey("count"))
        )
      }
      #expect(rows > 0 && rows == tags && rows == counter?.value ?? 0)
      try await restored.close()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(Set(names) == ["r.sqlite", "copy.sqlite"])
    }
  }

  /// Two stores on one file, as two processes have it.
  @Test func cachesSeeOtherProcesses() async throws {
    try await TestFolder.with { folder in
      let (a, b) = (try open(folder + "/r.sqlite"), try open(folder + "/r.sqlite"))
      for round in 0..<50 {
        try await put(round % 2 == 0 ? a : b, Person("a", 1, note: "\(round)"))
        for store in [a, b] {
          for _ in 0..<3 {
            let note = try await store.read { rows throws(Failure) in
              try rows.get(Person.table, RecordKey("a", 1))?.note
            }
            #expect(note == "\(round)")
          }
        }
      }
      try await a.close()
      try await b.close()
    }
  }

  @Test func damageIsFound() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      let store = try open(path)
      for number in 0..<500 { try await put(store, Person("person \(number)", number)) }
      try store.checkIntegrity()
      try await store.close()
      // A page in the middle of the file.
      let file = try #require(FileHandle(forUpdatingAtPath: path))
      let end = try file.seekToEnd()
      try file.seek(toOffset: end / 4096 / 2 * 4096)
      try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
      try file.close()
      let damaged = try open(path)
      #expect(throws: Failure.self) { try damaged.checkIntegrity() }
    }
  }

  /// Replaced rows stay on free pages until then.
  @Test func compactRemovesReplacedRows() async throws {
    try await TestFolder.with { folder in
      let path = folder + "/r.sqlite"
      let store = try open(path)
      for _ in 0..<200 { try await put(store, Person("first \(UInt64.random(in: 0...(.max)))", 1)) }
      try await store.write { rows throws(Failure) in try rows.delete(.all, from: Person.table) }
      try store.compact()
      try await put(store, Person("second", 1))
      try await store.close()
      let contents = try Data(contentsOf: URL(filePath: path))
      #expect(contents.range(of: Data("first ".utf8)) == nil)
      #expect(contents.range(of: Data("second".utf8)) != nil)
    }
  }
}
