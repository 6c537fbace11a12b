public import TokenLifetime
internal import TokenSecurityBase

extension RecordKey {
  /// A decoded element of a key.
  public enum Part: Sendable {
    /// Bytes.
    case bytes([UInt8])
    /// A text.
    case text(String)
    /// An integer, or a Boolean as 0 or 1.
    case integer(Int64)
    /// An instant.
    case instant(Timestamp)
  }

  /// A key of encoded bytes from outside, such as those in a page token.
  ///
  /// - Parameter bytes: the bytes; nil is returned unless they encode elements, each in its only form.
  public init?(encoded bytes: [UInt8]) {
    self.init(stored: bytes)
    guard bytes.count <= Self.sizeLimit, parts != nil else { return nil }
  }

  /// The encoded bytes, for `init(encoded:)`.
  public var encoded: [UInt8] { bytes }

  /// The elements; nil where the bytes of a damaged file encode none.
  public var parts: [Part]? {
    var parts: [Part] = []
    var reader = KeyReader(bytes: bytes)
    while let tag = reader.next() {
      guard let part = reader.part(tag) else { return nil }
      parts.append(part)
    }
    return parts
  }

  /// The text that the key begins with; nil for another key.
  package var firstText: String? {
    if case .text(let text)? = parts?.first { text } else { nil }
  }
}

extension RecordKey.Part: Hashable {
  /// Compares the encoded bytes.
  public static func == (left: RecordKey.Part, right: RecordKey.Part) -> Bool {
    RecordKey(left) == RecordKey(right)
  }

  /// Hashes the encoded bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(RecordKey(self)) }
}

extension RecordKey.Part: RecordKeyElement {
  /// Appends the element.
  ///
  /// - Parameter bytes: the encoded elements before it.
  public func encode(into bytes: inout [UInt8]) {
    switch self {
    case .bytes(let value): value.encode(into: &bytes)
    case .text(let value): value.encode(into: &bytes)
    case .integer(let value): value.encode(into: &bytes)
    case .instant(let value): value.encode(into: &bytes)
    }
  }
}

/// Reads encoded elements.
private struct KeyReader {
  let bytes: [UInt8]
  var offset = 0

  mutating func next() -> UInt8? {
    guard offset < bytes.count else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func part(_ tag: UInt8) -> RecordKey.Part? {
    switch tag {
    case KeyTag.bytes: return variable().map { .bytes($0) }
    case KeyTag.text:
      guard let content = variable(), let text = String(validating: content, as: UTF8.self) else {
        return nil
      }
      return .text(text)
    case KeyTag.integer: return integer().map { .integer($0) }
    case KeyTag.instant:
      guard let seconds = integer(), let nanoseconds = fixed(4) else { return nil }
      return Timestamp(seconds: seconds, nanoseconds: nanoseconds).map { .instant($0) }
    default: return nil
    }
  }

  private mutating func variable() -> [UInt8]? {
    var content: [UInt8] = []
    while let byte = next() {
      guard byte == KeyTag.end else {
        content.append(byte)
        continue
      }
      guard offset < bytes.count, bytes[offset] == KeyTag.escape else { return content }
      offset += 1
      content.append(0)
    }
    return nil
  }

  private mutating func fixed(_ count: Int) -> UInt64? {
    guard bytes.count - offset >= count else { return nil }
    defer { offset += count }
    return UInt64(bigEndianBytes: bytes[offset..<(offset + count)])
  }

  private mutating func integer() -> Int64? { fixed(8).map { Int64(bitPattern: $0 ^ 1 << 63) } }
}
