internal import TokenSecurityBase

/// A set of characters: a bit for each of ASCII, and general categories for the others.
struct CharacterClass: Sendable {
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  /// A bit for the letter of each general category.
  private var categories: UInt32 = 0
  /// True where all characters beyond ASCII belong to the class.
  private var hasOthers = false

  /// Reads one bracket expression, such as `[\w._-]+` or `[\p{L}\p{N}]*`, or one escape, such as `\d+`; nil
  /// for other patterns.
  init?(pattern: String) {
    var bytes = Array(pattern.utf8)
    if bytes.count == 3, bytes[0] == UInt8(ascii: "\\") {
      bytes = Array("[".utf8) + bytes[..<2] + Array("]".utf8) + bytes[2...]
    }
    guard let last = bytes.popLast(), last == UInt8(ascii: "+") || last == UInt8(ascii: "*"),
      bytes.popLast() == UInt8(ascii: "]"), bytes.first == UInt8(ascii: "["), bytes.count > 1,
      bytes[1] != UInt8(ascii: "^")
    else { return nil }
    var index = 1
    while index < bytes.count {
      guard let first = Self.item(bytes, &index) else { return nil }
      switch first {
      case .category(let letter): insert(category: letter)
      case .others: insertVisibleAndOthers()
      case .set(let characters): for byte in characters { insert(byte) }
      case .character(let start):
        guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "-") else {
          insert(start)
          continue
        }
        index += 1
        guard case .character(let end)? = Self.item(bytes, &index), start <= end else { return nil }
        for byte in start...end { insert(byte) }
      }
    }
  }

  private enum Item {
    case character(UInt8)
    case set([UInt8])
    case category(UInt8)
    case others
  }

  private static let space: [UInt8] = [0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20]

  /// Takes the next character, escape or category. As in Java, `\w`, `\d`, `\s` and `\S` are about ASCII.
  private static func item(_ bytes: [UInt8], _ index: inout Int) -> Item? {
    let byte = bytes[index]
    index += 1
    guard byte < 0x80, byte != UInt8(ascii: "[") else { return nil }
    guard byte == UInt8(ascii: "\\") else { return .character(byte) }
    guard index < bytes.count else { return nil }
    let escape = bytes[index]
    index += 1
    switch escape {
    case UInt8(ascii: "w"): return .set((0x00..<0x80).filter { $0.isLetterOrDigit } + [UInt8(ascii: "_")])
    case UInt8(ascii: "d"): return .set(Array(0x30...0x39))
    case UInt8(ascii: "s"): return .set(space)
    case UInt8(ascii: "S"): return .others
    case UInt8(ascii: "t"): return .character(0x09)
    case UInt8(ascii: "n"): return .character(0x0A)
    case UInt8(ascii: "r"): return .character(0x0D)
    case UInt8(ascii: "p"):
      guard index + 2 < bytes.count, bytes[index] == UInt8(ascii: "{"),
        bytes[index + 2] == UInt8(ascii: "}")
      else { return nil }
      defer { index += 3 }
      return .category(bytes[index + 1])
    case UInt8(ascii: "x"):
      guard index + 1 < bytes.count, let high = Hex.value(bytes[index]), let low = Hex.value(bytes[index + 1])
      else { return nil }
      index += 2
      return high < 8 ? .character(high << 4 | low) : nil
    default: return escape.isLetterOrDigit ? nil : .character(escape)
    }
  }

  private mutating func insert(_ byte: UInt8) {
    if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
  }

  private mutating func insert(category letter: UInt8) {
    categories |= Self.bit(letter)
    for byte: UInt8 in 0..<0x80 where Self.letter(Unicode.Scalar(byte)) == letter { insert(byte) }
  }

  private mutating func insertVisibleAndOthers() {
    for byte: UInt8 in 0..<0x80 where !Self.space.contains(byte) { insert(byte) }
    hasOthers = true
  }

  /// True for a character of ASCII in the class.
  @inline(__always)
  func contains(ascii byte: UInt8) -> Bool {
    (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
  }

  /// True for a character beyond ASCII in the class.
  @inline(never)
  func contains(_ scalar: Unicode.Scalar) -> Bool {
    hasOthers || (categories != 0 && categories & Self.bit(Self.letter(scalar)) != 0)
  }

  /// True where all characters of the UTF-8 text are in the class.
  func containsAll(_ text: borrowing Span<UInt8>) -> Bool { prefix(text, from: 0) == text.count }

  /// The number of bytes of the characters from an offset on that are in the class, up to the first other one.
  func prefix(_ text: borrowing Span<UInt8>, from start: Int) -> Int {
    var index = Self.end(text, from: start, low, high)
    while index < text.count, text[index] >= 0x80, let (scalar, length) = Self.scalar(text, at: index),
      contains(scalar)
    {
      index = Self.end(text, from: index + length, low, high)
    }
    return index - start
  }

  /// The offset of the first byte that is not a character of ASCII with a set bit.
  private static func end(
    _ text: borrowing Span<UInt8>, from start: Int, _ low: UInt64, _ high: UInt64
  ) -> Int {
    var index = start
    while index < text.count {
      let byte = text[index]
      let bits = byte < 64 ? low : high
      guard byte < 0x80, bits &>> UInt64(truncatingIfNeeded: byte) & 1 == 1 else { break }
      index &+= 1
    }
    return index
  }

  /// The characters of ASCII in the class, for samples.
  var sampleCharacters: [UInt8] { (0x20..<0x7F).filter { contains(ascii: $0) } }

  private static func scalar(
    _ text: borrowing Span<UInt8>, at index: Int
  ) -> (scalar: Unicode.Scalar, length: Int)? {
    let lead = text[index]
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard index + length <= text.count else { return nil }
    var value = UInt32(lead) & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(text[index + offset] & 0x3F) }
    return Unicode.Scalar(value).map { ($0, length) }
  }

  private static func bit(_ letter: UInt8) -> UInt32 { 1 &<< UInt32(letter & 31) }

  /// The first letter of the general category: `L`, `M`, `N`, `P`, `S`, `Z` or `C`.
  private static func letter(_ scalar: Unicode.Scalar) -> UInt8 {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      UInt8(ascii: "L")
    case .nonspacingMark, .spacingMark, .enclosingMark: UInt8(ascii: "M")
    case .decimalNumber, .letterNumber, .otherNumber: UInt8(ascii: "N")
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      UInt8(ascii: "P")
    case .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol: UInt8(ascii: "S")
    case .spaceSeparator, .lineSeparator, .paragraphSeparator: UInt8(ascii: "Z")
    default: UInt8(ascii: "C")
    }
  }
}
