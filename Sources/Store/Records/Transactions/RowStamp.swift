/// A row, and what it was when it was read.
public struct StampedRow<Row: Sendable>: Sendable {
  /// The row.
  public let row: Row
  /// For ``WriteTransaction/replace(_:in:ifStill:)``.
  public let stamp: RowStamp
}

/// A row's stored bytes when it was read.
public struct RowStamp: Sendable {
  let key: RecordKey
  let row: StoredRow
}

/// Result of ``WriteTransaction/replace(_:in:ifStill:)``.
public enum Replacement: Sendable, Hashable {
  /// The row was still as it was read, and was replaced.
  case replaced
  /// The row has changed since. Nothing was written.
  case changed
  /// There is no row any more. Nothing was written.
  case missing
}
