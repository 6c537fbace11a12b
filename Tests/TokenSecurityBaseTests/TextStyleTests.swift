internal import Testing
internal import TokenSecurityBase

@Suite struct TextStyleTests {
  /// A text breaks at spaces, and a word that has no room within a line where the line ends.
  @Test(arguments: [
    ("short", 40, 0, ["short"]), ("", 40, 0, [""]),
    ("one two three four five six seven", 24, 0, ["one two three four five", "six seven"]),
    ("one two three four five six", 40, 16, ["one two three four five", "six"]),
    (String(repeating: "x", count: 50), 24, 0, ["x", "x"].map { String(repeating: $0, count: 24) } + ["xx"]),
    ("a " + String(repeating: "x", count: 25), 24, 0, ["a", String(repeating: "x", count: 24), "x"]),
    // No room: lines of 24 columns all the same.
    ("one two three four five six", 30, 28, ["one two three four five", "six"]),
  ])
  func linesFitTheWidth(text: String, columns: Int, column: Int, lines: [String]) {
    #expect(TextStyle(columns: columns).lines(text, from: column) == lines)
  }

  @Test func withoutAWidthThereIsOneLine() {
    let text = String(repeating: "word ", count: 100)
    #expect(TextStyle().lines(text, from: 8) == [text])
  }

  @Test func coloursAreChosen() {
    #expect(TextStyle(isColoured: true).bad("x") == "\u{1B}[1;31mx\u{1B}[0m")
    #expect(TextStyle(isColoured: true).faint("").isEmpty)
    #expect(TextStyle.plain.good("x") == "x")
  }
}
