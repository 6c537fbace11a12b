extension String {
  /// The text in double quotes, for messages: at most 64 characters of it, everything that could act on a
  /// terminal or start a new line escaped, so that foreign text cannot pose as ours.
  package var quoted: String { quoted(upTo: 64) }

  /// The same with at most `limit` characters of the text.
  package func quoted(upTo limit: Int) -> String { "\"" + bounded(to: limit) + "\"" }

  /// At most `limit` characters of the text, with quotes, backslashes and everything invisible escaped,
  /// and an ellipsis where something was left out.
  package func bounded(to limit: Int) -> String {
    visible(upTo: limit, escaping: ["\"", "\\"])
  }

  /// At most `limit` characters of the text, with control, format and other invisible characters
  /// written as `\u{…}`, and those in `escaping` behind a backslash.
  package func visible(upTo limit: Int, escaping: Set<Unicode.Scalar> = []) -> String {
    var result = ""
    var count = 0
    for scalar in unicodeScalars {
      guard count < limit else { return result + "…" }
      count += 1
      if escaping.contains(scalar) {
        result += "\\" + String(scalar)
      } else {
        result +=
          scalar.isPrintable
          ? String(scalar) : "\\u{" + String(scalar.value, radix: 16) + "}"
      }
    }
    return result
  }
}

extension [String] {
  /// At most eight of the texts, for messages, so that no message grows with its input.
  package var shortList: String {
    guard !isEmpty else { return "none" }
    let shown = prefix(8).joined(separator: ", ")
    return count > 8 ? shown + " and \(count - 8) more" : shown
  }

  /// The same with each text in double quotes, at most 128 characters of it.
  package var quotedList: String { quotedList(upTo: 128) }

  /// The same with at most `limit` characters of each text.
  package func quotedList(upTo limit: Int) -> String { map { $0.quoted(upTo: limit) }.shortList }
}

extension Unicode.Scalar {
  /// False for whatever a terminal may obey or hide.
  fileprivate var isPrintable: Bool {
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
      .paragraphSeparator:
      false
    default: true
    }
  }
}
