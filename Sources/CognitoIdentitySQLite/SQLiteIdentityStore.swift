public import CognitoIdentity
internal import Foundation
internal import GRDB

/// A store in one SQLite file, with its write-ahead log beside it.
///
///     let store = try SQLiteIdentityStore(path: "/var/lib/identity/identities.sqlite")
///
/// An acknowledged change is on the disk (`synchronous = FULL`): it survives the end of the process and the loss of power,
/// and is never there in part. Several processes may use one file.
///
/// The newest changes are in the log, `identities.sqlite-wal`, until ``close()``: a copy of the database file alone lacks
/// them. `sqlite3 identities.sqlite ".backup copy.sqlite"` makes a complete copy at any time.
public final class SQLiteIdentityStore: IdentityStore {
  private let database: DatabasePool
  private let watch: ChangeCounter
  private let cache = RowCache()
  private let broken: BrokenRows

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - path: where the file is. It and its folder must belong to this user, and no other user may write to them.
  ///   - readers: how many may read at a time.
  ///   - makesFile: whether the file is made where there is none.
  ///   - onBrokenRow: called with the table and the id of a row that cannot be read and that lists leave out; once for
  ///     each row.
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
        // After the pool is made: its initializer sets NORMAL, with which a commit is not synced.
        try connection.execute(sql: "PRAGMA synchronous = FULL")
        try DatabaseFile.checkTables(connection, path)
      }
      try Schema.migrator.migrate(database)
      watch = try ChangeCounter(path: path, configuration: configuration, connections: readers)
    } catch {
      throw Self.fault(error)
    }
    PrivateFiles.removeDrafts(of: path)
  }

  deinit {
    // The writing connection last: one that only reads cannot write the log back.
    try? watch.close()
    database.releaseMemory()
    try? database.close()
  }

  public func read<R: Sendable>(
    _ body: @Sendable (any IdentityReading) throws(IdentityError) -> R
  ) throws(IdentityError) -> R {
    do {
      let version = try watch.count()
      let held = HeldRows(cache, version)
      let result = Result { () throws(IdentityError) -> R in try body(held) }
      if !held.isIncomplete { return try result.get() }
      let broken = broken
      let (value, notes) = try database.read { connection in
        let noting = NotingRows(Rows(connection, broken))
        let result = Result { () throws(IdentityError) -> R in try body(noting) }
        return (result, noting.notes)
      }
      // What was changed in the meantime was perhaps read in part.
      if try watch.count() == version { cache.hold(version, notes) }
      return try value.get()
    } catch {
      throw Self.fault(error)
    }
  }

  public func write<R: Sendable>(
    _ body: @escaping @Sendable (any IdentityWriting) throws(IdentityError) -> R
  ) async throws(IdentityError) -> R {
    let broken = broken
    do { return try await database.write { try body(Rows($0, broken)) } } catch { throw Self.fault(error) }
  }

  /// Writes the log back into the file and closes it. Later calls fail.
  ///
  /// Where another process uses the file, its part of the log stays until that process closes it.
  ///
  /// - Throws: `storeFailed` where the log cannot be written back; it is kept then, and nothing is lost.
  public func close() throws(IdentityError) {
    let database = database
    let outcome = Result { try database.writeWithoutTransaction { try $0.checkpoint(.truncate) } }
    do {
      try watch.close()
      // The reading connections first: the last one to close removes the log, and must be able to write.
      database.releaseMemory()
      try database.close()
      _ = try outcome.get()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return
    } catch {
      throw Self.fault(error)
    }
  }

  /// The writing connection's `PRAGMA synchronous`: 2 is FULL.
  package func synchronousLevel() throws(IdentityError) -> Int64 {
    do {
      return try database.writeWithoutTransaction { try Int64.fetchOne($0, sql: "PRAGMA synchronous") ?? -1 }
    } catch {
      throw Self.fault(error)
    }
  }

  /// The bytes that cached rows take, as they are counted.
  package var cachedBytes: Int { cache.bytes }

  /// A fault in words without values: what is in the rows is not shown.
  static func fault(_ error: any Error) -> IdentityError {
    switch error {
    case let error as IdentityError: error
    case let error as DatabaseError:
      .storeFailed("SQLite \(error.resultCode.rawValue): \(error.message ?? "no reason given")")
    case is CancellationError: .storeFailed("the call was cancelled")
    default: .storeFailed("\(type(of: error))")
    }
  }
}
