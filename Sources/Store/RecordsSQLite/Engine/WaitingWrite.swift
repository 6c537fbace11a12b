internal import Records
internal import Synchronization

/// A write that waits for its group.
protocol WaitingWrite: Sendable {
  /// Runs the closure.
  func run(_ transaction: SQLiteTransaction) -> WriteEffect
  /// Answers the caller: with what the closure decided, or with the error of the group.
  func finish(_ error: RecordStoreError?)
}

/// The effect of a write.
enum WriteEffect: Sendable {
  case commit
  case rollBack
  case failed(RecordStoreError)
}

/// A write with the type of its result.
final class TypedWrite<Value: Sendable>: WaitingWrite {
  typealias Continuation = CheckedContinuation<Result<Value, RecordStoreError>, Never>

  private let body: @Sendable (any EngineTransaction) -> WriteDecision<Value>
  private let continuation: Continuation
  private let decision = Mutex<WriteDecision<Value>?>(nil)

  init(
    _ body: @escaping @Sendable (any EngineTransaction) -> WriteDecision<Value>, _ continuation: Continuation
  ) {
    self.body = body
    self.continuation = continuation
  }

  func run(_ transaction: SQLiteTransaction) -> WriteEffect {
    let decided = body(transaction)
    decision.withLock { $0 = decided }
    return switch decided {
    case .commit: .commit
    case .rollBack: .rollBack
    case .failed(let error): .failed(error)
    }
  }

  func finish(_ error: RecordStoreError?) {
    let result: Result<Value, RecordStoreError> =
      switch decision.withLock({ $0 }) {
      // A refusal may rest on what other writes of the group had changed.
      case .some(.rollBack(let value)): error.map { .failure($0) } ?? .success(value)
      case .some(.commit(let value)): error.map { .failure($0) } ?? .success(value)
      case .some(.failed(let reason)): .failure(reason)
      case nil: .failure(error ?? .closed)
      }
    continuation.resume(returning: result)
  }
}
