internal import Synchronization
internal import TokenLifetime

/// A row as an engine has it: its bytes, and the value that was decoded from them.
///
/// The value is decoded once, at the first access. Caches and the memory engine keep the object, so that
/// repeated reads do not decode.
package final class StoredRow: Sendable {
  package let version: Int
  /// Microseconds since 1970; nil if the row does not expire.
  package let expires: Int64?
  package let bytes: [UInt8]
  private let decoded = Mutex<(any AnyObject & Sendable)?>(nil)

  /// An object, which is found by its type at less cost than a value.
  private final class Decoded<Row: Sendable>: Sendable {
    let row: Row

    init(_ row: Row) { self.row = row }
  }

  package init(version: Int, expires: Int64?, bytes: [UInt8]) {
    self.version = version
    self.expires = expires
    self.bytes = bytes
  }

  /// True before its expiration.
  package func isLive(at now: Int64) -> Bool {
    guard let expires else { return true }
    return expires > now
  }

  /// Returns the value of an earlier call, or that of `decode`.
  func value<Row: Sendable>(_ decode: () throws(RecordStoreError) -> Row) throws(RecordStoreError) -> Row {
    // A row that is read as another type than before is decoded again.
    if let known = decoded.withLock({ $0 }) as? Decoded<Row> { return known.row }
    let row = try decode()
    let new = Decoded(row)
    decoded.withLock { $0 = new }
    return row
  }

  /// True if both have the same bytes, version and expiration.
  package func isEqual(to other: StoredRow) -> Bool {
    self === other || version == other.version && expires == other.expires && bytes == other.bytes
  }
}

extension Timestamp {
  /// Microseconds since 1970, rounded down. The whole range of instants fits.
  package var microseconds: Int64 { seconds * 1_000_000 + Int64(nanoseconds) / 1_000 }
}
