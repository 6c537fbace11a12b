public import Records

/// A store in a PostgreSQL database, which any number of nodes use at once.
///
///     let settings = try PostgreSQLSettings(
///       url: "postgresql://service@db.example.com/records", password: .file("/run/secrets/database"))
///     let store = try await PostgreSQLRecordStore(settings, tables: [Login.table])
///
/// Writes are serializable across all nodes, and run again after conflicts. A write that has returned is on
/// the server's disk. A connection that is lost while a write is committed is an unknown outcome; it is
/// resolved by asking the server, and only if that fails within the time limit the call throws
/// `outcomeUnknown`.
///
/// The clock of this machine must be within a minute of the server's: with another one the store does not open, and one
/// that is open refuses all calls (`clockDiffers`) until the clocks agree again.
///
/// Cached rows are outdated by two seconds at most. A read that uses several of them may see rows of
/// different moments within that time; `ReadFreshness.fresh` reads one state of the database.
public final class PostgreSQLRecordStore: StoreWrapper {
  private let store: EngineStore<PostgreSQLEngine>
  package var wrapped: any RecordStore { store }

  /// Connects to a database, and makes the tables that it lacks.
  ///
  /// - Parameters:
  ///   - settings: where the database is.
  ///   - tables: the tables.
  ///   - makesDatabase: false where an empty database is refused (`databaseEmpty`). Default: true.
  ///   - migrates: false where a database that lacks tables, or has older versions of them, is refused
  ///     (`databaseTooOld`). Default: true.
  ///   - cacheSize: the most bytes of cached rows; 0 for none. Default: 64 MiB.
  ///   - onDamagedRow: called once for each row that cannot be read, with its table and key. Default:
  ///     nothing.
  /// - Throws: `unavailable`, `databaseForeign`, `databaseEmpty`, `databaseTooNew`, `databaseTooOld`, `tableRefused`,
  ///   `clockDiffers`.
  public convenience init(
    _ settings: PostgreSQLSettings, tables: [any DeclaredTable], makesDatabase: Bool = true,
    migrates: Bool = true, cacheSize: Int = 64 << 20,
    onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void = { _, _ in }
  ) async throws(RecordStoreError) {
    try await self.init(
      settings, tables: tables, makesDatabase: makesDatabase, migrates: migrates, cacheSize: cacheSize,
      removal: RemovalRule(), onDamagedRow: onDamagedRow)
  }

  /// The same with another rule for ended rows, for tests.
  package init(
    _ settings: PostgreSQLSettings, tables: [any DeclaredTable], makesDatabase: Bool = true,
    migrates: Bool = true, cacheSize: Int = 64 << 20, removal: RemovalRule,
    onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void = { _, _ in }
  ) async throws(RecordStoreError) {
    let tables = RemovalTable.added(to: tables)
    let set = try TableSet(tables)
    let engine = try await PostgreSQLEngine(
      settings, tables: tables, makesDatabase: makesDatabase, migrates: migrates)
    store = EngineStore(
      engine, set, cacheSize: cacheSize, removal: removal, onDamagedRow: onDamagedRow)
  }

  /// The estimated bytes of cached rows.
  package var cachedBytes: Int { store.cachedBytes }
}
