internal import CognitoUserPool
internal import Synchronization

@testable internal import Records

/// An engine in memory whose writes fail as a test says, while reads work. It counts commits.
final class FailingEngine: RecordEngine {
  /// How writes fail.
  enum Failure: Sendable {
    /// The changes of the rules are not stored, as on a full disk. A write that changes nothing works.
    case atCommit(RecordStoreError)
    /// No write begins, as while too many wait, or on a node without its heartbeat.
    case atOnce(RecordStoreError)

    var error: RecordStoreError {
      switch self {
      case .atCommit(let error), .atOnce(let error): error
      }
    }
  }

  private let engine: MemoryEngine
  private let state = Mutex<(failure: Failure?, commits: Int)>((nil, 0))

  private init(_ tables: TableSet) { engine = MemoryEngine(tables) }

  /// An engine and a store over it.
  static func make() throws -> (FailingEngine, any RecordStore) {
    let tables = try TableSet(UserPoolTables.all)
    let engine = FailingEngine(tables)
    return (
      engine, EngineStore(engine, tables, cacheSize: 0, removal: RemovalRule(), onDamagedRow: { _, _ in })
    )
  }

  /// Lets writes fail from now on; nil lets them work again.
  func fail(_ failure: Failure?) { state.withLock { $0.failure = failure } }

  /// The transactions so far that have changed something.
  var commits: Int { state.withLock { $0.commits } }

  var changes: any ChangeSource { engine.changes }
  var isShared: Bool { engine.isShared }

  nonisolated(nonsending) func read<Result: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> Result
  ) async throws(RecordStoreError) -> Result {
    try await engine.read(body)
  }

  nonisolated(nonsending) func write<Result: Sendable>(
    _ body: @escaping @Sendable (any EngineTransaction) -> WriteDecision<Result>
  ) async throws(RecordStoreError) -> Result {
    let failure = state.withLock { $0.failure }
    if case .atOnce(let error)? = failure { throw error }
    return try await engine.write { transaction in
      let decision = body(transaction)
      guard case .commit = decision, (transaction as? MemoryTransaction)?.changed.isEmpty == false else {
        return decision
      }
      if let failure { return .failed(failure.error) }
      self.state.withLock { $0.commits += 1 }
      return decision
    }
  }

  nonisolated(nonsending) func close() async throws(RecordStoreError) { try await engine.close() }
}
