extension String {
  /// The text in double quotes for messages: at most 64 characters, with controls and line breaks escaped, so
  /// that untrusted text cannot imitate the program's.
  package var quoted: String { quoted(upTo: 64) }

  /// The text in double quotes, at most `limit` characters.
  package func quoted(upTo limit: Int) -> String { "\"" + bounded(to: limit) + "\"" }

  /// At most `limit` characters, with quotes, backslashes and invisible characters escaped, and an ellipsis
  /// if it was cut.
  package func bounded(to limit: Int) -> String {
    visible(upTo: limit) { $0 == "\"" || $0 == "\\" }
  }

  /// At most `limit` characters, with invisible characters written as `\u{…}`, and with a backslash before
  /// those for which `escapes` is true.
  package func visible(upTo limit: Int, escapes: (Unicode.Scalar) -> Bool = { _ in false }) -> String {
    var result = ""
    var count = 0
    for scalar in unicodeScalars {
      guard count < limit else { return result + "…" }
      count += 1
      if escapes(scalar) { result += "\\" }
      if scalar.isPrintable {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return result
  }
}

extension [String] {
  /// At most eight of the texts, so that messages do not grow with their input.
  package var shortList: String {
    guard !isEmpty else { return "none" }
    let shown = prefix(8).joined(separator: ", ")
    return count > 8 ? shown + " and \(count - 8) more" : shown
  }

  /// At most eight of the texts in double quotes, at most 128 characters of each.
  package var quotedList: String { quotedList(upTo: 128) }

  /// At most eight of the texts in double quotes, at most `limit` characters of each.
  package func quotedList(upTo limit: Int) -> String { map { $0.quoted(upTo: limit) }.shortList }
}

extension Unicode.Scalar {
  /// False for characters that a terminal interprets or hides.
  fileprivate var isPrintable: Bool {
    guard !isASCII else { return (0x20...0x7E).contains(value) }
    return switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}
