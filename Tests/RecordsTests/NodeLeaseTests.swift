internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import Testing
internal import TokenSecurityTesting

/// Nodes that others count as gone, and what nodes remove.
@Suite struct NodeLeaseTests {
  typealias Failure = RecordStoreError

  private func put(_ store: any RecordStore, _ id: Int) async throws(Failure) {
    try await store.write { rows throws(Failure) in try rows.put(Person("a", id), in: Person.table) }
  }

  private func get(_ store: any RecordStore, _ id: Int) async throws(Failure) -> Person? {
    try await store.read { rows throws(Failure) in try rows.get(Person.table, RecordKey("a", id)) }
  }

  /// Waits until SQL counts no row.
  private func untilNone(_ sql: String, _ database: String) async throws {
    try await eventually { try await TestServer.shared.sql(sql, database) == "0\n" }
  }

  @Test func aNodeWithoutHeartbeatsDoesNotWrite() async throws {
    let database = try await TestServer.shared.makeDatabase()
    var settings = try TestServer.shared.settings(database)
    let live = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables)
    try await put(live, 1)
    settings.lease = .zero
    let gone = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables)
    do throws(Failure) {
      try await put(gone, 2)
      Issue.record("a node wrote that others may count as gone")
    } catch {
      #expect(error.code == .unavailable && "\(error)".contains("list of nodes"))
    }
    #expect(try await get(gone, 1) == Person("a", 1))
    #expect(try await get(live, 2) == nil)
    try await gone.close()
    try await live.close()
  }

  /// Newer nodes have raised the version of a table while this node was away.
  @Test func aNodeThatIsTooOldWritesAndReadsNothing() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let store = try await PostgreSQLRecordStore(
      TestServer.shared.settings(database), tables: StoreFixture.tables)
    try await put(store, 1)
    _ = try await get(store, 1)
    _ = try await TestServer.shared.sql(
      "UPDATE \"records.tables\" SET version = 99 WHERE name = 'counter'", database)
    do throws(Failure) {
      try await put(store, 2)
      Issue.record("an older program wrote")
    } catch {
      #expect(error.code == .databaseTooNew, "\(error)")
    }
    #expect(try await TestServer.shared.sql("SELECT count(*) FROM person", database) == "1\n")
    // Nothing comes from the cache either.
    do throws(Failure) {
      _ = try await get(store, 1)
      Issue.record("an older program read")
    } catch {
      #expect(error.code == .databaseTooNew, "\(error)")
    }
    // Others need not write rows for this node.
    try await untilNone("SELECT count(*) FROM \"records.nodes\"", database)
    try await store.close()
  }

  /// A table that this program does not know, with rows.
  @Test func aNodeThatDoesNotKnowATableWritesNothing() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let store = try await PostgreSQLRecordStore(
      TestServer.shared.settings(database), tables: StoreFixture.tables)
    _ = try await TestServer.shared.sql("INSERT INTO \"records.tables\" VALUES ('empty', 0)", database)
    try await put(store, 1)
    _ = try await TestServer.shared.sql("INSERT INTO \"records.tables\" VALUES ('used', 1)", database)
    do throws(Failure) {
      try await put(store, 2)
      Issue.record("an older program wrote")
    } catch {
      #expect(error.code == .databaseTooNew, "\(error)")
    }
    try await store.close()
  }

  @Test func oldRecordsOfTransactionsAreRemoved() async throws {
    let database = try await TestServer.shared.makeDatabase()
    var settings = try TestServer.shared.settings(database)
    settings.recordsKept = .zero
    try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables).close()
    _ = try await TestServer.shared.sql(
      """
      INSERT INTO "records.transactions" (id, committed, changes)
      SELECT n, now() - n * interval '1 minute', n FROM generate_series(1, 12000) n
      """, database)
    let stores = [
      try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables),
      try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables),
    ]
    // Those of the last hour stay.
    try await untilNone("SELECT count(*) FROM \"records.transactions\" WHERE id > 70", database)
    let last = "SELECT count(*) FROM \"records.transactions\" WHERE id BETWEEN 1 AND 50"
    #expect(try await TestServer.shared.sql(last, database) == "50\n")
    for store in stores { try await store.close() }
  }

  /// By a clock of the server that is ahead all records are old. Nodes ask for those of the last seconds.
  @Test func newRecordsOfTransactionsOutliveAClock() async throws {
    let database = try await TestServer.shared.makeDatabase()
    var settings = try TestServer.shared.settings(database)
    try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables).close()
    _ = try await TestServer.shared.sql(
      """
      INSERT INTO "records.transactions" (id, committed, xid, changes) VALUES
        (1, now() - interval '2 hours', pg_current_xact_id(), '1'), (2, now() - interval '2 hours', '9999999999', '2')
      """, database)
    let isThere = "SELECT count(*) FROM \"records.transactions\" WHERE id ="
    settings.recordsKept = .seconds(86_400)
    let keeping = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables)
    // After the second heartbeat the first one has removed what it may. Each sets the time twice.
    let heartbeat = "SELECT heartbeat FROM \"records.nodes\""
    for _ in 0..<3 {
      let last = try await TestServer.shared.sql(heartbeat, database)
      try await eventually { try await TestServer.shared.sql(heartbeat, database) != last }
    }
    #expect(try await TestServer.shared.sql("\(isThere) 1", database) == "1\n")
    settings.recordsKept = .zero
    let removing = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables)
    try await untilNone("\(isThere) 1", database)
    try await untilNone("\(isThere) 2", database)
    for store in [keeping, removing] { try await store.close() }
  }
}
