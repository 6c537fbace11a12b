public import Records

/// A store in an SQLite file with a write-ahead log.
///
///     let store = try SQLiteRecordStore(path: "/var/lib/service/records.sqlite", tables: [Login.table])
///
/// A write that has returned is on the disk (`synchronous = FULL`): it survives a crash and a power failure.
/// Several processes may use one file.
///
/// Until `close()` the newest changes are in the log, `records.sqlite-wal`; a copy of the database file
/// alone lacks them. ``backUp(to:)`` makes a complete copy at any time.
public final class SQLiteRecordStore: StoreWrapper {
  private let store: EngineStore<SQLiteEngine>
  package var wrapped: any RecordStore { store }

  /// Opens a database, and adds tables and indexes that it lacks.
  ///
  /// - Parameters:
  ///   - path: the file. It and its folder must belong to this user, and no other user may write to them.
  ///   - tables: the tables.
  ///   - readers: the most concurrent reads. Default: 8.
  ///   - makesFile: whether to make the file if it does not exist. Default: yes.
  ///   - migrates: false where a file that lacks tables, or has older versions of them, is refused
  ///     (`databaseTooOld`). Default: true.
  ///   - cacheSize: the most bytes of cached rows; 0 for none. Default: 64 MiB.
  ///   - onDamagedRow: called once for each row that cannot be read, with its table and key. Default:
  ///     nothing.
  /// - Throws: `fileRefused`, `databaseForeign`, `databaseTooNew`, `databaseTooOld`, `tableRefused`,
  ///   `unavailable`.
  public convenience init(
    path: String, tables: [any DeclaredTable], readers: Int = 8, makesFile: Bool = true,
    migrates: Bool = true, cacheSize: Int = 64 << 20,
    onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void = { _, _ in }
  ) throws(RecordStoreError) {
    try self.init(
      path: path, tables: tables, readers: readers, makesFile: makesFile, migrates: migrates,
      cacheSize: cacheSize, removal: RemovalRule(), onDamagedRow: onDamagedRow)
  }

  /// The same with another rule for ended rows, for tests.
  package init(
    path: String, tables: [any DeclaredTable], readers: Int = 8, makesFile: Bool = true,
    migrates: Bool = true, cacheSize: Int = 64 << 20, removal: RemovalRule,
    onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void = { _, _ in }
  ) throws(RecordStoreError) {
    let tables = RemovalTable.added(to: tables)
    let set = try TableSet(tables)
    let engine = try SQLiteEngine(
      path: path, readers: max(1, readers), makesFile: makesFile, migrates: migrates, tables: tables)
    store = EngineStore(
      engine, set, cacheSize: cacheSize, removal: removal, onDamagedRow: onDamagedRow)
  }

  /// Copies the database to a new file, consistently while it is in use. When this returns, the copy is on
  /// the disk.
  ///
  /// - Parameter path: a file that does not exist, in a folder that only this user can write.
  /// - Throws: `fileRefused`, `unavailable`.
  public func backUp(to path: String) throws(RecordStoreError) { try store.engine.backUp(to: path) }

  /// Reads the whole database and checks its pages, its indexes and the references between its tables.
  ///
  /// - Throws: `fileRefused` with the first problem, `unavailable`.
  public func checkIntegrity() throws(RecordStoreError) { try store.engine.checkIntegrity() }

  /// Rewrites the database without free pages, which may have rows that were replaced or removed.
  ///
  /// - Throws: `unavailable`.
  public func compact() throws(RecordStoreError) { try store.engine.compact() }

  /// The writing connection's `PRAGMA synchronous`: 2 is FULL.
  package func synchronousLevel() throws(RecordStoreError) -> Int64? {
    try store.engine.synchronousLevel()
  }

  /// The estimated bytes of cached rows.
  package var cachedBytes: Int { store.cachedBytes }
}
