internal import TokenSecurityBase

/// The six parts of an ARN, by the offsets of its first five colons.
struct ARNParts {
  private let text: String
  /// The offset after each of the colons, as bytes; that of the first part is 0.
  private let starts: [6 of Int]

  /// Returns nil for a text with fewer than five colons.
  init?(_ text: String) {
    var starts = [6 of Int](repeating: 0)
    let bytes = text.utf8.span
    for part in 1..<6 {
      guard let colon = ByteSearch.firstIndex(of: UInt8(ascii: ":"), in: bytes, from: starts[part - 1]) else {
        return nil
      }
      starts[part] = colon + 1
    }
    self.text = text
    self.starts = starts
  }

  /// The offset of the last part.
  var lastStart: Int { starts[5] }

  /// True if the last part begins with a text.
  func lastBegins(_ expected: String) -> Bool { ByteSearch.has(expected, text.utf8.span, at: starts[5]) }

  /// A part: 0 for `arn`, 4 for the account, 5 for the rest of the text.
  subscript(part: Int) -> String {
    let bytes = text.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: starts[part])
    let end = part == 5 ? bytes.endIndex : bytes.index(bytes.startIndex, offsetBy: starts[part + 1] - 1)
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// True if a part has a text.
  func has(_ part: Int, _ expected: String) -> Bool {
    let bytes = text.utf8.span
    let end = part == 5 ? bytes.count : starts[part + 1] - 1
    return end - starts[part] == expected.utf8.count && ByteSearch.has(expected, bytes, at: starts[part])
  }
}
