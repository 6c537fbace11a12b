internal import Testing
internal import TokenSecurityBase

@Suite struct QuotedTextTests {
  @Test func foreignTextCannotActOnATerminal() {
    #expect("a\u{1B}[31mb\r\nc\u{202E}d\"".quoted == #""a\u{1b}[31mb\u{d}\u{a}c\u{202e}d\"""#)
    #expect("\u{9B}31m\u{FEFF}".visible(upTo: 9) == #"\u{9b}31m\u{feff}"#)
  }

  @Test func longTextIsCut() {
    #expect(String(repeating: "x", count: 65).quoted == "\"" + String(repeating: "x", count: 64) + "…\"")
    #expect("abc".visible(upTo: 3) == "abc")
  }
}
