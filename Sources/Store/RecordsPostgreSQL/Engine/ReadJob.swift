internal import Records

/// A read on a connection.
final class ReadJob<Value: Sendable>: ServerJob {
  let deadline: Deadline
  private let caller: JobCaller<Value>
  private let context: EngineContext
  private let body: @Sendable (any EngineTransaction) -> Value

  init(
    _ context: EngineContext, _ deadline: Deadline, _ caller: JobCaller<Value>,
    _ body: @escaping @Sendable (any EngineTransaction) -> Value
  ) {
    self.context = context
    self.deadline = deadline
    self.caller = caller
    self.body = body
  }

  func fail(_ error: RecordStoreError) { caller.answer(.failure(error)) }

  func run(_ connection: ServerConnection) -> JobStep {
    // Where rows changed between the first two statements, the second attempt sees one state.
    for start in [PostgreSQLTransaction.Start.single, .read] {
      let transaction = PostgreSQLTransaction(connection, context, deadline, start)
      let value = body(transaction)
      if case .lost = transaction.failure { return .lostConnection }
      let isRepeated = start == .single && transaction.failure?.isConflict == true
      if !isRepeated {
        // The value that was read is valid, whatever becomes of the end of the transaction.
        caller.answer(transaction.failure.map { .failure(.unavailable($0.reason)) } ?? .success(value))
      }
      if transaction.isBegun {
        let end = deadline.orSooner(after: context.statementTimeout)
        do throws(ServerFailure) { try connection.simple("ROLLBACK", end) } catch { connection.close() }
      }
      guard isRepeated else { break }
      guard connection.isOpen else { return .lostConnection }
    }
    return .finished
  }
}
