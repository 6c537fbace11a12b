/// Writes JSON: compact, members in their order, nothing escaped but what must be.
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
  package static func append(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    let bytes = text.utf8.span
    var isPlain = true
    for index in bytes.indices {
      let byte = bytes[index]
      isPlain =
        isPlain && byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    if isPlain { output.append(copying: bytes) } else { appendEscaping(bytes, to: &output) }
    output.append(UInt8(ascii: "\""))
  }

  private static func appendEscaping(_ bytes: borrowing Span<UInt8>, to output: inout [UInt8]) {
    for index in bytes.indices {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        output.append(UInt8(ascii: "\\"))
        output.append(byte)
      case 0x0A: output.append(contentsOf: #"\n"#.utf8)
      case 0x0D: output.append(contentsOf: #"\r"#.utf8)
      case 0x09: output.append(contentsOf: #"\t"#.utf8)
      case 0x00..<0x20, 0x7F:
        output.append(contentsOf: #"\u00"#.utf8)
        output.append(Hex.digit(byte >> 4))
        output.append(Hex.digit(byte & 0x0F))
      default: output.append(byte)
      }
    }
  }
}
