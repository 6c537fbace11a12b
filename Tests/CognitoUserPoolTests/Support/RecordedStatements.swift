internal import CognitoUserPool
internal import Foundation
internal import PostgreSQLTestServer
internal import Records
internal import Synchronization

@testable internal import RecordsPostgreSQL
@testable internal import RecordsSQLite

/// A row that a transaction has put.
struct WrittenRow: Sendable, Hashable {
  let table: String
  /// The row's bytes.
  let size: Int
}

/// The statements of an engine since the last look: what is asked, the table, and what was found.
final class RecordedStatements: Sendable {
  private let statements = Mutex<[String]>([])
  private let commits = Mutex<[[WrittenRow]]>([])
  private let tables: [String]

  init(_ tables: TableSet) { self.tables = tables.layouts.map(\.name) }

  func add(_ what: String, _ table: Int, _ found: String) {
    statements.withLock { $0.append("\(what) \(tables[table]) \(found)") }
  }

  /// Those of a call.
  func during(_ body: () async throws -> Void) async throws -> [String] {
    statements.withLock { $0 = [] }
    try await body()
    return statements.withLock { $0 }
  }

  /// Notes what a transaction has put that was committed.
  func commit(_ rows: [(table: Int, size: Int)]) {
    guard !rows.isEmpty else { return }
    commits.withLock { $0.append(rows.map { WrittenRow(table: tables[$0.table], size: $0.size) }) }
  }

  /// The rows that each transaction of a call has put.
  func written(by body: () async throws -> Void) async throws -> [[WrittenRow]] {
    commits.withLock { $0 = [] }
    try await body()
    return commits.withLock { $0 }
  }
}

/// An engine whose statements are recorded.
final class RecordedEngine<Base: RecordEngine>: RecordEngine {
  private let base: Base
  private let log: RecordedStatements

  init(_ base: Base, _ log: RecordedStatements) {
    self.base = base
    self.log = log
  }

  var changes: any ChangeSource { base.changes }
  var isShared: Bool { base.isShared }

  nonisolated(nonsending) func read<Result: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> Result
  ) async throws(RecordStoreError) -> Result {
    let log = log
    return try await base.read { body(RecordedTransaction($0, log)) }
  }

  nonisolated(nonsending) func write<Result: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> WriteDecision<Result>
  ) async throws(RecordStoreError) -> Result {
    let log = log
    return try await base.write {
      let transaction = RecordedTransaction($0, log)
      let decision = body(transaction)
      if case .commit = decision { log.commit(transaction.written) }
      return decision
    }
  }

  nonisolated(nonsending) func close() async throws(RecordStoreError) { try await base.close() }
}

private final class RecordedTransaction: EngineTransaction {
  private let base: any EngineTransaction
  private let log: RecordedStatements
  private(set) var written: [(table: Int, size: Int)] = []

  init(_ base: any EngineTransaction, _ log: RecordedStatements) {
    self.base = base
    self.log = log
  }

  func row(_ table: Int, _ key: RecordKey) throws(RecordStoreError) -> StoredRow? {
    let found = try base.row(table, key)
    log.add("row", table, "\(found != nil)")
    return found
  }

  func entry(_ table: Int, index: Int, _ value: RecordKey) throws(RecordStoreError) -> FoundRow? {
    let found = try base.entry(table, index: index, value)
    log.add("entry", table, "\(found != nil)")
    return found
  }

  func nearest(_ table: Int, _ key: RecordKey, in range: KeyRange) throws(RecordStoreError) -> FoundRow? {
    let found = try base.nearest(table, key, in: range)
    log.add("nearest", table, "\(found != nil)")
    return found
  }

  func scan(_ scan: Scan) throws(RecordStoreError) -> [FoundRow] {
    let found = try base.scan(scan)
    log.add("scan", scan.table, "\(found.count)")
    return found
  }

  func count(_ scan: Scan) throws(RecordStoreError) -> Int {
    log.add("count", scan.table, "")
    return try base.count(scan)
  }

  func version(of table: Int) -> Int { base.version(of: table) }

  func put(_ table: Int, _ key: RecordKey, _ row: StoredRow, _ values: [[RecordKey]])
    throws(RecordStoreError)
  {
    log.add("put", table, "\(values.map(\.count))")
    written.append((table, row.bytes.count))
    try base.put(table, key, row, values)
  }

  func delete(_ table: Int, _ key: RecordKey, at now: Int64) throws(RecordStoreError) -> Bool {
    let wasLive = try base.delete(table, key, at: now)
    log.add("delete", table, "\(wasLive)")
    return wasLive
  }

  func delete(_ table: Int, _ range: KeyRange) throws(RecordStoreError) -> Int {
    log.add("delete range", table, "")
    return try base.delete(table, range)
  }

  func deleteExpired(_ table: Int, after position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> RemovedRows
  {
    log.add("delete expired", table, "")
    return try base.deleteExpired(table, after: position, until: end, limit: limit)
  }

  func rows(_ table: Int, endingAfter position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> [FoundRow]
  {
    let found = try base.rows(table, endingAfter: position, until: end, limit: limit)
    log.add("ending", table, "\(found.count)")
    return found
  }

  func countExpired(_ table: Int, at now: Int64, limit: Int) throws(RecordStoreError) -> Int {
    log.add("count expired", table, "")
    return try base.countExpired(table, at: now, limit: limit)
  }

  func clock() throws(RecordStoreError) -> Int64? { try base.clock() }
}

extension StoreKind {
  /// A new store with a cache of rows, and the statements of its engine.
  func recorded() async throws -> (store: any RecordStore, statements: RecordedStatements) {
    let set = try TableSet(UserPoolTables.all)
    let log = RecordedStatements(set)
    func store(_ engine: some RecordEngine) -> any RecordStore {
      EngineStore(
        RecordedEngine(engine, log), set, cacheSize: 64 << 20, removal: RemovalRule(),
        onDamagedRow: { _, _ in })
    }
    switch self {
    case .memory: return (store(MemoryEngine(set)), log)
    case .sqlite:
      let folder = FileManager.default.temporaryDirectory.path + "/user-pools-\(UUID().uuidString)"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let engine = try SQLiteEngine(
        path: folder + "/pools.sqlite", readers: 2, makesFile: true, migrates: true,
        tables: UserPoolTables.all)
      return (store(engine), log)
    case .postgresql:
      let engine = try await PostgreSQLEngine(
        TestServer.shared.settings(TestServer.shared.makeDatabase()), tables: UserPoolTables.all,
        makesDatabase: true, migrates: true)
      return (store(engine), log)
    }
  }
}
