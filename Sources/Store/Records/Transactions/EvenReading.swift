/// The row that a read took instead of another one.
package struct NearestRow<Row: Sendable>: Sendable {
  package let row: Row
  /// True for the row of the key. Another row was read for the work alone: it must show in no answer.
  package let isExact: Bool
}

/// Reads whose work does not show whether a key has a row.
///
/// A key without a row costs what one with a row costs: its neighbour is found by the same statement, and decoded. No
/// cache is asked, which has rows of some keys alone, and none is filled, which callers could fill with invented keys.
extension ReadTransaction {
  /// Returns the row of a key, or that of its neighbour.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - key: the key.
  ///   - range: the keys of neighbours.
  /// - Returns: the row; nil where the range has none that can be read.
  /// - Throws: the failure of the store, or of reading the row of the key itself.
  package final func nearest<Row>(
    _ table: Table<Row>, to key: RecordKey, in range: KeyRange
  ) throws(Failure) -> NearestRow<Row>? {
    try attempt { () throws(RecordStoreError) in
      let number = try number(of: table)
      guard key.bytes.count <= RecordLimits.key else { return nil }
      let found = try callEngine { engine throws(RecordStoreError) in
        try engine.nearest(number, key, in: range)
      }
      guard let found else { return nil }
      let isExact = found.key == key && found.row.isLive(at: microseconds)
      do throws(RecordStoreError) {
        return NearestRow(row: try value(of: table, found.row, found.key), isExact: isExact)
      } catch {
        // A damaged neighbour fails no call for another key.
        guard isExact else { return nil }
        throw error
      }
    }
  }
}
