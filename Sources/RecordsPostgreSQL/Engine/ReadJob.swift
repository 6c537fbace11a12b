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
    let end = deadline.orSooner(after: context.statementTimeout)
    do throws(ServerFailure) {
      try connection.simple("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", end)
      let transaction = PostgreSQLTransaction(connection, context, deadline)
      let value = body(transaction)
      if let failure = transaction.failure { throw failure }
      // What was read is valid even if this fails.
      _ = try? connection.simple("COMMIT", deadline.orSooner(after: context.statementTimeout))
      caller.answer(.success(value))
      return .finished
    } catch {
      if case .lost = error { return .lostConnection }
      _ = try? connection.simple("ROLLBACK", deadline.orSooner(after: context.statementTimeout))
      caller.answer(.failure(.unavailable(error.reason)))
      return .finished
    }
  }
}
