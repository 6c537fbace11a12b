internal import Testing
internal import TokenSecurityBase

/// Strings in JSON: what is escaped, at each place of the blocks that are copied at once.
@Suite struct JSONWriterTests {
  /// The size is known without writing, whatever the text needs as escapes.
  @Test func sizesOfTexts() {
    let scalars = (0...0x2100).compactMap { Unicode.Scalar($0) } + ["\u{FEFF}", "\u{1F600}", "\u{10FFFF}"]
    for scalar in scalars {
      let text = "a\(scalar)\(scalar)b"
      #expect(JSONWriter.size(of: text) == JSONWriter.write(.string(text)).count)
    }
    #expect(JSONWriter.size(of: "") == 2)
  }

  /// Characters, and how they are written.
  static let escapes: [(character: String, written: String)] = [
    ("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t"), ("\0", "\\u0000"),
    ("\u{1B}", "\\u001b"), ("\u{1F}", "\\u001f"), ("\u{7F}", "\\u007f"), ("\u{80}", "\\u0080"),
    ("\u{9F}", "\\u009f"), ("\u{61C}", "\\u061c"), ("\u{200E}", "\\u200e"), ("\u{2028}", "\\u2028"),
    ("\u{202E}", "\\u202e"), ("\u{2066}", "\\u2066"),
    // As they are.
    (" ", " "), ("~", "~"), ("/", "/"), ("é", "é"), ("\u{A0}", "\u{A0}"), ("\u{600}", "\u{600}"), ("€", "€"),
    ("😀", "😀"), ("\u{2027}", "\u{2027}"),
  ]

  private func written(_ text: String) -> String {
    String(decoding: JSONWriter.write(.string(text)), as: UTF8.self)
  }

  @Test(arguments: escapes) func charactersAtEachPlace(_ character: String, _ expected: String) throws {
    for before in 0..<34 {
      for after in [0, 1, 7, 15, 16, 17, 33] {
        let (start, end) = (String(repeating: "a", count: before), String(repeating: "é", count: after))
        let text = start + character + end
        #expect(written(text) == "\"\(start)\(expected)\(end)\"")
        #expect(try JSONDocument(Array(written(text).utf8)).string(at: 0) == text)
      }
    }
    #expect(written(character + character) == "\"\(expected)\(expected)\"")
  }

  @Test func unescapedIsTheText() throws {
    let document = try JSONDocument(Array(#"{"a":"x\u00e9\ud83d\ude00\/\"","b":1}"#.utf8))
    let place = try #require(document.member("a"))
    #expect(document.unescaped(at: place) == Array("xé😀/\"".utf8))
    #expect(document.unescaped(at: 0).isEmpty)
    #expect(document.unescaped(at: try #require(document.member("b"))).isEmpty)
  }
}
