public import CognitoIdentity
internal import Foundation
internal import GRDB

/// A store in an SQLite file with a write-ahead log.
///
///     let store = try SQLiteIdentityStore(path: "/var/lib/identity/identities.sqlite")
///
/// A write that has returned is on the disk (`synchronous = FULL`): it survives a crash and a power failure.
/// Several processes may use one file.
///
/// Until ``close()`` the newest changes are in the log, `identities.sqlite-wal`; a copy of the database file
/// alone lacks them. `sqlite3 identities.sqlite ".backup copy.sqlite"` makes a complete copy at any time.
public final class SQLiteIdentityStore: IdentityStore {
  private let database: DatabasePool
  private let watch: ChangeCounter
  private let cache = RowCache()
  private let broken: BrokenRows

  /// Opens a database.
  ///
  /// - Parameters:
  ///   - path: the file. It and its folder must belong to this user, and no other user may write to them.
  ///   - readers: the most concurrent reads. Default: 8.
  ///   - makesFile: whether to make the file if it does not exist. Default: yes.
  ///   - onBrokenRow: called once for each row that cannot be read, with its table and id. Lists leave such
  ///     rows out.
  /// - Throws: `storeFailed`.
  public init(
    path: String, readers: Int = 8, makesFile: Bool = true,
    onBrokenRow: @escaping @Sendable (_ table: String, _ id: String) -> Void = { _, _ in }
  ) throws(IdentityError) {
    broken = BrokenRows(onBrokenRow)
    var configuration = Configuration()
    configuration.label = "identities"
    configuration.maximumReaderCount = readers
    configuration.busyMode = .timeout(10)
    configuration.foreignKeysEnabled = true
    do {
      try DatabaseFile.prepare(path, makesFile: makesFile, configuration)
      database = try DatabasePool(path: path, configuration: configuration)
      try database.writeWithoutTransaction { connection in
        // The pool's initializer has set NORMAL, with which commits are not synced.
        try connection.execute(sql: "PRAGMA synchronous = FULL")
        try DatabaseFile.checkTables(connection, path)
      }
      try Schema.migrator.migrate(database)
      watch = try ChangeCounter(path: path, configuration: configuration, connections: readers)
    } catch {
      throw Self.storeError(error)
    }
    PrivateFiles.removeDrafts(of: path)
  }

  deinit {
    // The writing connection last: read-only connections cannot write the log back.
    try? watch.close()
    database.releaseMemory()
    try? database.close()
  }

  /// Reads the store, from the cache where possible.
  public func read<R: Sendable>(
    _ body: @Sendable (any IdentityReading) throws(IdentityError) -> R
  ) throws(IdentityError) -> R {
    do {
      let version = try watch.count()
      let cached = CachedRows(cache, version)
      let result = Result { () throws(IdentityError) -> R in try body(cached) }
      if !cached.isIncomplete { return try result.get() }
      let broken = broken
      let (value, recorded) = try database.read { connection in
        let rows = RecordingRows(Rows(connection, broken))
        let result = Result { () throws(IdentityError) -> R in try body(rows) }
        return (result, rows.recorded)
      }
      // Rows that were read while the file changed may be of two versions.
      if try watch.count() == version { cache.insert(version, recorded) }
      return try value.get()
    } catch {
      throw Self.storeError(error)
    }
  }

  /// Changes the store in one transaction. When this returns, the change is on the disk.
  public func write<R: Sendable>(
    _ body: @escaping @Sendable (any IdentityWriting) throws(IdentityError) -> R
  ) async throws(IdentityError) -> R {
    let broken = broken
    do { return try await database.write { try body(Rows($0, broken)) } } catch {
      throw Self.storeError(error)
    }
  }

  /// Writes the log back into the file and closes it. Later calls fail.
  ///
  /// The log remains while another process uses the file.
  ///
  /// - Throws: `storeFailed` where the log cannot be written back. The log then remains, and no change is
  ///   lost.
  public func close() throws(IdentityError) {
    let database = database
    let outcome = Result { try database.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
    do {
      try watch.close()
      // Reading connections first: the last connection removes the log and must be able to write.
      database.releaseMemory()
      try database.close()
      _ = try outcome.get()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return
    } catch {
      throw Self.storeError(error)
    }
  }

  /// The writing connection's `PRAGMA synchronous`: 2 is FULL.
  package func synchronousLevel() throws(IdentityError) -> Int64? {
    do {
      return try database.writeWithoutTransaction { try Int64.fetchOne($0, sql: "PRAGMA synchronous") }
    } catch {
      throw Self.storeError(error)
    }
  }

  /// The estimated bytes of cached rows.
  package var cachedBytes: Int { cache.bytes }

  /// Converts an error. SQLite's messages name tables and columns but no values.
  static func storeError(_ error: any Error) -> IdentityError {
    switch error {
    case let error as IdentityError: error
    case let error as DatabaseError:
      .storeFailed("SQLite \(error.resultCode.rawValue): \(error.message ?? "no reason given")")
    case is CancellationError: .storeFailed("the call was cancelled")
    default: .storeFailed("\(type(of: error))")
    }
  }
}
