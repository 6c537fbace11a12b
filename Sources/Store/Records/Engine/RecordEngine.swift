/// A database under a store: memory, SQLite or PostgreSQL.
package protocol RecordEngine: Sendable {
  /// Runs `body` on one state of the database.
  nonisolated(nonsending) func read<Result: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> Result
  ) async throws(RecordStoreError) -> Result

  /// Runs `body` in a serializable transaction, again after a conflict with other transactions, and returns
  /// when its changes are durable.
  nonisolated(nonsending) func write<Result: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> WriteDecision<Result>
  ) async throws(RecordStoreError) -> Result

  /// Whether nodes on several machines may use the database.
  var isShared: Bool { get }

  /// Reports changes to caches.
  var changes: any ChangeSource { get }

  /// Finishes running transactions and closes the database.
  nonisolated(nonsending) func close() async throws(RecordStoreError)
}

/// The decision on a write after its closure has run.
package enum WriteDecision<Result: Sendable>: Sendable {
  /// Its changes are stored.
  case commit(Result)
  /// Nothing is stored.
  case rollBack(Result)
  /// The engine failed. Nothing is stored.
  case failed(RecordStoreError)
}
