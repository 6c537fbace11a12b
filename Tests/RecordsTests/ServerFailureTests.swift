internal import PostgreSQLTestServer
internal import Records
internal import RecordsPostgreSQL
internal import Synchronization
internal import Testing
internal import TokenSecurityPlatform
internal import TokenSecurityTesting

/// A PostgreSQL server that is killed, restarted, stopped for a while, or loses connections.
@Suite(.serialized) struct ServerFailureTests {
  typealias Failure = RecordStoreError

  private func with(
    _ server: TestServer, adjust: (inout PostgreSQLSettings) -> Void = { _ in },
    _ body: (PostgreSQLRecordStore, String) async throws -> Void
  ) async throws {
    let database = try await server.makeDatabase()
    var settings = try server.settings(database)
    adjust(&settings)
    let store = try await PostgreSQLRecordStore(settings, tables: StoreFixture.tables)
    try await body(store, database)
    try await store.close()
    await server.stop(SIGQUIT)
  }

  /// Outcomes of the calls of many tasks.
  private final class Outcomes: Sendable {
    struct State: Sendable {
      var stored: Set<Int> = []
      var refused: Set<Int> = []
      var unknown: Set<Int> = []
      var errors: Set<String> = []
    }
    private let state = Mutex(State())
    var all: State { state.withLock { $0 } }

    func run(_ number: Int, _ call: () async throws(Failure) -> Void) async {
      do throws(Failure) {
        try await call()
        state.withLock { _ = $0.stored.insert(number) }
      } catch {
        state.withLock { state in
          state.errors.insert("\(error)")
          if error.code == .outcomeUnknown {
            state.unknown.insert(number)
          } else {
            state.refused.insert(number)
          }
        }
      }
    }
  }

  private func add(_ number: Int, to store: PostgreSQLRecordStore) async throws(Failure) {
    try await store.write { rows throws(Failure) in
      try rows.put(Person("a", number, tags: ["t"]), in: Person.table)
    }
  }

  @Test func noAcknowledgedWriteIsLost() async throws {
    let server = TestServer()
    try await with(server) { store, _ in
      let outcomes = Outcomes()
      let isDone = Flag()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<8 {
          group.addTask {
            var number = task
            while !isDone.isSet {
              let current = number
              await outcomes.run(current) { () throws(Failure) in try await add(current, to: store) }
              number += 8
            }
          }
        }
        /// Waits until more writes are stored.
        func storeMore() async throws {
          let count = outcomes.all.stored.count + 40
          try await eventually { outcomes.all.stored.count >= count }
        }
        for _ in 0..<2 {
          try await storeMore()
          await server.kill()
          try await server.start()
        }
        try await storeMore()
        await server.stop()
        try await server.start()
        try await storeMore()
        isDone.set()
        try await group.waitForAll()
      }
      let all = outcomes.all
      let found = try await store.read { rows throws(Failure) in
        Set(try rows.scan(Person.table, by: Person.byTag, limit: .max).map(\.id))
      }
      #expect(all.stored.subtracting(found).isEmpty)
      #expect(all.refused.isDisjoint(with: found))
      #expect(found.subtracting(all.stored).isSubset(of: all.unknown))
      #expect(all.stored.count > 100)
      #expect(all.refused.isEmpty && all.unknown.isEmpty, "\(all.errors)")
    }
  }

  /// Each connection that commits is ended again and again: it is asked whether the transaction was
  /// committed.
  @Test func lostCommitsAreResolved() async throws {
    // A commit takes some time, so that it is met.
    let server = TestServer(["-c", "commit_delay=20000", "-c", "commit_siblings=0"])
    try await with(server) { store, database in
      let outcomes = Outcomes()
      let isDone = Flag()
      let ended = try await withThrowingTaskGroup(of: Void.self) { group in
        for task in 0..<4 {
          group.addTask {
            var number = 0
            while number < 25 || !isDone.isSet {
              await outcomes.run(task + number * 4) { () throws(Failure) in
                try await store.write { rows throws(Failure) in
                  let key = RecordKey("c\(task)")
                  var counter = try rows.get(Counter.table, key) ?? Counter(name: "c\(task)", value: 0)
                  counter.value += 1
                  try rows.put(counter, in: Counter.table)
                }
              }
              number += 1
            }
          }
        }
        // Looks every five milliseconds for a connection that commits, until ten have been ended; for two
        // minutes at most.
        let sql =
          """
          CREATE TABLE ended (pid int);
          DO $$ BEGIN
            FOR round IN 1..24000 LOOP
              PERFORM pg_stat_clear_snapshot();
              WITH found AS MATERIALIZED (
                SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query = 'COMMIT' LIMIT 1)
              INSERT INTO ended SELECT pid FROM found WHERE pg_terminate_backend(pid);
              PERFORM pg_sleep(CASE WHEN FOUND THEN 0.05 ELSE 0.005 END);
              EXIT WHEN (SELECT count(*) FROM ended) >= 10;
            END LOOP;
          END $$
          """
        let outcome = await Task { try await server.sql(sql, database) }.result
        isDone.set()
        _ = try outcome.get()
        try await group.waitForAll()
        return Int(try await server.sql("SELECT count(*) FROM ended", database).prefix { $0 != "\n" }) ?? 0
      }
      let all = outcomes.all
      let sum = try await store.read(at: .now, .fresh) { rows throws(Failure) in
        try rows.scan(Counter.table, limit: 100).reduce(0) { $0 + $1.value }
      }
      #expect(ended == 10)
      #expect(all.refused.isEmpty && all.unknown.isEmpty, "\(all.errors)")
      #expect(sum == all.stored.count)
    }
  }

  /// Adds a row at last: a call may take longer than a short time limit.
  private func addAtLast(_ number: Int, to store: PostgreSQLRecordStore) async throws {
    try await eventually { (try? await add(number, to: store)) != nil }
  }

  /// A server that accepts connections and answers nothing: no call hangs, and it resumes by itself.
  @Test func aServerThatHangsHoldsNoCall() async throws {
    let server = TestServer()
    let adjust = { (settings: inout PostgreSQLSettings) in
      settings.callTimeout = .seconds(8)
      settings.statementTimeout = .seconds(4)
      settings.connectTimeout = .seconds(4)
      settings.waitingLimit = 10
    }
    try await with(server, adjust: adjust) { store, _ in
      try await addAtLast(1, to: store)
      await server.signal(SIGSTOP)
      let outcomes = Outcomes()
      await withTaskGroup(of: Void.self) { group in
        for number in 100..<140 {
          group.addTask {
            await outcomes.run(number) { () throws(Failure) in try await add(number, to: store) }
          }
        }
      }
      await server.signal(SIGCONT)
      let all = outcomes.all
      #expect(all.stored.isEmpty)
      // Every call ended before the server went on.
      #expect(all.refused.union(all.unknown) == Set(100..<140))
      #expect(all.errors.contains { $0.contains("calls wait for the database") })
      try await addAtLast(2, to: store)
      let found = try await store.read(at: .now, .fresh) { rows throws(Failure) in
        Set(try rows.scan(Person.table, limit: .max).map(\.id))
      }
      #expect(found.subtracting(all.unknown) == [1, 2])
    }
  }
}

/// A flag between tasks.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
