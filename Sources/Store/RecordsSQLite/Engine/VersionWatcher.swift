internal import GRDB
internal import GRDBSQLite
internal import Records
internal import Synchronization

/// A connection that shows whether another one has committed, of this process or of another.
///
/// One thread at a time uses it: each use of the connection has the lock. Every read of the store asks, so the
/// question goes to SQLite directly. GRDB's queue and cursor would take three times as long as the answer.
final class VersionWatcher: Sendable {
  private let queue: DatabaseQueue
  private let state: Mutex<State>

  private struct State: Sendable {
    /// Nil once the connection is closed.
    var question: Question?
    /// The last answer whose versions were read, and these versions.
    var last: (commits: Int64, versions: TableVersions)?
  }

  init(path: String, _ configuration: Configuration) throws {
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    self.queue = queue
    state = Mutex(State(question: try queue.unsafeRead { try Question($0) }, last: nil))
  }

  /// Returns the same as the last call if there was no commit since, otherwise what `load` reads. Nil where
  /// another thread uses the connection, unless the call is to wait for it.
  func versions(waits: Bool, _ load: (Database) throws -> TableVersions) throws -> TableVersions? {
    func answer(_ state: inout State) throws -> TableVersions {
      guard let question = state.question else { throw RecordStoreError.closed }
      let commits = try question.ask()
      if let last = state.last, last.commits == commits { return last.versions }
      let versions = try queue.unsafeRead(load)
      state.last = (commits, versions)
      return versions
    }
    return waits ? try state.withLock { try answer(&$0) } : try state.withLockIfAvailable { try answer(&$0) }
  }

  func close() throws {
    state.withLock { $0.question = nil }
    try queue.close()
  }
}

/// `PRAGMA data_version`, prepared.
private struct Question: @unchecked Sendable {
  // Sound: the watcher's lock is held wherever the statement is used, and where the last reference to it ends.
  private let statement: Statement

  init(_ connection: Database) throws {
    statement = try connection.makeStatement(sql: "PRAGMA data_version")
  }

  /// A number that changes with each commit of another connection.
  func ask() throws -> Int64 {
    // Sound: `statement` owns the pointer, and its connection is open until `question` is nil.
    let pointer = unsafe statement.sqliteStatement
    defer { unsafe sqlite3_reset(pointer) }
    let code = unsafe sqlite3_step(pointer)
    guard code == SQLITE_ROW else { throw DatabaseError(resultCode: .init(rawValue: code)) }
    return unsafe sqlite3_column_int64(pointer, 0)
  }
}
