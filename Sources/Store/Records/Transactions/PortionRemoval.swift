extension WriteTransaction {
  /// Removes the first rows of a range, also ones that cannot be read, so that a large range can be removed
  /// in several transactions.
  ///
  /// - Parameters:
  ///   - range: the keys.
  ///   - table: the table.
  ///   - limit: the most rows, expired ones included.
  /// - Returns: the number of removed rows; less than `limit` if no row of the range is left.
  /// - Throws: the failure of the store.
  public func delete<Row>(
    _ range: KeyRange, from table: Table<Row>, limit: Int
  ) throws(Failure) -> Int {
    try attempt { () throws(RecordStoreError) in
      let number = try number(of: table)
      guard limit > 0, !range.isEmpty else { return 0 }
      // At a time at which no row has expired.
      let first = Scan(
        table: number, index: nil, range: range, after: nil, isDescending: false, limit: limit,
        now: .min)
      return try callEngine { engine throws(RecordStoreError) in
        let found = try engine.scan(first)
        let part = found.count < limit ? range : range.through(found.last?.key)
        _ = try engine.delete(number, part)
        return found.count
      }
    }
  }
}
