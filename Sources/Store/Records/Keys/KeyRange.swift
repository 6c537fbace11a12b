/// A range of keys or index values.
///
///     let page = try rows.scan(Identity.table, .prefix(RecordKey(pool)).after(last), limit: 60)
public struct KeyRange: Sendable, Hashable {
  /// The first bytes in the range.
  package private(set) var lower: [UInt8]
  /// The first bytes after the range.
  package private(set) var upper: [UInt8]

  /// Follows every element.
  private static let afterAll: UInt8 = 0xFF
  /// After a key, the first byte of the keys that it begins.
  private static let extended = KeyTag.bytes

  /// All keys.
  public static var all: KeyRange { KeyRange(lower: [], upper: [afterAll]) }

  /// Exactly one key.
  ///
  /// - Parameter key: the key.
  /// - Returns: the range.
  public static func only(_ key: RecordKey) -> KeyRange {
    KeyRange(lower: key.bytes, upper: key.bytes + [extended])
  }

  /// The keys that begin with all elements of a key, and that key.
  ///
  /// - Parameter key: the first elements.
  /// - Returns: the range.
  public static func prefix(_ key: RecordKey) -> KeyRange {
    KeyRange(lower: key.bytes, upper: key.bytes + [afterAll])
  }

  /// The keys of this range that come after `key`. Keys that begin with `key` come after it.
  ///
  /// - Parameter key: the last key of the previous page; nil for the whole range.
  /// - Returns: the narrower range.
  public func after(_ key: RecordKey?) -> KeyRange {
    guard let key else { return self }
    return from(bytes: key.bytes + [Self.extended])
  }

  /// The keys of this range that come before `key`.
  ///
  /// - Parameter key: the first key that is left out; nil for the whole range.
  /// - Returns: the narrower range.
  public func before(_ key: RecordKey?) -> KeyRange {
    guard let key else { return self }
    var range = self
    if RecordKey.order(key.bytes, upper) < 0 { range.upper = key.bytes }
    return range
  }

  /// The keys of this range up to `key`, that one included.
  ///
  /// - Parameter key: the last key; nil for the whole range.
  /// - Returns: the narrower range.
  public func through(_ key: RecordKey?) -> KeyRange {
    guard let key else { return self }
    var range = self
    let end = key.bytes + [Self.extended]
    if RecordKey.order(end, upper) < 0 { range.upper = end }
    return range
  }

  /// The keys of this range from `key` on.
  ///
  /// - Parameter key: the first key.
  /// - Returns: the narrower range.
  public func from(_ key: RecordKey) -> KeyRange { from(bytes: key.bytes) }

  private func from(bytes: [UInt8]) -> KeyRange {
    var range = self
    if RecordKey.order(bytes, lower) > 0 { range.lower = bytes }
    return range
  }

  /// True if the range contains nothing.
  package var isEmpty: Bool { RecordKey.order(lower, upper) >= 0 }
}
