internal import TokenLifetime
internal import TokenSecurityPlatform

/// A key or an index value: a tuple of texts, bytes, integers and instants.
///
///     let key = RecordKey(pool, "external", user)
///
/// The encoding preserves the order: keys compare as their bytes do, element by element. Texts compare by
/// their UTF-8, without Unicode normalisation. A key with fewer elements comes before the keys that it
/// begins.
///
/// An encoded key has at most ``sizeLimit`` bytes; longer ones are refused by the store's calls. A longer
/// text that is only compared for equality can be stored as its digest.
public struct RecordKey: Sendable {
  /// The encoded elements.
  package private(set) var bytes: [UInt8]

  /// Maximum size of an encoded key in bytes: 1,280. An element has its bytes and two more, and another for
  /// each zero byte; an integer has nine, an instant thirteen.
  public static var sizeLimit: Int { RecordLimits.key }

  /// A key of elements.
  ///
  /// - Parameter element: `String`, `[UInt8]`, `Int`, `Int64`, `Bool` or `Timestamp`.
  public init<each Element: RecordKeyElement>(_ element: repeat each Element) {
    bytes = []
    bytes.reserveCapacity(64)
    repeat (each element).encode(into: &bytes)
  }

  /// A key of encoded bytes that a store had.
  package init(stored bytes: [UInt8]) { self.bytes = bytes }

  /// The first bytes after those of the key. They are no key's: an element begins with another byte.
  package var successor: [UInt8] { bytes + [0] }

  /// This key with one more element.
  ///
  /// - Parameter element: the element.
  /// - Returns: the longer key.
  public consuming func appending(_ element: some RecordKeyElement) -> RecordKey {
    element.encode(into: &bytes)
    return self
  }

  /// True if this key begins with all elements of another.
  ///
  /// - Parameter prefix: the other key.
  /// - Returns: whether it does.
  public func starts(with prefix: RecordKey) -> Bool {
    // Elements show their own ends. An escape goes on with an element that the prefix ends.
    bytes.starts(with: prefix.bytes)
      && (bytes.count == prefix.bytes.count || bytes[prefix.bytes.count] != KeyTag.escape)
  }
}

extension RecordKey: Hashable, Comparable {
  /// Compares the bytes.
  public static func == (left: RecordKey, right: RecordKey) -> Bool {
    left.bytes.count == right.bytes.count && order(left.bytes, right.bytes) == 0
  }

  /// Orders by the bytes.
  public static func < (left: RecordKey, right: RecordKey) -> Bool { order(left.bytes, right.bytes) < 0 }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    // The buffer is used within the call alone.
    unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  /// Negative, zero or positive, as `left` is before, equal to or after `right`.
  package static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let shorter = min(left.count, right.count)
    // Both buffers have at least `shorter` bytes.
    let order = unsafe left.withUnsafeBytes { left in
      unsafe right.withUnsafeBytes { right -> Int32 in
        guard shorter > 0, let a = left.baseAddress, let b = right.baseAddress else { return 0 }
        return unsafe memcmp(a, b, shorter)
      }
    }
    return order == 0 ? left.count - right.count : Int(order)
  }
}
