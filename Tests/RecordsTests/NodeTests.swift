internal import Foundation
internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import Testing
internal import TokenSecurityTesting

/// Several nodes on one PostgreSQL database: caches, and programs of two versions.
@Suite struct NodeTests {
  typealias Failure = RecordStoreError

  private func open(_ database: String, _ tables: [any DeclaredTable] = StoreFixture.tables)
    async throws -> PostgreSQLRecordStore
  {
    try await PostgreSQLRecordStore(TestServer.shared.settings(database), tables: tables)
  }

  private func put(_ store: any RecordStore, _ person: Person, in table: Table<Person> = Person.table)
    async throws(Failure)
  {
    try await store.write { rows throws(Failure) in try rows.put(person, in: table) }
  }

  private func get(_ store: any RecordStore, _ id: Int, in table: Table<Person> = Person.table)
    async throws(Failure) -> Person?
  {
    try await store.read { rows throws(Failure) in try rows.get(table, RecordKey("a", id)) }
  }

  /// Waits until a store's rows come from its cache. The listener starts with the store.
  private func untilCached(_ store: PostgreSQLRecordStore, _ id: Int) async throws {
    try await eventually {
      _ = try await get(store, id)
      return store.cachedBytes > 0
    }
  }

  @Test func cachesHearOfOtherNodes() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let (a, b) = (try await open(database), try await open(database))
    try await put(a, Person("a", 1, note: "0"))
    try await untilCached(b, 1)
    for round in 1...20 {
      try await put(a, Person("a", 1, note: "\(round)"))
      #expect(try await get(a, 1)?.note == "\(round)")
      let fresh = try await b.read(at: .now, .fresh) { rows throws(Failure) in
        try rows.get(Person.table, RecordKey("a", 1))?.note
      }
      #expect(fresh == "\(round)")
      try await eventually { try await get(b, 1)?.note == "\(round)" }
    }
    // Many writes at once, of which the node is notified by less notifications.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 2...60 { group.addTask { try await put(a, Person("a", number, note: "many")) } }
      try await group.waitForAll()
    }
    for number in 2...60 {
      try await eventually { try await get(b, number)?.note == "many" }
    }
    try await a.close()
    try await b.close()
  }

  /// A listening connection that hangs: what is cached is no longer used.
  @Test func nothingIsCachedWithoutAListener() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let (a, b) = (try await open(database), try await open(database))
    try await put(a, Person("a", 1, note: "old"))
    try await untilCached(b, 1)
    // A listener that is slow connects anew.
    var pids: [Int32] = []
    try await eventually {
      pids = try await TestServer.shared.sql(
        """
        SELECT pid FROM pg_stat_activity WHERE application_name = 'records.listener' AND datname = '\(database)'
        """, database
      ).split(separator: "\n").compactMap { Int32($0) }
      return pids.count == 2
    }
    for pid in pids { kill(pid, SIGSTOP) }
    try await put(a, Person("a", 1, note: "new"))
    try await eventually { try await get(b, 1)?.note == "new" }
    for pid in pids { kill(pid, SIGCONT) }
    try await untilCached(b, 1)
    try await a.close()
    try await b.close()
  }

  @Test func nodesOfTwoVersionsRunSideBySide() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let (oldTable, newTable) = (Person.table(version: 1), Person.table(version: 2))
    let old = try await open(database, [oldTable])
    try await put(old, Person("a", 1), in: oldTable)
    let new = try await open(database, [newTable, Counter.table])
    #expect(try await get(new, 1, in: newTable) == Person("a", 1))
    // Rows that the old program reads are written, and rows that it cannot express are refused.
    try await put(new, Person("a", 2), in: newTable)
    #expect(try await get(old, 2, in: oldTable) == Person("a", 2))
    await #expect(throws: Failure.self) { try await put(new, Person("a", 3, note: "new"), in: newTable) }
    // The old program may still be started again.
    let again = try await open(database, [oldTable])
    try await again.close()
    try await old.close()
    try await eventually {
      do throws(Failure) { try await put(new, Person("a", 3, note: "new"), in: newTable) } catch {
        return false
      }
      return true
    }
    // Now rows have the new version.
    let settings = try TestServer.shared.settings(database)
    do throws(Failure) {
      _ = try await PostgreSQLRecordStore(settings, tables: [oldTable])
      Issue.record("an older program opened the database")
    } catch {
      #expect(error.code == .databaseTooNew, "\(error)")
    }
    try await new.close()
  }

  @Test func databasesOfOthersAreRefused() async throws {
    let database = try await TestServer.shared.makeDatabase()
    _ = try await TestServer.shared.sql("CREATE TABLE person (name text)", database)
    let settings = try TestServer.shared.settings(database)
    do throws(Failure) {
      _ = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables)
      Issue.record("the database was opened")
    } catch {
      #expect(error.code == .databaseForeign && "\(error)".contains("person"))
    }
  }

  @Test func anEmptyDatabaseCanBeRefused() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let settings = try TestServer.shared.settings(database)
    do throws(Failure) {
      _ = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables, makesDatabase: false)
      Issue.record("the database was opened")
    } catch {
      #expect(error.code == .databaseEmpty && "\(error)".contains("no service's data"))
    }
    let sql = "SELECT count(*) FROM pg_tables WHERE tablename LIKE 'records%'"
    #expect(try await TestServer.shared.sql(sql, database) == "0\n")
    try await open(database).close()
    let store = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables, makesDatabase: false)
    try await store.close()
  }

  /// Times of expirations are those of callers, whose clocks may differ. Rows are the same for all.
  @Test func clocksOfNodesMayDiffer() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let (behind, ahead) = (try await open(database), try await open(database))
    let start = Timestamp(seconds: 1_000_000)
    let minute = Duration.seconds(60)
    func insert(_ store: any RecordStore, _ person: Person, at now: Timestamp) async throws(Failure) -> Bool {
      try await store.write(at: now) { rows throws(Failure) in try rows.insert(person, in: Person.table) }
    }
    func note(_ store: any RecordStore, at now: Timestamp) async throws(Failure) -> String? {
      try await store.read(at: now, .fresh) { rows throws(Failure) in
        try rows.get(Person.table, RecordKey("a", 1))?.note
      }
    }
    var person = Person("a", 1, email: "x", note: "first")
    person.expires = start + .seconds(90)
    #expect(try await insert(behind, person, at: start))
    // Within its time on both clocks the row is used once.
    #expect(try await !insert(ahead, person, at: start + minute))
    #expect(try await note(ahead, at: start + minute) == "first")
    // It has expired on one clock only.
    #expect(try await note(ahead, at: start + .seconds(40) + minute) == nil)
    #expect(try await note(behind, at: start + .seconds(40)) == "first")
    // It is left for the node whose clock is behind.
    let removed = try await ahead.write(at: start + .seconds(40) + minute) { rows throws(Failure) in
      try rows.removeExpired(from: Person.table, limit: 10)
    }
    #expect(removed == 0)
    // Its value in a unique index is free on the clock that is ahead, and then taken on both.
    var next = Person("a", 2, email: "x", note: "next")
    next.expires = start + .seconds(300)
    #expect(try await insert(ahead, next, at: start + .seconds(40) + minute))
    await #expect(throws: Failure.self) { _ = try await insert(behind, person, at: start + .seconds(41)) }
    #expect(try await note(behind, at: start + .seconds(41)) == nil)
    try await behind.close()
    try await ahead.close()
  }

  @Test func indexesAreAddedOnceOlderNodesHaveGone() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let (oldTable, newTable) = (Person.table(version: 1, indexes: [Person.byEmail]), Person.table(version: 2))
    let old = try await open(database, [oldTable])
    try await old.write { rows throws(Failure) in
      for number in 0..<600 { try rows.put(Person("a", number, tags: ["t"]), in: oldTable) }
    }
    let settings = try TestServer.shared.settings(database)
    do throws(Failure) {
      _ = try await PostgreSQLRecordStore(settings, tables: [newTable])
      Issue.record("the index was added while an older node was live")
    } catch {
      #expect(error.code == .tableRefused, "\(error)")
    }
    try await old.close()
    let new = try await open(database, [newTable])
    let count = try await new.read { rows throws(Failure) in
      try rows.count(newTable, by: Person.byTag, .prefix(RecordKey("t")), limit: 1_000)
    }
    #expect(count == 600)
    try await new.close()
    await #expect(throws: Failure.self) { try await open(database, [oldTable]) }
  }

  @Test func anIndexThatBecomesUniqueIsMadeAgain() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let shared = Index<Person>("email") { $0.email.map { [RecordKey($0)] } ?? [] }
    let unique = Index<Person>("email", isUnique: true) { $0.email.map { [RecordKey($0)] } ?? [] }
    let before = Person.table(version: 1, indexes: [shared])
    let old = try await open(database, [before])
    try await put(old, Person("a", 1, email: "x"), in: before)
    try await put(old, Person("a", 2, email: "x"), in: before)
    try await old.close()
    func refusal(_ table: Table<Person>) async throws -> String {
      let settings = try TestServer.shared.settings(database)
      do throws(Failure) {
        _ = try await PostgreSQLRecordStore(settings, tables: [table])
        return ""
      } catch {
        #expect(error.code == .tableRefused, "\(error)")
        return "\(error)"
      }
    }
    #expect(
      try await refusal(Person.table(version: 1, indexes: [unique])).contains("its version has not"))
    let after = Person.table(version: 2, indexes: [unique])
    #expect(try await refusal(after).contains("the same value in the unique index person.email"))
    let again = try await open(database, [before])
    try await put(again, Person("a", 2, email: "y"), in: before)
    try await again.close()
    let new = try await open(database, [after])
    #expect(try await get(new, 2, in: after)?.email == "y")
    await #expect(throws: Failure.self) { try await put(new, Person("a", 3, email: "x"), in: after) }
    try await new.close()
  }

  @Test func manyNodesMakeOneDatabase() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let stores = try await withThrowingTaskGroup(of: PostgreSQLRecordStore.self) { group in
      for _ in 0..<6 { group.addTask { try await open(database) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for (number, store) in stores.enumerated() { try await put(store, Person("a", number)) }
    let count = try await stores[0].read(at: .now, .fresh) { rows throws(Failure) in
      try rows.count(Person.table, limit: 100)
    }
    #expect(count == 6)
    for store in stores { try await store.close() }
  }
}
