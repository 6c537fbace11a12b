public import TokenLifetime

/// Reads within a transaction. All reads see one state of the store.
///
/// Calls throw the type of errors that the transaction's closure throws. Expired rows are never returned. A
/// row that cannot be read is left out of lists; a call for that row alone throws `rowDamaged` or
/// `rowTooNew`.
public class ReadTransaction<Failure: RecordStoreFailure> {
  /// The time at which rows are live or expired.
  public let now: Timestamp
  let microseconds: Int64
  let engine: any EngineTransaction
  let runner: BodyRunner
  /// False once the transaction has ended or the engine has failed.
  fileprivate var isOpen = true
  fileprivate var failure: RecordStoreError?

  package init(on engine: any EngineTransaction, _ runner: BodyRunner, at now: Timestamp) {
    self.engine = engine
    self.runner = runner
    self.now = now
    microseconds = now.microseconds
  }

  /// The engine's first error, after which the transaction can only fail.
  package final var engineError: RecordStoreError? { failure }

  /// Later calls fail.
  package final func end() {
    isOpen = false
    failure = nil
  }

  /// Calls `body` and converts its errors.
  final func attempt<Value>(
    _ body: () throws(RecordStoreError) -> Value
  ) throws(Failure) -> Value {
    do throws(RecordStoreError) { return try body() } catch { throw Failure(error) }
  }

  /// Calls the engine, unless the transaction has ended or failed.
  @inline(__always)
  final func callEngine<Value>(
    _ call: (any EngineTransaction) throws(RecordStoreError) -> Value
  ) throws(RecordStoreError) -> Value {
    guard isOpen else { throw failure ?? .transactionEnded }
    do throws(RecordStoreError) { return try call(engine) } catch {
      isOpen = false
      failure = error
      throw error
    }
  }

  final func number<Row>(of table: Table<Row>) throws(RecordStoreError) -> Int {
    try runner.tables.number(of: table.layout)
  }

  /// The live row of a key.
  final func live(_ table: TableLayout, _ key: RecordKey) throws(RecordStoreError) -> StoredRow? {
    let number = try runner.tables.number(of: table)
    // No row has a longer key.
    guard key.bytes.count <= RecordLimits.key else { return nil }
    let row = try callEngine { engine throws(RecordStoreError) in try engine.row(number, key) }
    guard let row, row.isLive(at: microseconds) else { return nil }
    return row
  }

  final func value<Row>(
    of table: Table<Row>, _ row: StoredRow, _ key: RecordKey
  ) throws(RecordStoreError) -> Row {
    do throws(RecordStoreError) { return try table.value(of: row, key: key) } catch {
      runner.damaged.add(table.name, key)
      throw error
    }
  }

  // MARK: One row

  /// Returns the row of a key.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - key: the key.
  /// - Returns: the row; nil if not found.
  /// - Throws: the failure of the store, or of reading the row.
  public final func get<Row>(_ table: Table<Row>, _ key: RecordKey) throws(Failure) -> Row? {
    do throws(RecordStoreError) {
      guard let row = try live(table.layout, key) else { return nil }
      return try value(of: table, row, key)
    } catch {
      throw Failure(error)
    }
  }

  /// Returns the row with a value in a unique index.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - index: one of its unique indexes.
  ///   - value: the value.
  /// - Returns: the row; nil if not found.
  /// - Throws: the failure of the store, or of reading the row.
  public final func get<Row>(
    _ table: Table<Row>, by index: Index<Row>, _ value: RecordKey
  ) throws(Failure) -> Row? {
    do throws(RecordStoreError) {
      let (number, indexNumber) = (try number(of: table), try table.number(of: index))
      guard index.layout.isUnique else {
        throw .tableRefused(table: table.name, reason: "the index \(index.layout.name) is not unique")
      }
      guard value.bytes.count <= RecordLimits.key else { return nil }
      let found = try callEngine { engine throws(RecordStoreError) in
        try engine.entry(number, index: indexNumber, value)
      }
      guard let found, found.row.isLive(at: microseconds) else { return nil }
      return try self.value(of: table, found.row, found.key)
    } catch {
      throw Failure(error)
    }
  }

  /// Returns true if a key has a row, even one that cannot be read.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - key: the key.
  /// - Returns: whether there is a row.
  /// - Throws: the failure of the store.
  public final func contains<Row>(_ table: Table<Row>, _ key: RecordKey) throws(Failure) -> Bool {
    try attempt { () throws(RecordStoreError) in try live(table.layout, key) != nil }
  }

  /// Returns the row of a key, and a stamp with which a later transaction can find out whether it changed.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - key: the key.
  /// - Returns: the row and its stamp; nil if not found.
  /// - Throws: the failure of the store, or of reading the row.
  public final func stamped<Row>(
    _ table: Table<Row>, _ key: RecordKey
  ) throws(Failure) -> StampedRow<Row>? {
    try attempt { () throws(RecordStoreError) in
      guard let row = try live(table.layout, key) else { return nil }
      return StampedRow(row: try value(of: table, row, key), stamp: RowStamp(key: key, row: row))
    }
  }
}

extension WriteTransaction {
  /// Calls a closure with this transaction for rules whose errors have another type.
  ///
  /// - Parameter body: what is done. The transaction that it gets ends with it.
  /// - Returns: what the closure returned.
  /// - Throws: the errors of the closure.
  package func sharing<Other: RecordStoreFailure, Value>(
    _ body: (WriteTransaction<Other>) throws(Other) -> Value
  ) throws(Other) -> Value {
    let other = WriteTransaction<Other>(on: engine, runner, at: now)
    defer {
      if let error = other.failure {
        isOpen = false
        failure = error
      }
      other.end()
    }
    return try body(other)
  }
}
