internal import TokenSecurityCrypto
internal import PasswordPreparation
internal import Testing

@Suite struct SASLprepTests {
  private func prepared(_ text: String, _ use: SASLprep.Use = .query) throws -> String {
    let result = try SASLprep.prepare(SecretBytes(Array(text.utf8).span), for: use)
    return result.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
  }

  // RFC 4013, section 3; the others after its section 2.
  @Test(
    arguments: [
      ("I\u{AD}X", "IX"), ("user", "user"), ("USER", "USER"), ("\u{AA}", "a"), ("\u{2168}", "IX"), ("", ""),
      ("a\u{A0}b\u{3000}c", "a b c"), ("e\u{301}", "\u{E9}"), ("\u{212B}", "\u{C5}"),
      ("\u{FDFA}", "صلى الله عليه وسلم"),
      ("pass word", "pass word"), ("ﬁ", "fi"), ("\u{200B}x", " x"),
    ])
  func forms(_ text: String, _ result: String) throws {
    #expect(Array(try prepared(text).utf8) == Array(result.utf8))
    #expect(Array(try prepared(result).utf8) == Array(result.utf8))
  }

  @Test(
    arguments: [
      ("\u{7}", .prohibited), ("\u{627}1", .bidirectional), ("a\u{627}", .bidirectional),
      ("\u{E000}", .prohibited),
      ("\u{202A}", .prohibited), ("\u{FFFD}", .prohibited), ("a\u{0}b", .notText),
    ] as [(String, SASLprepError)])
  func refusals(_ text: String, _ error: SASLprepError) {
    #expect(throws: error) { try prepared(text) }
  }

  @Test func whatUnicodeLearnedLater() throws {
    #expect(try prepared("\u{1F511}") == "\u{1F511}")
    #expect(throws: SASLprepError.unassigned) { try prepared("\u{1F511}", .stored) }
  }

  @Test func sizesAndBytes() throws {
    #expect(try prepared(String(repeating: "a", count: 4_096)).utf8.count == 4_096)
    #expect(throws: SASLprepError.tooLong(size: 4_097, limit: 4_096)) {
      try prepared(String(repeating: "a", count: 4_097))
    }
    // Each of these characters becomes eighteen characters.
    #expect(try prepared(String(repeating: "\u{FDFA}", count: 1_365)).unicodeScalars.count == 18 * 1_365)
    for bytes in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]] {
      #expect(throws: SASLprepError.notText) { _ = try SASLprep.prepare(SecretBytes(bytes.span)) }
    }
  }
}
