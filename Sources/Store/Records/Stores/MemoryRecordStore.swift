public import TokenLifetime

/// A store in memory, for tests and demonstrations.
public final class MemoryRecordStore: RecordStore {
  private let store: EngineStore<MemoryEngine>

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

  /// False: the store is of this process.
  public var isShared: Bool { store.isShared }

  /// Reads one state of the store.
  public nonisolated(nonsending) func read<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp = .now, _ freshness: ReadFreshness = .cached,
    _ body: @escaping @Sendable (ReadTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await store.read(at: now, freshness, body)
  }

  /// Changes the store in one transaction.
  @discardableResult
  public nonisolated(nonsending) func write<Value: Sendable, Failure: RecordStoreFailure>(
    at now: Timestamp = .now,
    _ body: @escaping @Sendable (WriteTransaction<Failure>) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await store.write(at: now, body)
  }

  /// Closes the store. Its rows are gone.
  public nonisolated(nonsending) func close() async throws(RecordStoreError) { try await store.close() }
}
