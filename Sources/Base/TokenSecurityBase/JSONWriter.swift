/// Writes compact JSON with members in their order. Escapes what JSON requires, and characters that affect a
/// terminal.
package enum JSONWriter {
  /// The UTF-8 of `value`.
  package static func write(_ value: JSONValue) -> [UInt8] {
    var output: [UInt8] = []
    append(value, to: &output)
    return output
  }

  /// The UTF-8 of `object`.
  package static func write(_ object: JSONObject) -> [UInt8] {
    write(.object(object))
  }

  /// Appends the UTF-8 of `value`.
  package static func append(_ value: JSONValue, to output: inout [UInt8]) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.description.utf8)
    case .string(let text): append(text, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        append(element, to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let object):
      output.append(UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        append(member.name, to: &output)
        output.append(UInt8(ascii: ":"))
        append(member.value, to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  /// Appends `text` in quotes.
  package static func append(_ text: String, to output: inout [UInt8]) { append(text.utf8.span, to: &output) }

  /// Appends UTF-8 in quotes.
  package static func append(_ text: borrowing Span<UInt8>, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    // Most characters need no escape and are copied in runs.
    var start = 0
    var index = 0
    while index < text.count {
      index = ByteWords.afterPlain(text, from: index)
      guard index < text.count, let (unit, length) = escaped(text, at: index) else {
        index += 1
        continue
      }
      output.append(copying: text.extracting(start..<index))
      appendEscape(unit, to: &output)
      index += length
      start = index
    }
    output.append(copying: text.extracting(start..<text.count))
    output.append(UInt8(ascii: "\""))
  }

  /// The bytes that `text` has in quotes.
  package static func size(of text: String) -> Int {
    let bytes = text.utf8.span
    var size = bytes.count + 2
    var index = 0
    while index < bytes.count {
      index = ByteWords.afterPlain(bytes, from: index)
      guard index < bytes.count, let (unit, length) = escaped(bytes, at: index) else {
        index += 1
        continue
      }
      size += ([0x22, 0x5C, 0x0A, 0x0D, 0x09].contains(unit) ? 2 : 6) - length
      index += length
    }
    return size
  }

  /// The character at `index` and its length in UTF-8, if it is written as an escape.
  private static func escaped(
    _ bytes: borrowing Span<UInt8>, at index: Int
  ) -> (unit: UInt16, length: Int)? {
    switch bytes[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x00..<0x20, 0x7F: (UInt16(bytes[index]), 1)
    case 0xC2, 0xD8, 0xE2: actingCharacter(bytes, at: index)
    default: nil
    }
  }

  private static func appendEscape(_ unit: UInt16, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\\"))
    switch unit {
    case 0x22: output.append(UInt8(ascii: "\""))
    case 0x5C: output.append(UInt8(ascii: "\\"))
    case 0x0A: output.append(UInt8(ascii: "n"))
    case 0x0D: output.append(UInt8(ascii: "r"))
    case 0x09: output.append(UInt8(ascii: "t"))
    default:
      // Not in a loop over the shifts: a text can consist of such characters.
      output.append(UInt8(ascii: "u"))
      output.append(Hex.digit(UInt8(truncatingIfNeeded: unit >> 12)))
      output.append(Hex.digit(UInt8(truncatingIfNeeded: unit >> 8 & 0x0F)))
      output.append(Hex.digit(UInt8(truncatingIfNeeded: unit >> 4 & 0x0F)))
      output.append(Hex.digit(UInt8(truncatingIfNeeded: unit & 0x0F)))
    }
  }

  /// A character at `index` that affects a terminal or reorders text, and its length in UTF-8: the C1
  /// controls, line and paragraph separators, and controls of writing direction (Unicode Standard Annex 9,
  /// section 2).
  private static func actingCharacter(
    _ bytes: borrowing Span<UInt8>, at index: Int
  ) -> (unit: UInt16, length: Int)? {
    guard index + 1 < bytes.count else { return nil }
    let length = bytes[index] == 0xE2 ? 3 : 2
    guard index + length <= bytes.count else { return nil }
    var unit = UInt16(bytes[index] & (length == 3 ? 0x0F : 0x1F))
    for offset in 1..<length { unit = unit << 6 | UInt16(bytes[index + offset] & 0x3F) }
    switch unit {
    case 0x80...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: return (unit, length)
    default: return nil
    }
  }
}
