internal import Dispatch
internal import GRDB
internal import Records
internal import Synchronization

/// Rows in an SQLite file with a write-ahead log.
///
/// Reads run on the caller's thread, in connections of their own. Writes run on one connection, one after the
/// other. Those that wait at the same time are committed together, so that they share the write to the disk.
final class SQLiteEngine: RecordEngine {
  let database: DatabasePool
  private let statements: [TableStatements]
  private let versions: VersionReader
  private let writer: GroupWriter
  private let isClosed = Mutex(false)
  var changes: any ChangeSource { versions }
  let isShared = false

  init(
    path: String, readers: Int, makesFile: Bool, migrates: Bool, tables: [any DeclaredTable]
  ) throws(RecordStoreError) {
    var configuration = Configuration()
    configuration.label = "records"
    configuration.maximumReaderCount = readers
    configuration.busyMode = .timeout(10)
    configuration.foreignKeysEnabled = true
    let schema = Schema(tables: tables, path: path)
    let layouts = tables.map(\.layout)
    statements = layouts.map { TableStatements($0) }
    do {
      try DatabaseFile.prepare(path, makesFile: makesFile, configuration, schema)
      database = try DatabasePool(path: path, configuration: configuration)
      try database.writeWithoutTransaction { connection in
        // The pool's initializer has set NORMAL, with which commits are not synced.
        try connection.execute(sql: "PRAGMA synchronous = FULL")
        try connection.inTransaction(.immediate) {
          try schema.check(connection)
          if !migrates { try schema.checkVersions(connection) }
          try schema.migrate(connection)
          return .commit
        }
      }
      versions = try VersionReader(
        path: path, configuration: configuration, connections: readers, tables: layouts)
    } catch {
      throw Self.storeError(error)
    }
    writer = GroupWriter(database, statements, versions.log, path: path)
    PrivateFiles.removeDrafts(of: path)
  }

  nonisolated(nonsending) func read<Result: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> Result
  ) async throws(RecordStoreError) -> Result {
    try readNow(body)
  }

  private func readNow<Result: Sendable>(
    _ body: @Sendable (any EngineTransaction) -> Result
  ) throws(RecordStoreError) -> Result {
    guard !isClosed.withLock({ $0 }) else { throw .closed }
    do {
      return try database.read { body(SQLiteTransaction($0, statements)) }
    } catch {
      throw Self.storeError(error)
    }
  }

  nonisolated(nonsending) func write<Result: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> WriteDecision<Result>
  ) async throws(RecordStoreError) -> Result {
    try await writer.write(body)
  }

  nonisolated(nonsending) func close() async throws(RecordStoreError) { try closeNow() }

  /// Writes the log back into the file and closes it.
  ///
  /// The log remains while another process uses the file.
  private func closeNow() throws(RecordStoreError) {
    let wasClosed = isClosed.withLock { isClosed in
      defer { isClosed = true }
      return isClosed
    }
    guard !wasClosed else { return }
    // GRDB does not check whether a connection is closed.
    writer.close()
    let outcome = Result {
      try database.writeWithoutTransaction { connection in
        // SQLite waits for readers with the lock of writers, so other processes could not write meanwhile.
        try connection.execute(sql: "PRAGMA busy_timeout = 0")
        _ = try connection.checkpoint(.truncate)
      }
    }
    do {
      try versions.close()
      // Reading connections first: the last connection removes the log and must be able to write.
      database.releaseMemory()
      try database.close()
      try outcome.get()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return
    } catch {
      throw Self.storeError(error)
    }
  }

  deinit {
    let wasClosed = isClosed.withLock { $0 }
    guard !wasClosed else { return }
    // Elsewhere, because the last reference may end on the database's own queue, on which GRDB refuses to wait for
    // that queue. On other threads the file is closed when its store is gone.
    let (versions, database, isDone) = (versions, database, DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      // The writing connection last: read-only connections cannot write the log back.
      try? versions.close()
      database.releaseMemory()
      try? database.close()
      isDone.signal()
    }
    _ = isDone.wait(timeout: .now() + .seconds(1))
  }

  /// Copies the database to a new file.
  func backUp(to path: String) throws(RecordStoreError) {
    do { try DatabaseFile.copy(database, to: path) } catch { throw Self.storeError(error) }
  }

  /// Checks the pages, indexes and references of the database.
  func checkIntegrity() throws(RecordStoreError) {
    do {
      let problem = try database.read { connection -> String? in
        let first = try String.fetchOne(connection, sql: "PRAGMA integrity_check(1)")
        guard first == "ok" else {
          return first.map(Self.oneLine) ?? "SQLite cannot check it"
        }
        let reference = try Row.fetchOne(connection, sql: "PRAGMA foreign_key_check")
        return reference.map {
          "a row of \(String.fromDatabaseValue($0[0]) ?? "a table") refers to one that does not exist"
        }
      }
      if let problem { throw RecordStoreError.fileRefused("\(database.path) is damaged: \(problem)") }
    } catch {
      throw Self.storeError(error)
    }
  }

  private static func oneLine(_ text: String) -> String {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }.joined(separator: " ")
  }

  /// Rewrites the database without free pages, and empties the log, so that neither has removed values.
  func compact() throws(RecordStoreError) {
    do {
      try database.vacuum()
      try database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    } catch {
      throw Self.storeError(error)
    }
  }

  /// The writing connection's `PRAGMA synchronous`.
  func synchronousLevel() throws(RecordStoreError) -> Int64? {
    do {
      return try database.writeWithoutTransaction { try Int64.fetchOne($0, sql: "PRAGMA synchronous") }
    } catch {
      throw Self.storeError(error)
    }
  }

  /// Converts an error. SQLite's messages name tables and columns but no values.
  static func storeError(_ error: any Error) -> RecordStoreError {
    switch error {
    case let error as RecordStoreError: error
    case let error as DatabaseError:
      .unavailable("SQLite \(error.resultCode.rawValue): \(error.message ?? "no reason given")")
    case is CancellationError: .unavailable("the call was cancelled")
    default: .unavailable("\(type(of: error))")
    }
  }
}
