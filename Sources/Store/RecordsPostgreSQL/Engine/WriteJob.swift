internal import Records
internal import Synchronization

/// A write on a connection.
///
/// A connection that is lost before COMMIT was sent has changed nothing, and the write runs again. If it is
/// lost after that, the transaction's id says whether it was committed (``CommitRecord``).
final class WriteJob<Value: Sendable>: ServerJob {
  let deadline: Deadline
  private let caller: JobCaller<Value>
  private let context: EngineContext
  private let body: @Sendable (any EngineTransaction) -> WriteDecision<Value>
  /// Used by the thread that runs the job.
  private let state = Mutex(State())

  private struct State: Sendable {
    var attempts = 0
    var unresolved: Unresolved?
  }

  /// A transaction whose COMMIT was not answered.
  private struct Unresolved: Sendable {
    let id: Int64
    let value: Value
    let changed: ChangedRows
  }

  /// How an attempt ended.
  private enum Attempt {
    case finished(Result<Value, RecordStoreError>)
    case committed(Value)
    case conflict
    case lost(Unresolved?)
  }

  init(
    _ context: EngineContext, _ deadline: Deadline, _ caller: JobCaller<Value>,
    _ body: @escaping @Sendable (any EngineTransaction) -> WriteDecision<Value>
  ) {
    self.context = context
    self.deadline = deadline
    self.caller = caller
    self.body = body
  }

  func fail(_ error: RecordStoreError) {
    guard let unresolved = state.withLock({ $0.unresolved }) else { return caller.answer(.failure(error)) }
    // It may have been committed.
    context.tracker.add(unresolved.id, unresolved.changed)
    caller.answer(.failure(.outcomeUnknown("\(error)")))
  }

  func run(_ connection: ServerConnection) -> JobStep {
    if let unresolved = state.withLock({ $0.unresolved }) {
      do throws(ServerFailure) {
        if try CommitRecord.isCommitted(unresolved.id, connection, end) {
          context.tracker.add(unresolved.id, unresolved.changed)
          caller.answer(.success(unresolved.value))
          notify(connection)
          return .finished
        }
      } catch {
        if case .lost = error { return .lostConnection }
        fail(.unavailable(error.reason))
        return .finished
      }
      state.withLock { $0.unresolved = nil }
    }
    while true {
      let attempts = state.withLock { state in
        state.attempts += 1
        return state.attempts
      }
      switch attempt(connection) {
      case .finished(let result):
        caller.answer(result)
        return .finished
      case .committed(let value):
        caller.answer(.success(value))
        notify(connection)
        return .finished
      case .lost(let unresolved):
        state.withLock { $0.unresolved = unresolved }
        return .lostConnection
      case .conflict:
        guard attempts < context.attempts, !deadline.hasPassed else {
          caller.answer(.failure(.tooManyRetries(attempts: attempts)))
          return .finished
        }
        Backoff.sleep(milliseconds: Backoff.milliseconds(attempts, first: 2, most: 100))
      }
    }
  }

  private var end: Deadline { deadline.orSooner(after: context.statementTimeout) }

  private func attempt(_ connection: ServerConnection) -> Attempt {
    if let refusal = context.refusalOfWrites { return .finished(.failure(refusal)) }
    let transaction = PostgreSQLTransaction(connection, context, deadline, .write)
    let decision = body(transaction)
    if let failure = transaction.failure { return undo(failure, transaction, connection) }
    switch decision {
    case .commit(let value): return commit(value, transaction, connection)
    case .rollBack(let value):
      rollBack(transaction, connection)
      return .finished(.success(value))
    case .failed(let error):
      rollBack(transaction, connection)
      return .finished(.failure(error))
    }
  }

  private func commit(
    _ value: Value, _ transaction: PostgreSQLTransaction, _ connection: ServerConnection
  ) -> Attempt {
    let changed = transaction.changed
    guard !changed.isEmpty else {
      do throws(ServerFailure) { try transaction.commit(nil) } catch {
        return undo(error, transaction, connection)
      }
      return .finished(.success(value))
    }
    if let refusal = context.refusalOfWrites {
      rollBack(transaction, connection)
      return .finished(.failure(refusal))
    }
    let id = Int64.random(in: .min ... .max)
    context.tracker.expect(id)
    do throws(ServerFailure) {
      try transaction.commit(context.commitRecord.command(id, changed))
    } catch {
      context.tracker.forget(id)
      if case .lost = error { return .lost(Unresolved(id: id, value: value, changed: changed)) }
      if CommitRecord.isRefused(error) {
        rollBack(transaction, connection)
        let refusal = RecordStoreError.databaseTooNew("the database \(context.database)")
        context.set(refusal: refusal)
        return .finished(.failure(refusal))
      }
      return undo(error, transaction, connection)
    }
    context.tracker.add(id, changed)
    return .committed(value)
  }

  /// Rolls back after an error of the server.
  private func undo(
    _ error: ServerFailure, _ transaction: PostgreSQLTransaction, _ connection: ServerConnection
  ) -> Attempt {
    if case .lost = error { return .lost(nil) }
    rollBack(transaction, connection)
    return error.isConflict ? .conflict : .finished(.failure(.unavailable(error.reason)))
  }

  private func rollBack(_ transaction: PostgreSQLTransaction, _ connection: ServerConnection) {
    guard transaction.isBegun else { return }
    // A connection that fails is closed, which rolls back as well.
    do throws(ServerFailure) { try connection.simple("ROLLBACK", end) } catch { connection.close() }
  }

  /// Wakes the listeners of other nodes. Those that hear nothing look by themselves.
  private func notify(_ connection: ServerConnection) {
    guard context.mayNotify() else { return }
    do throws(ServerFailure) { try connection.simple("NOTIFY \(EngineContext.channel)", end) } catch {
      connection.close()
    }
  }
}
