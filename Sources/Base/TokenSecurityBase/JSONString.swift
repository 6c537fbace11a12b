/// Strings in a JSON text: their end, their value, their comparison.
enum JSONString {
  /// Finds the closing quote of a string that begins at `start`, checking every byte on the way.
  static func end(
    of bytes: borrowing Span<UInt8>, from start: Int, isEscaped: inout Bool
  ) throws(JSONError) -> Int {
    var position = start
    let count = bytes.count
    while position < count {
      if position &+ 16 <= count {
        let plain = ByteWords.plainPrefix(bytes, at: position)
        position &+= plain
        if plain == 16 { continue }
      } else if position &+ 8 <= count {
        let marks = ByteWords.notPlainInString(ByteWords.load(bytes, at: position))
        position &+= ByteWords.plainCount(marks)
        if marks == 0 { continue }
      }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") { return position }
      if byte == UInt8(ascii: "\\") {
        isEscaped = true
        position = try afterEscape(bytes, at: position)
      } else if byte < 0x20 {
        throw .controlCharacter(offset: position)
      } else if byte < 0x80 {
        position &+= 1
      } else {
        position = try afterMultibyte(bytes, at: position)
      }
    }
    throw .syntax(offset: count, expected: .closingQuote)
  }

  private static func afterEscape(
    _ bytes: borrowing Span<UInt8>, at position: Int
  ) throws(JSONError) -> Int {
    guard position + 1 < bytes.count else {
      throw .syntax(offset: bytes.count, expected: .closingQuote)
    }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return position + 2
    case UInt8(ascii: "u"):
      guard let unit = codeUnit(bytes, at: position + 2) else {
        throw .invalidEscape(offset: position)
      }
      switch unit {
      case 0xD800...0xDBFF:
        guard position + 7 < bytes.count, bytes[position + 6] == UInt8(ascii: "\\"),
          bytes[position + 7] == UInt8(ascii: "u"),
          let low = codeUnit(bytes, at: position + 8), (0xDC00...0xDFFF).contains(low)
        else { throw .loneSurrogate(offset: position) }
        return position + 12
      case 0xDC00...0xDFFF: throw .loneSurrogate(offset: position)
      default: return position + 6
      }
    default: throw .invalidEscape(offset: position)
    }
  }

  /// The value of four hexadecimal digits at `position`, or nil.
  private static func codeUnit(_ bytes: borrowing Span<UInt8>, at position: Int) -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var unit: UInt32 = 0
    for offset in position..<position + 4 {
      guard let digit = Hex.value(bytes[offset]) else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  // The ranges of the second byte (Unicode Standard, table 3-7) exclude overlong forms, surrogates and values
  // beyond U+10FFFF.
  private static func afterMultibyte(
    _ bytes: borrowing Span<UInt8>, at position: Int
  ) throws(JSONError) -> Int {
    let length: Int
    let second: ClosedRange<UInt8>
    switch bytes[position] {
    case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: throw .invalidUTF8(offset: position)
    }
    guard position + length <= bytes.count, second.contains(bytes[position + 1]) else {
      throw .invalidUTF8(offset: position)
    }
    for offset in position + 2..<position + max(length, 2) where bytes[offset] & 0xC0 != 0x80 {
      throw .invalidUTF8(offset: position)
    }
    return position + length
  }

  /// The UTF-8 of a checked string with its escapes resolved.
  static func unescaped(_ node: JSONNode, _ bytes: borrowing Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(Int(node.end - node.start))
    var position = Int(node.start)
    while position < Int(node.end) {
      let byte = bytes[position]
      guard byte == UInt8(ascii: "\\") else {
        output.append(byte)
        position += 1
        continue
      }
      let escape = bytes[position + 1]
      position += 2
      switch escape {
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "u"):
        var scalar = codeUnit(bytes, at: position) ?? 0xFFFD
        position += 4
        if (0xD800...0xDBFF).contains(scalar) {
          let low = codeUnit(bytes, at: position + 2) ?? 0xDC00
          scalar = 0x10000 + (scalar - 0xD800) << 10 + (low - 0xDC00)
          position += 6
        }
        output.append(contentsOf: UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? .init())
      default: output.append(escape)
      }
    }
    return output
  }

  /// One of 64 bits for a name; equal names have the same bit. All bits for a name with escapes, which are
  /// not resolved here. With these factors, the claims of common access and ID tokens have different bits.
  @inline(__always)
  static func bit(_ name: JSONNode, _ bytes: borrowing Span<UInt8>) -> UInt64 {
    guard !name.isEscaped else { return .max }
    let (start, end) = (Int(name.start), Int(name.end))
    guard start < end else { return 1 }
    let (first, middle, last) = (bytes[start], bytes[start &+ (end &- start) &>> 1], bytes[end &- 1])
    let mixed = (Int(first) &* 37 ^ Int(middle) &* 19 ^ Int(last) &* 53) &+ (end &- start) &* 62
    return 1 &<< UInt64(truncatingIfNeeded: mixed)
  }

  /// True if two strings have the same value, regardless of escapes.
  @inline(__always)
  static func equal(_ a: JSONNode, _ b: JSONNode, _ bytes: borrowing Span<UInt8>) -> Bool {
    guard !a.isEscaped, !b.isEscaped else {
      return unescaped(a, bytes) == unescaped(b, bytes)
    }
    guard a.end &- a.start == b.end &- b.start else { return false }
    return haveEqualText(a, b, bytes)
  }

  private static func haveEqualText(_ a: JSONNode, _ b: JSONNode, _ bytes: borrowing Span<UInt8>) -> Bool {
    var left = Int(a.start)
    var right = Int(b.start)
    while left < Int(a.end) {
      guard bytes[left] == bytes[right] else { return false }
      left &+= 1
      right &+= 1
    }
    return true
  }
}
