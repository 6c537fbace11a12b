internal import Synchronization

/// Rows in memory. Reads have snapshots; writes are serial.
package final class MemoryEngine: RecordEngine, ChangeSource {
  private let layouts: [TableLayout]
  private let state: Mutex<MemoryState?>
  /// Locked while a write runs.
  private let writing = Mutex(())
  private let log: ChangeLog
  private let visited = Atomic<Int>(0)

  package init(_ tables: TableSet) {
    layouts = tables.layouts
    log = ChangeLog(tables: layouts.count)
    state = Mutex(
      MemoryState(
        tables: layouts.map { MemoryTable(indexes: $0.indexes.count) },
        versions: TableVersions(Array(repeating: 0, count: layouts.count))))
  }

  package var changes: any ChangeSource { self }
  package let isExact = true
  package let isShared = false

  private func snapshot() throws(RecordStoreError) -> MemoryState {
    guard let snapshot = state.withLock({ $0 }) else { throw .closed }
    return snapshot
  }

  package nonisolated(nonsending) func read<Result: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> Result
  ) async throws(RecordStoreError) -> Result {
    let transaction = MemoryTransaction(try snapshot().tables, layouts)
    defer { note(transaction) }
    return body(transaction)
  }

  package nonisolated(nonsending) func write<Result: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> WriteDecision<Result>
  ) async throws(RecordStoreError) -> Result {
    try writing.withLock { _ throws(RecordStoreError) in
      let before = try snapshot()
      let transaction = MemoryTransaction(before.tables, layouts)
      defer { note(transaction) }
      switch body(transaction) {
      case .commit(let result):
        publish(transaction, before.versions)
        return result
      case .rollBack(let result): return result
      case .failed(let error): throw error
      }
    }
  }

  /// The entries of tables and indexes that reads in order have looked at, for tests of their cost.
  package var visitedEntries: Int { visited.load(ordering: .relaxed) }

  private func note(_ transaction: MemoryTransaction) {
    visited.add(transaction.visited, ordering: .relaxed)
  }

  private func publish(_ transaction: MemoryTransaction, _ versions: TableVersions) {
    guard !transaction.changed.isEmpty else { return }
    var numbers = versions.numbers
    for (table, keys) in transaction.changed.tables {
      numbers[table] += 1
      log.add(table, version: numbers[table], keys)
    }
    let after = MemoryState(tables: transaction.tables, versions: TableVersions(numbers))
    state.withLock { if $0 != nil { $0 = after } }
  }

  package func versions() throws(RecordStoreError) -> TableVersions? { try snapshot().versions }

  package func keys(of table: Int, version: Int64) -> [RecordKey]? { log.keys(of: table, version: version) }

  package nonisolated(nonsending) func close() async throws(RecordStoreError) { state.withLock { $0 = nil } }
}
