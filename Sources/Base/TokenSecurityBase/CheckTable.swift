/// The checks of a token or of a request as a table of text.
package struct CheckTable {
  /// How a check ended.
  package enum Outcome {
    case passed
    case failed(any CodedError)
    case unchecked(because: String)
    case notReached
  }

  /// One check.
  package struct Row {
    package let name: String
    /// The expected value; nil for checks of requests, which report only how they ended.
    package let expected: String?
    package let actual: String?
    package let outcome: Outcome

    package init(name: String, expected: String? = nil, actual: String? = nil, outcome: Outcome) {
      self.name = name
      self.expected = expected
      self.actual = actual
      self.outcome = outcome
    }

    /// The expected value with the reason why it is not checked.
    fileprivate var expectation: String? {
      guard case .unchecked(let reason) = outcome else { return expected }
      return expected.map { "\($0) (\(reason))" }
    }

    /// The actual value; nil if it is the expected one.
    fileprivate var difference: String? {
      if case .notReached = outcome { return "not reached" }
      guard let actual, let expected else { return actual }
      let isSame = actual.isIdentical(to: expected) || actual.isIdentical(to: "\"\(expected)\"")
      return isSame ? nil : actual
    }
  }

  private let instant: String
  private let rows: [Row]
  private let style: TextStyle

  /// A table of `rows`, which were checked at `instant`.
  package init(_ rows: [Row], at instant: String, _ style: TextStyle) {
    self.rows = rows
    self.instant = instant
    self.style = style
  }

  /// Columns from which on values stand beside each other.
  private static let wide = 110

  /// The table, followed by an empty line.
  package var text: String {
    let isWide = style.columns.map { $0 >= Self.wide } ?? true
    return "checked at \(instant)\n\n" + (isWide ? beside() : below()) + "\n"
  }

  /// The names of the failed checks, for the end of a refusal: `2 checks failed: exp, aud`.
  package static func failures(_ rows: [Row]) -> String {
    let names = rows.compactMap { row in if case .failed = row.outcome { row.name } else { nil } }
    return "\(names.count) \(names.count == 1 ? "check" : "checks") failed: \(names.shortList)"
  }

  /// One line for each check: its end, its name, the expected and the actual value. The error of a failed check follows on
  /// a line of its own, as does a value that is too long for its column.
  private func beside() -> String {
    let names = TextStyle.width(rows.map(\.name), atMost: 24)
    let column = TextStyle.width(rows.compactMap(\.expectation), atMost: 44)
    let hasValues = rows.contains { $0.expected != nil }
    let indent = String(repeating: " ", count: hasValues ? names + 10 : 8)
    var text = ""
    if hasValues {
      text = style.faint(
        "        " + "check".padded(to: names) + "  " + "expected".padded(to: column) + "  actual")
      text += "\n"
    }
    for row in rows {
      var line = row.name
      if var words = row.expectation {
        let isLong = words.count > column
        if isLong { words = style.hanging(words, from: names + 10) }
        if let actual = row.difference {
          words = isLong ? words + "\n" + indent + "".padded(to: column) : words.padded(to: column)
          words += "  " + style.hanging(actual, from: names + column + 12)
        }
        line = row.name.padded(to: names) + "  " + words
      }
      text += marked(row, line) + "\n"
      if case .failed(let error) = row.outcome {
        text += indent + style.bad(style.hanging("\(error)", from: indent.count)) + "\n"
      }
    }
    return text
  }

  /// The actual value of each check, where it is another than the expected one, below it.
  private func below() -> String {
    let hasValues = rows.contains { $0.expected != nil }
    let names = hasValues ? max(TextStyle.width(rows.map(\.name), atMost: 24), 8) : 0
    let column = hasValues ? names + 10 : 8
    let indent = String(repeating: " ", count: column)
    func label(_ word: String) -> String { hasValues ? ("          " + word).padded(to: column) : indent }
    func value(_ text: String) -> String { style.hanging(text, from: column) }
    var text = ""
    for row in rows {
      let line = row.expectation.map { row.name.padded(to: names) + "  " + value($0) } ?? row.name
      text += marked(row, line) + "\n"
      if let actual = row.difference, row.expected != nil, !row.saysNothing {
        text += quiet(row, label("actual") + value(actual)) + "\n"
      }
      if case .failed(let error) = row.outcome {
        text += label("error") + style.bad(value("\(error)")) + "\n"
      }
    }
    return text
  }

  private func marked(_ row: Row, _ line: String) -> String {
    let mark =
      switch row.outcome {
      case .passed: style.good("  ok    ")
      case .failed: style.bad("  FAIL  ")
      case .unchecked: style.faint("  --    ")
      case .notReached: "        "
      }
    return mark + quiet(row, line)
  }

  /// Faint, unless the check has failed.
  private func quiet(_ row: Row, _ text: String) -> String {
    if case .failed = row.outcome { return text }
    return style.faint(text)
  }
}

extension CheckTable.Row {
  /// True where a check was not made and the token lacks its value: there is nothing to print below it.
  fileprivate var saysNothing: Bool {
    switch outcome {
    case .unchecked, .notReached: actual.map { $0.isIdentical(to: "absent") } ?? true
    case .passed, .failed: false
    }
  }
}

extension CodedError {
  /// The result for what is refused: the sentence and the code.
  package func refusal(_ style: TextStyle) -> String {
    style.bad("REFUSED") + "  " + style.hanging("\(self) [\(codeText)]", from: 9) + "\n"
  }
}
