/// Reads and writes within a serializable transaction. A read sees the transaction's own writes.
public final class WriteTransaction<Failure: RecordStoreFailure>: ReadTransaction<Failure> {
  /// The result of this transaction's look at the clock.
  var look: RemovalLook?
  /// True where a call of ``removeExpired(from:limit:)`` has reached its limit, so that another transaction should go on.
  public internal(set) var hasMoreExpired = false

  /// Adds a row, or replaces the one with its key.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - table: the table.
  /// - Throws: `uniqueViolated`, `keyTooLong`, `rowTooLarge`, `rowRefused`, or the failure of the store.
  public func put<Row>(_ row: Row, in table: Table<Row>) throws(Failure) {
    try attempt { () throws(RecordStoreError) in try write(row, table, table.checkedKey(of: row)) }
  }

  /// Adds a row, unless its key has one already.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - table: the table.
  /// - Returns: true if it was added.
  /// - Throws: as ``put(_:in:)``.
  public func insert<Row>(_ row: Row, in table: Table<Row>) throws(Failure) -> Bool {
    try attempt { () throws(RecordStoreError) in
      let key = try table.checkedKey(of: row)
      guard try live(table.layout, key) == nil else { return false }
      try write(row, table, key)
      return true
    }
  }

  /// Replaces a row, if it is still as it was read, by this transaction or an earlier one.
  ///
  /// - Parameters:
  ///   - row: the row, with the key of the one that was read.
  ///   - table: the table.
  ///   - stamp: the stamp of the row that was read.
  /// - Returns: whether it was replaced.
  /// - Throws: as ``put(_:in:)``.
  public func replace<Row>(
    _ row: Row, in table: Table<Row>, ifStill stamp: RowStamp
  ) throws(Failure) -> Replacement {
    try attempt { () throws(RecordStoreError) in
      let key = try table.checkedKey(of: row)
      guard key == stamp.key else {
        throw .rowRefused(table: table.name, reason: "it has another key than the one that was read")
      }
      guard let current = try live(table.layout, key) else { return .missing }
      guard current.isEqual(to: stamp.row) else { return .changed }
      try write(row, table, key)
      return .replaced
    }
  }

  /// Removes a row, even one that cannot be read.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - table: the table.
  /// - Returns: true if there was one.
  /// - Throws: the failure of the store.
  @discardableResult
  public func delete<Row>(_ key: RecordKey, from table: Table<Row>) throws(Failure) -> Bool {
    try attempt { () throws(RecordStoreError) in
      let number = try number(of: table)
      guard key.bytes.count <= RecordLimits.key else { return false }
      return try callEngine { engine throws(RecordStoreError) in
        try engine.delete(number, key, at: microseconds)
      }
    }
  }

  /// Removes all rows of a range without reading them.
  ///
  /// - Parameters:
  ///   - range: the keys.
  ///   - table: the table.
  /// - Returns: the number of removed rows, expired ones included.
  /// - Throws: the failure of the store.
  @discardableResult
  public func delete<Row>(_ range: KeyRange, from table: Table<Row>) throws(Failure) -> Int {
    try attempt { () throws(RecordStoreError) in
      let number = try number(of: table)
      guard !range.isEmpty else { return 0 }
      return try callEngine { engine throws(RecordStoreError) in try engine.delete(number, range) }
    }
  }

  func write<Row>(_ row: Row, _ table: Table<Row>, _ key: RecordKey) throws(RecordStoreError) {
    let number = try number(of: table)
    let values = try table.indexValues(of: row)
    let stored = try table.stored(row, key: key, values: values, version: engine.version(of: number))
    for (indexNumber, index) in table.layout.indexes.enumerated() where index.isUnique {
      for value in values[indexNumber] {
        let other = try callEngine { engine throws(RecordStoreError) in
          try engine.entry(number, index: indexNumber, value)
        }
        guard let other, other.key != key else { continue }
        guard !other.row.isLive(at: microseconds) else {
          throw .uniqueViolated(table: table.name, index: index.name)
        }
        // An expired row no longer has its values.
        _ = try callEngine { engine throws(RecordStoreError) in
          try engine.delete(number, other.key, at: microseconds)
        }
      }
    }
    if !stored.isLive(at: microseconds), try putUnlisted(number, key, stored, values) { return }
    try callEngine { engine throws(RecordStoreError) in try engine.put(number, key, stored, values) }
  }
}
