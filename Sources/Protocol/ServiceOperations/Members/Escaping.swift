internal import TokenSecurityBase

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
