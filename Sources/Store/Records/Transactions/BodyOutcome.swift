package import TokenLifetime

/// Result of a run of a transaction's closure.
package enum BodyOutcome<Value: Sendable, Failure: RecordStoreFailure>: Sendable {
  /// It returned a value: a write is to be committed.
  case value(Value)
  /// It threw its own error: a write is to be rolled back.
  case refused(Failure)
  /// The engine failed: the closure's result does not count.
  case engineFailed(RecordStoreError)
}

/// A store's context for running closures.
package struct BodyRunner: Sendable {
  package let tables: TableSet
  package let damaged: DamagedRows
  /// The clocks of this process's writes.
  let watch: ClockWatch
  /// The number of ``RemovalTable/unlisted``; nil where no rows expire.
  let unlisted: Int?

  package init(tables: TableSet, damaged: DamagedRows, removal: RemovalRule = RemovalRule()) {
    self.tables = tables
    self.damaged = damaged
    watch = ClockWatch(removal)
    unlisted = tables.layouts.firstIndex { $0 === RemovalTable.unlisted.layout }
  }

  /// Runs the closure of a read.
  package func read<Value: Sendable, Failure: RecordStoreFailure>(
    on engine: any EngineTransaction, at now: Timestamp,
    _ body: (ReadTransaction<Failure>) throws(Failure) -> Value
  ) -> BodyOutcome<Value, Failure> {
    run(ReadTransaction<Failure>(on: engine, self, at: now), body)
  }

  /// Runs the closure of a write.
  ///
  /// - Returns: what it came to, and its look at the clock, which ``isCommitted(_:)`` is told.
  func write<Value: Sendable, Failure: RecordStoreFailure>(
    on engine: any EngineTransaction, at now: Timestamp,
    _ body: (WriteTransaction<Failure>) throws(Failure) -> Value
  ) -> (outcome: BodyOutcome<Value, Failure>, look: RemovalLook?) {
    watch.note(now.microseconds)
    let transaction = WriteTransaction<Failure>(on: engine, self, at: now)
    let outcome = run(transaction, body)
    return (outcome, transaction.look)
  }

  /// A write is committed: the clocks are forgotten that it has taken into account, and it is known what it has removed.
  func isCommitted(_ look: RemovalLook?) {
    guard let look else { return }
    watch.forget(until: look.number)
    watch.removed.note(look.positions)
  }

  private func run<Transaction: ReadTransaction<Failure>, Value: Sendable, Failure: RecordStoreFailure>(
    _ transaction: Transaction, _ body: (Transaction) throws(Failure) -> Value
  ) -> BodyOutcome<Value, Failure> {
    defer { transaction.end() }
    do throws(Failure) {
      let value = try body(transaction)
      if let error = transaction.engineError { return .engineFailed(error) }
      return .value(value)
    } catch {
      // The closure may have thrown because the engine failed.
      if let failed = transaction.engineError { return .engineFailed(failed) }
      return .refused(error)
    }
  }
}

extension BodyOutcome {
  /// The value, or the error to throw.
  package func get() throws(Failure) -> Value {
    switch self {
    case .value(let value): return value
    case .refused(let error): throw error
    case .engineFailed(let error): throw Failure(error)
    }
  }
}
