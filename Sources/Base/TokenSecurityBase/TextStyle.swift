/// Colours and width of a text for people.
package struct TextStyle: Sendable {
  package let isColoured: Bool
  /// The width in characters; nil where lines may have any length, as in a file.
  package let columns: Int?

  package init(isColoured: Bool = false, columns: Int? = nil) {
    self.isColoured = isColoured
    self.columns = columns
  }

  /// Without colours, for a terminal of the usual width.
  package static let plain = TextStyle(columns: 80)

  package func good(_ text: String) -> String { colour("1;32", text) }
  package func bad(_ text: String) -> String { colour("1;31", text) }
  package func warning(_ text: String) -> String { colour("33", text) }
  package func faint(_ text: String) -> String { colour("2", text) }

  private func colour(_ code: String, _ text: String) -> String {
    isColoured && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// The length of the longest text that has at most `limit` characters; `limit` if all are longer.
  package static func width(_ texts: [String], atMost limit: Int) -> Int {
    texts.map(\.count).filter { $0 <= limit }.max() ?? limit
  }

  /// The text in lines that fit into the width, each of which begins at `column`; the first one is where it is put.
  package func hanging(_ text: String, from column: Int) -> String {
    lines(text, from: column).joined(separator: "\n" + String(repeating: " ", count: column))
  }

  /// The text in lines that fit into the width, broken at spaces, and in words that are too long.
  ///
  /// - Parameters:
  ///   - text: the text, without line breaks.
  ///   - column: the column where each line begins.
  /// - Returns: the lines, without the spaces before them. One line without a width.
  package func lines(_ text: String, from column: Int) -> [String] {
    guard let columns else { return [text] }
    // Where hardly any room is left, a line is as long as it was in a terminal that is wide enough.
    let room = max(columns - column, 24)
    var lines: [String] = []
    var line = ""
    var length = 0
    for word in text.parts(at: " ") {
      var (word, count) = (word, word.count)
      if length > 0, length + 1 + count > room {
        lines.append(line)
        (line, length) = ("", 0)
      } else if length > 0 {
        line += " "
        length += 1
      }
      while count > room {
        lines.append(String(word.prefix(room)))
        word = String(word.dropFirst(room))
        count -= room
      }
      line += word
      length += count
    }
    return lines + [line]
  }
}

extension String {
  /// Followed by spaces up to `width` characters.
  package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
