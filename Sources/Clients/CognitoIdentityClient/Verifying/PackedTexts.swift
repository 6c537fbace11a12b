internal import TokenSecurityBase

/// Texts and numbers as bytes, one after the other. A text that was there before is the offset of the first one.
struct PackedTexts {
  private(set) var bytes: [UInt8]
  private var offsets: [ExactString: Int] = [:]

  /// The kind of a number, in its two lowest bits.
  fileprivate enum Kind: UInt {
    case number
    /// The number of bytes that follow.
    case text
    /// The offset of a text.
    case known
    case unused
  }

  /// Texts after others, which they share.
  init(after earlier: [UInt8] = []) {
    bytes = earlier
    var reader = PackedTextReader(earlier)
    var offset = 0
    while let (kind, size) = reader.part() {
      if kind == .text {
        guard let text = reader.text(ofSize: size) else { return }
        offsets[ExactString(text)] = offset
      }
      offset = reader.offset
    }
  }

  /// Appends a number that is not negative.
  mutating func append(_ number: Int) { append(number, .number) }

  /// Appends a text, or nil.
  mutating func append(_ text: String?) {
    guard let text else { return append(0) }
    if let known = offsets[ExactString(text)] { return append(known, .known) }
    offsets[ExactString(text)] = bytes.count
    append(text.utf8.count, .text)
    bytes += text.utf8
  }

  /// Appends a list.
  mutating func append(_ texts: [String]) {
    append(texts.count)
    for text in texts { append(text) }
  }

  /// Seven bits in a byte, the lowest first. The highest bit says that others follow.
  private mutating func append(_ number: Int, _ kind: Kind) {
    var rest = UInt(number) << 2 | kind.rawValue
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}

/// Reads the values of a ``PackedTexts``. All are nil for bytes that it has not written.
struct PackedTextReader {
  private let bytes: [UInt8]
  private(set) var offset: Int

  /// Reads from an offset on.
  init(_ bytes: [UInt8], from offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// The next number.
  mutating func number() -> Int? {
    guard let (kind, number) = part(), kind == .number else { return nil }
    return number
  }

  /// The next text, which may be nil.
  mutating func optionalText() -> String?? {
    guard let (kind, number) = part() else { return nil }
    switch kind {
    case .number: return number == 0 ? .some(nil) : nil
    case .text: return text(ofSize: number)
    case .known:
      // Always an earlier one, of which the text itself follows.
      var earlier = PackedTextReader(bytes, from: number)
      guard number < offset, let (kind, size) = earlier.part(), kind == .text else { return nil }
      return earlier.text(ofSize: size)
    case .unused: return nil
    }
  }

  /// The next text.
  mutating func text() -> String? { optionalText() ?? nil }

  /// The next list.
  mutating func list() -> [String]? {
    guard let count = number() else { return nil }
    var texts: [String] = []
    for _ in 0..<count {
      guard let text = text() else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// A number with its kind.
  fileprivate mutating func part() -> (kind: PackedTexts.Kind, number: Int)? {
    var value: UInt = 0
    for shift in stride(from: UInt(0), to: 63, by: 7) {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      value |= UInt(byte & 0x7F) << shift
      guard byte > 0x7F else { return PackedTexts.Kind(rawValue: value & 3).map { ($0, Int(value >> 2)) } }
    }
    return nil
  }

  fileprivate mutating func text(ofSize size: Int) -> String? {
    guard size <= bytes.count - offset else { return nil }
    defer { offset += size }
    return String(decoding: bytes[offset..<offset + size], as: UTF8.self)
  }
}
