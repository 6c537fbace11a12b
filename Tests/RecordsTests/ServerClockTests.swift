internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import Testing
internal import TokenSecurityTesting

/// Nodes whose clock differs from the server's.
@Suite struct ServerClockTests {
  typealias Failure = RecordStoreError

  /// Settings by which this machine's clock differs from the server's by the interval that `clock` adds.
  private func settings(_ database: String, clock: String) throws -> PostgreSQLSettings {
    var settings = try TestServer.shared.settings(database)
    settings.clock = "clock_timestamp() + \(clock)"
    settings.clockTolerance = 60
    return settings
  }

  /// The error of opening a store; nil where it opens.
  private func refusal(_ settings: PostgreSQLSettings) async -> Failure? {
    do throws(Failure) {
      try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables).close()
      return nil
    } catch {
      return error
    }
  }

  private func put(_ store: any RecordStore, _ id: Int) async throws(Failure) {
    try await store.write { rows throws(Failure) in try rows.put(Person("a", id), in: Person.table) }
  }

  /// Returns true for a refusal because of the clock. How late the server answers is not known.
  private func isRefused(_ error: Failure?, days: Int64) -> Bool {
    guard case .clockDiffers(let difference)? = error else { return false }
    return (.seconds(-600) ... .seconds(600)).contains(difference - .seconds(days * 86_400))
  }

  @Test(arguments: [40, -40] as [Int64]) func aNodeWithAnotherClockDoesNotStart(_ days: Int64) async throws {
    let database = try await TestServer.shared.makeDatabase()
    let error = await refusal(try settings(database, clock: "interval '\(-days) days'"))
    #expect(isRefused(error, days: days), "\(error as Any)")
    #expect(error?.code.rawValue == "record_clock_differs")
    let count = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    #expect(try await TestServer.shared.sql(count, database) == "0\n")
  }

  @Test func theSentenceSaysWhichClockIsAhead() {
    #expect(
      "\(Failure.clockDiffers(by: .seconds(61)))"
        == "this machine's clock is 61 seconds ahead of the database server's, the most are 60: correct the one that is wrong"
    )
    #expect(
      "\(Failure.clockDiffers(by: .seconds(-3_456_000)))".contains(
        "is 3456000 seconds behind the database server's"))
  }

  /// A slow answer is no difference.
  @Test func clocksMayDifferByAMinute() async throws {
    let database = try await TestServer.shared.makeDatabase()
    for seconds in [-30, 0, 30] {
      #expect(await refusal(try settings(database, clock: "interval '\(seconds) seconds'")) == nil)
    }
  }

  /// A running node leaves, and is back once the clocks agree.
  @Test func aNodeWhoseClockIsSetLeaves() async throws {
    let database = try await TestServer.shared.makeDatabase()
    let settings = try settings(database, clock: "(SELECT shift FROM test_clock)")
    _ = try await TestServer.shared.sql(
      "CREATE TABLE test_clock (shift interval); INSERT INTO test_clock VALUES ('0')", database)
    let store = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables)
    try await put(store, 1)
    _ = try await TestServer.shared.sql("UPDATE test_clock SET shift = '-40 days'", database)
    let nodes = "SELECT count(*) FROM \"records.nodes\""
    try await eventually { try await TestServer.shared.sql(nodes, database) == "0\n" }
    // Neither writes nor reads, from the cache or the database.
    do throws(Failure) {
      try await put(store, 2)
      Issue.record("a node with another clock wrote")
    } catch {
      #expect(isRefused(error, days: 40), "\(error)")
    }
    for freshness in [ReadFreshness.cached, .fresh] {
      do throws(Failure) {
        _ = try await store.read(at: .now, freshness) { rows throws(Failure) in
          try rows.get(Person.table, RecordKey("a", 1))
        }
        Issue.record("a node with another clock read")
      } catch {
        #expect(isRefused(error, days: 40), "\(error)")
      }
    }
    _ = try await TestServer.shared.sql("UPDATE test_clock SET shift = '30 seconds'", database)
    try await eventually {
      do throws(Failure) {
        try await put(store, 2)
        return true
      } catch {
        return false
      }
    }
    #expect(try await TestServer.shared.sql("SELECT count(*) FROM person", database) == "2\n")
    try await store.close()
  }
}
