internal import TokenSecurityEncodings

/// Text in XML.
enum XMLEscaping {
  static func append(_ text: borrowing Span<UInt8>, to output: inout [UInt8]) {
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "&"): output.append("&amp;" as StaticString)
      case UInt8(ascii: "<"): output.append("&lt;" as StaticString)
      case UInt8(ascii: ">"): output.append("&gt;" as StaticString)
      case UInt8(ascii: "\""): output.append("&quot;" as StaticString)
      case 0x09, 0x0A, 0x0D: output.append("&#\(text[index]);")
      // XML cannot represent these (XML 1.0 section 2.2).
      case 0x00..<0x20: output.append("\u{FFFD}" as StaticString)
      case 0xEF
      where index + 2 < text.count && text[index + 1] == 0xBF && text[index + 2] >= 0xBE:
        output.append("\u{FFFD}" as StaticString)
        index += 2
      default: output.append(text[index])
      }
      index += 1
    }
  }
}

/// A secret's UTF-8 as a JSON string, without a copy beside the output.
enum SecretEscaping {
  static func append(_ text: borrowing Span<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for index in text.indices {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
      case 0x00..<0x20, 0x7F:
        output.append(#"\u00"# as StaticString)
        output.append(hex: [byte].span)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  /// The UTF-8 of a JSON string whose escapes were checked. The array has room for it from the start, so that
  /// no part of a secret stays behind where it grew.
  static func unescaped(_ text: borrowing Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
      guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
        output.append(text[index])
        index += 1
        continue
      }
      let escape = text[index + 1]
      index += 2
      switch escape {
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "u"):
        var scalar = unit(text, at: index)
        index += 4
        if (0xD800...0xDBFF).contains(scalar) {
          scalar = 0x10000 + (scalar & 0x3FF) << 10 + (unit(text, at: index + 2) & 0x3FF)
          index += 6
        }
        UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}").map { output.append(contentsOf: $0) }
      default: output.append(escape)
      }
    }
    return output
  }

  private static func unit(_ text: borrowing Span<UInt8>, at start: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in start..<start + 4 where index < text.count {
      value = value << 4 | UInt32(Hex.value(text[index]) ?? 0)
    }
    return value
  }
}
