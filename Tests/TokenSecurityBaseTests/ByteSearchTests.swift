internal import Testing
internal import TokenSecurityBase

/// Searching for bytes, without the regular expressions of the standard library.
@Suite struct ByteSearchTests {
  @Test(arguments: [
    ("abcabc", "abc", 0), ("abcabc", "bca", 1), ("abcabc", "c", 2), ("aaab", "aab", 1), ("abc", "abc", 0),
    ("abc", "abcd", nil),
    ("abc", "d", nil), ("", "a", nil), ("", "", 0), ("abc", "", 0),
  ])
  func theFirstRange(_ text: String, _ pattern: String, _ start: Int?) {
    // Also in a slice, whose indices begin elsewhere.
    let slice = Array(("--" + text).utf8)[2...]
    let found = slice.firstRange(ofBytes: pattern.utf8)
    #expect(found == start.map { ($0 + 2)..<($0 + 2 + pattern.utf8.count) })
  }

  @Test(arguments: [
    ("a-b-c", "-", "+", "a+b+c"), ("--", "-", "--", "----"), ("aaa", "aa", "b", "ba"),
    ("abc", "x", "y", "abc"),
    ("abc", "", "y", "abc"), ("abc", "abc", "", ""), ("", "a", "b", ""),
  ])
  func replacements(_ text: String, _ pattern: String, _ replacement: String, _ expected: String) {
    let replaced = Array(text.utf8)[...].replacing(bytes: pattern.utf8, with: replacement.utf8)
    #expect(String(decoding: replaced, as: UTF8.self) == expected)
  }

  /// A terminal sees no control characters of the command line, and other lines stay as they are.
  @Test func aQuotedCommandLine() {
    let message = "Error: unknown option 'a\u{1B}\nb'\nUsage: command"
    #expect(
      message.visible(quoting: ["a\u{1B}\nb"]) == "Error: unknown option 'a\\u{1b}\\u{a}b'\nUsage: command")
    #expect("--x=\u{7}: \u{7}".visible(quoting: ["--x=\u{7}"]) == "--x=\\u{7}: \\u{7}")
  }
}
