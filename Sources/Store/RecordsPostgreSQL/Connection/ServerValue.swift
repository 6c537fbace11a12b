/// A parameter of a statement in PostgreSQL's binary form.
enum ServerValue: Sendable {
  case bytes([UInt8])
  case bytesArray([[UInt8]])
  case integer(Int64)
  case smallInteger(Int32)
  case noInteger
  case text(String)

  /// The type's number in `pg_type`.
  var type: UInt32 {
    switch self {
    case .bytes: 17
    case .integer, .noInteger: 20
    case .smallInteger: 23
    case .text: 25
    case .bytesArray: 1_001
    }
  }

  /// The bytes; nil for null.
  var encoded: [UInt8]? {
    switch self {
    case .bytes(let value): return value
    case .integer(let value): return Self.bigEndian(value)
    case .smallInteger(let value): return Self.bigEndian(value)
    case .noInteger: return nil
    case .text(let value): return Array(value.utf8)
    case .bytesArray(let values):
      // Dimensions, whether there are nulls, the type of elements; then the length and first index.
      var bytes = Self.bigEndian(Int32(values.isEmpty ? 0 : 1)) + Self.bigEndian(0 as Int32)
      bytes += Self.bigEndian(17 as Int32)
      if !values.isEmpty { bytes += Self.bigEndian(Int32(values.count)) + Self.bigEndian(1 as Int32) }
      for value in values { bytes += Self.bigEndian(Int32(value.count)) + value }
      return bytes
    }
  }

  private static func bigEndian<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<(T.bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
