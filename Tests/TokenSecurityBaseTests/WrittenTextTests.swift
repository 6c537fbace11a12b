internal import Testing
internal import TokenSecurityBase

/// Texts that people write: where they are wrong, and what was meant.
@Suite struct WrittenTextTests {
  @Test(arguments: [
    ("{\n  \"a\": 1\n  \"b\": 2\n}", "a comma or a closing brace was expected at line 3, column 3"),
    ("{\"\u{E4}\u{1F511}\": x}", "a value was expected at line 1, column 8"),
    ("{\"a\": 1,\n \"a\": 2}", "the name \"a\" occurs twice in one object, at line 2, column 2"),
    ("[1]\n\n]", "the JSON value is followed by other text at line 3, column 1"),
    ("[\n\"\\x\"]", "a string has an invalid escape at line 2, column 2"),
    (" ", "the JSON text is empty"),
  ])
  func errorsHaveLineAndColumn(text: String, sentence: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.sentence(in: text.utf8) == sentence)
  }

  /// Tokens have no lines.
  @Test func otherSentencesHaveTheByte() {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "{\n1}") }
    #expect(error.map { "\($0)" } == "a name in double quotes was expected at byte 2")
  }

  @Test func namesLikeAMisspeltOne() {
    let names = ["pool", "pools", "profile", "client_ids"]
    #expect(NearNames.of("pol", among: names) == ["pool"])
    #expect(NearNames.of("client_id", among: names) == ["client_ids"])
    // What is short is nearly everything that is short.
    #expect(NearNames.of("on", among: ["off", "optional", "required"]) == [])
    #expect(NearNames.of("jwk", among: ["jwks", "sign"]) == ["jwks"])
    #expect(NearNames.of("colour", among: names) == [])
    #expect(NearNames.of(String(repeating: "x", count: 100_000), among: names) == [])
  }
}
