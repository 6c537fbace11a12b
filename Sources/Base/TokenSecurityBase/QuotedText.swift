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

  /// The message of an argument parser, which quotes the command line and has several lines, without control
  /// characters.
  ///
  /// - Parameter arguments: the command line. Line breaks in arguments are escaped, too.
  /// - Returns: the message.
  package func visible(quoting arguments: [String]) -> String {
    var text = self
    for argument in arguments {
      let value = argument.utf8.firstIndex(of: UInt8(ascii: "="))
        .map { String(decoding: argument.utf8[$0...].dropFirst(), as: UTF8.self) }
      for part in [argument, value ?? ""] where !part.isEmpty {
        let shown = part.visible(upTo: .max)
        guard shown != part else { continue }
        text = String(
          decoding: Array(text.utf8)[...].replacing(bytes: part.utf8, with: shown.utf8), as: UTF8.self)
      }
    }
    return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).visible(upTo: .max) }.joined(separator: "\n")
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
