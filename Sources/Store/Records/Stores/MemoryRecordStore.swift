/// A store in memory, for tests and demonstrations.
public final class MemoryRecordStore: StoreWrapper {
  private let store: EngineStore<MemoryEngine>
  package var wrapped: any RecordStore { store }

  /// An empty store.
  ///
  /// - Parameters:
  ///   - tables: the tables.
  ///   - onDamagedRow: called once for each row that cannot be read, with its table and key. Default:
  ///     nothing.
  /// - Throws: `tableRefused`.
  public convenience init(
    tables: [any DeclaredTable],
    onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void = { _, _ in }
  ) throws(RecordStoreError) {
    try self.init(tables: tables, cacheSize: 0, onDamagedRow: onDamagedRow)
  }

  /// A store with a cache, and with another rule for ended rows, for tests of both.
  package init(
    tables: [any DeclaredTable], cacheSize: Int, removal: RemovalRule = RemovalRule(),
    onDamagedRow: @escaping @Sendable (String, RecordKey) -> Void = { _, _ in }
  ) throws(RecordStoreError) {
    let tables = try TableSet(RemovalTable.added(to: tables))
    store = EngineStore(
      MemoryEngine(tables), tables, cacheSize: cacheSize, removal: removal, onDamagedRow: onDamagedRow)
  }

  /// The entries of tables and indexes that reads in order have looked at.
  package var visitedEntries: Int { store.engine.visitedEntries }
}
