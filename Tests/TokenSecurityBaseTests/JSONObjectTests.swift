internal import Testing
internal import TokenSecurityBase

@Suite struct JSONObjectTests {
  /// Objects behave the same below and above the number of members from which an index is used.
  @Test func membersAreFoundHoweverManyThereAre() {
    var object = JSONObject()
    for number in 0..<100 {
      object["n\(number)"] = .some(.number(JSONNumber(number)))
      #expect(object["n\(number)"]?.int64 == Int64(number))
      #expect(object["n0"]?.int64 == 0)
      #expect(object["n\(number + 1)"] == nil)
    }
    for number in stride(from: 99, to: 0, by: -2) {
      object["n\(number)"] = nil
      #expect(object["n\(number)"] == nil)
      #expect(object["n\(number - 1)"]?.int64 == Int64(number - 1))
    }
    object["n4"] = "four"
    #expect(object["n4"] == "four")
    #expect(object.names == stride(from: 0, to: 100, by: 2).map { "n\($0)" })
    var copy = JSONObject()
    for member in object.members { copy[member.name] = member.value }
    #expect(copy == object)
    #expect(copy.hashValue == object.hashValue)
  }

  @Test func namesAreComparedByTheirBytes() throws {
    let text = "{" + (0..<30).map { "\"k\($0)\":0," }.joined() + "\"\u{E9}\":1,\"e\u{301}\":2,\"\u{212A}\":3}"
    let object = try #require(try JSONValue(parsing: text).object)
    #expect(object["\u{E9}"] == 1)
    #expect(object["e\u{301}"] == 2)
    #expect(object["K"] == nil)
    #expect(object["\u{212A}"] == 3)
  }

  /// Characters that affect a terminal are escaped, and are read as the same text.
  @Test func writtenTextActsOnNoTerminal() throws {
    let acting = [
      0x00...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
    ]
    for value in acting.joined() {
      let scalar = try #require(Unicode.Scalar(UInt32(value)))
      let text = "a\(Character(scalar))b"
      let written = JSONWriter.write(.string(text))
      #expect(written.allSatisfy { (0x20...0x7E).contains($0) }, "U+\(String(value, radix: 16))")
      #expect(
        try JSONValue(parsing: written).string?.unicodeScalars.map(\.value)
          == text.unicodeScalars.map(\.value))
    }
    for text in ["\u{A0}\u{E9}\u{2027}\u{2030}\u{2065}\u{206A}\u{20AC}\u{61B}\u{61D}", "\u{1F600}", "\u{C2}"]
    {
      #expect(JSONWriter.write(.string(text)) == Array("\"\(text)\"".utf8))
    }
  }

  @Test func hashesOfNamesThatUnicodeCallsEqualDiffer() {
    let names: [ExactString] = [
      "\u{E9}", "e\u{301}", "\u{1E69}", "s\u{323}\u{307}", "s\u{307}\u{323}", "K", "\u{212A}",
    ]
    #expect(Set(names.map(\.hashValue)).count == names.count)
  }
}
