internal import GRDB
internal import Records
internal import Synchronization

/// Runs writes in groups, each of which is one transaction of SQLite with one write to the disk.
///
/// A group has the writes that arrived while the previous one was committed. Within it each write has a
/// savepoint, so that one that is refused leaves the others.
final class GroupWriter: Sendable {
  private let database: DatabasePool
  private let statements: [TableStatements]
  private let log: ChangeLog
  private let path: String
  private let state = Mutex(State())
  /// Maximum number of writes in a group.
  private static let limit = 64
  /// Maximum number of writes that wait.
  static let waitingLimit = 4_096

  private struct State: Sendable {
    var waiting: [any WaitingWrite] = []
    var isRunning = false
    var isClosed = false
  }

  init(_ database: DatabasePool, _ statements: [TableStatements], _ log: ChangeLog, path: String) {
    self.database = database
    self.statements = statements
    self.log = log
    self.path = path
  }

  nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> WriteDecision<Value>
  ) async throws(RecordStoreError) -> Value {
    try await withCheckedContinuation { (continuation: TypedWrite<Value>.Continuation) in
      let write = TypedWrite(body, continuation)
      let starts: Bool? = state.withLock { state in
        guard state.waiting.count < Self.waitingLimit else { return nil }
        state.waiting.append(write)
        defer { state.isRunning = true }
        return !state.isRunning
      }
      switch starts {
      case nil: write.finish(.busy("\(Self.waitingLimit) writes wait for the disk"))
      case true?: runNext()
      case false?: break
      }
    }.get()
  }

  /// Writes that have not begun fail.
  func close() { state.withLock { $0.isClosed = true } }

  private func runNext() {
    database.asyncWriteWithoutTransaction { connection in
      let (group, isClosed) = self.state.withLock { state in
        let group = Array(state.waiting.prefix(Self.limit))
        state.waiting.removeFirst(group.count)
        state.isRunning = !group.isEmpty
        return (group, state.isClosed)
      }
      guard !group.isEmpty else { return }
      // The connection is closed on this queue after `isClosed` was set, so that it is open until here.
      let error = isClosed ? RecordStoreError.closed : self.run(group, connection)
      // The next group is queued before callers continue, so that it does not wait for them.
      self.runNext()
      for write in group { write.finish(error) }
    }
  }

  /// Runs a group, and returns the error with which none of it was stored.
  private func run(_ group: [any WaitingWrite], _ connection: Database) -> RecordStoreError? {
    do {
      try connection.beginTransaction(.immediate)
      var changed = ChangedRows()
      do {
        for write in group {
          if let rows = try run(write, connection, isAlone: group.count == 1) { changed.merge(rows) }
        }
        guard !changed.isEmpty else {
          try connection.rollback()
          return nil
        }
        try commit(changed, connection)
        return nil
      } catch {
        if connection.isInsideTransaction { try connection.rollback() }
        throw error
      }
    } catch {
      return SQLiteEngine.storeError(error)
    }
  }

  /// Runs a write, and returns the rows that it has changed; nil if none are to be stored.
  private func run(
    _ write: any WaitingWrite, _ connection: Database, isAlone: Bool
  ) throws -> ChangedRows? {
    let transaction = SQLiteTransaction(connection, statements)
    if !isAlone { try Self.execute("SAVEPOINT write", connection) }
    let effect = write.run(transaction)
    // Some errors, a full disk among them, end the whole transaction.
    guard connection.isInsideTransaction else {
      if case .failed(let error) = effect { throw error }
      throw RecordStoreError.unavailable("SQLite ended the transaction")
    }
    if case .commit = effect {
      if !isAlone { try Self.execute("RELEASE write", connection) }
      return transaction.changed
    }
    if !isAlone {
      try Self.execute("ROLLBACK TO write", connection)
      try Self.execute("RELEASE write", connection)
    }
    return nil
  }

  private static func execute(_ sql: String, _ connection: Database) throws {
    try connection.cachedStatement(sql: sql).execute()
  }

  /// Counts the change of each table, and commits.
  private func commit(_ changed: ChangedRows, _ connection: Database) throws {
    var logged: [(table: Int, version: Int64)] = []
    do {
      for (table, keys) in changed.tables {
        let layout = statements[table].layout
        let version = try Int64.fetchOne(
          try connection.cachedStatement(
            sql: """
              UPDATE "records.tables" SET change = change + 1 WHERE name = ? AND version = ? RETURNING change
              """), arguments: [layout.name, layout.version])
        // A newer program has opened the file meanwhile, and may have indexes that this one does not fill.
        guard let version else { throw RecordStoreError.databaseTooNew(path) }
        // Known before the change is visible. Until the rollback no other process can have this version.
        log.add(table, version: version, keys)
        logged.append((table, version))
      }
      try connection.commit()
    } catch {
      for (table, version) in logged { log.remove(table, version: version) }
      // The log may have the whole transaction, which then is there after a crash. Other errors of this
      // statement come before its last write.
      if let failure = error as? DatabaseError, failure.resultCode == .SQLITE_IOERR {
        throw RecordStoreError.outcomeUnknown("\(SQLiteEngine.storeError(failure))")
      }
      throw error
    }
  }
}
