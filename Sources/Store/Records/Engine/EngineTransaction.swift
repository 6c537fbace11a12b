/// The operations of an engine within a transaction. Everything about row types is above it.
///
/// An engine ignores expirations in `row` and `entry`; scans and counts leave expired rows out.
package protocol EngineTransaction: AnyObject {
  /// Returns a row.
  func row(_ table: Int, _ key: RecordKey) throws(RecordStoreError) -> StoredRow?
  /// Returns the key and the row of a value in a unique index.
  func entry(_ table: Int, index: Int, _ value: RecordKey) throws(RecordStoreError) -> FoundRow?
  /// Returns the row of a key; where it has none, the row of the range before it, and before the first one the next row.
  /// One statement, which finds one row for all keys.
  func nearest(_ table: Int, _ key: RecordKey, in range: KeyRange) throws(RecordStoreError) -> FoundRow?
  /// Returns rows in order.
  func scan(_ scan: Scan) throws(RecordStoreError) -> [FoundRow]
  /// Returns the number of rows that a scan returns.
  func count(_ scan: Scan) throws(RecordStoreError) -> Int
  /// Adds or replaces a row with its values in each index, each value once.
  func put(_ table: Int, _ key: RecordKey, _ row: StoredRow, _ values: [[RecordKey]])
    throws(RecordStoreError)
  /// Removes a row, and returns true if it was live.
  func delete(_ table: Int, _ key: RecordKey, at now: Int64) throws(RecordStoreError) -> Bool
  /// Removes the rows of a range and returns their number.
  func delete(_ table: Int, _ range: KeyRange) throws(RecordStoreError) -> Int
  /// Removes at most `limit` rows that expire after a position and until a time, the first to expire first.
  func deleteExpired(_ table: Int, after position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> RemovedRows
  /// Returns at most `limit` rows that expire after a position and until a time, the first to expire first.
  func rows(_ table: Int, endingAfter position: EndPosition, until end: Int64, limit: Int)
    throws(RecordStoreError) -> [FoundRow]
  /// Returns the number of expired rows, at most `limit`.
  func countExpired(_ table: Int, at now: Int64, limit: Int) throws(RecordStoreError) -> Int
  /// The clock of the database's server in microseconds since 1970; nil where the database has none.
  func clock() throws(RecordStoreError) -> Int64?
  /// The version in which rows of a table are written: the newest one that all live nodes read.
  func version(of table: Int) -> Int
}

/// A request for rows by their key or by an index.
package struct Scan: Sendable, Hashable {
  package let table: Int
  /// The index; nil for the key.
  package let index: Int?
  package let range: KeyRange
  /// The entry of an index after which the scan begins, in its direction.
  package let after: IndexPosition?
  package let isDescending: Bool
  package let limit: Int
  /// Microseconds since 1970.
  package let now: Int64

  package init(
    table: Int, index: Int?, range: KeyRange, after: IndexPosition?, isDescending: Bool, limit: Int,
    now: Int64
  ) {
    self.table = table
    self.index = index
    self.range = range
    self.after = after
    self.isDescending = isDescending
    self.limit = limit
    self.now = now
  }
}

/// An entry of an index: a value and the key of its row.
public struct IndexPosition: Sendable, Hashable {
  /// The value.
  public let value: RecordKey
  /// The row's key.
  public let key: RecordKey

  /// An entry.
  ///
  /// - Parameters:
  ///   - value: the value.
  ///   - key: the row's key.
  public init(value: RecordKey, key: RecordKey) {
    self.value = value
    self.key = key
  }
}

/// Expired rows that were removed.
package struct RemovedRows: Sendable, Hashable {
  package private(set) var count = 0
  /// The position of the last one in the order of their expirations; nil without any.
  package private(set) var last: EndPosition?

  package init() {}

  /// Adds one. Databases return them in any order.
  package mutating func add(_ position: EndPosition) {
    count += 1
    last = last.map { max($0, position) } ?? position
  }
}

/// A position in the order of the rows' expirations.
package struct EndPosition: Sendable, Hashable, Comparable {
  /// Microseconds since 1970.
  package let time: Int64
  /// The key of a row that expires then; an empty one is before all of them.
  package let key: RecordKey

  package init(_ time: Int64, _ key: RecordKey = RecordKey(stored: [])) {
    self.time = time
    self.key = key
  }

  /// The position after all rows that expire at a time.
  static func after(_ time: Int64) -> EndPosition { EndPosition(time, RecordKey(stored: KeyRange.all.upper)) }

  package static func < (a: EndPosition, b: EndPosition) -> Bool { (a.time, a.key) < (b.time, b.key) }
}

/// A row with its key, and in a scan of an index with its value.
package struct FoundRow: Sendable {
  package let key: RecordKey
  package let value: RecordKey?
  package let row: StoredRow

  package init(key: RecordKey, value: RecordKey?, row: StoredRow) {
    self.key = key
    self.value = value
    self.row = row
  }
}
