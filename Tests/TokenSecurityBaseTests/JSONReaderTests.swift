internal import Foundation
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

@Suite struct JSONReaderTests {
  @Test(arguments: [
    ("", "json_empty"), (" \n", "json_empty"), ("\u{FEFF}{}", "json_byte_order_mark"),
    ("{}x", "json_trailing_data"), ("[1,2] [3]", "json_trailing_data"),
    ("[1,]", "json_syntax"), ("{\"a\":1,}", "json_syntax"), ("{a:1}", "json_syntax"),
    ("{\"a\" 1}", "json_syntax"), ("[1 2]", "json_syntax"), ("{\"a\":1 \"b\":2}", "json_syntax"),
    ("[", "json_syntax"), ("{\"a\"", "json_syntax"), ("\"", "json_syntax"), ("\"\\", "json_syntax"),
    ("01", "json_trailing_data"), ("-", "json_syntax"), ("1.", "json_syntax"), ("1e", "json_syntax"),
    (".5", "json_syntax"), ("+1", "json_syntax"), ("NaN", "json_syntax"), ("Infinity", "json_syntax"),
    ("tru", "json_syntax"), ("True", "json_syntax"), ("nul", "json_syntax"),
    ("'a'", "json_syntax"), ("// x", "json_syntax"), ("\"a\u{01}\"", "json_control_character"),
    ("\"\\a\"", "json_invalid_escape"), ("\"\\u12g4\"", "json_invalid_escape"),
    ("\"\\u12\"", "json_invalid_escape"), ("\"\\ud800\"", "json_lone_surrogate"),
    ("\"\\ud800\\u0041\"", "json_lone_surrogate"), ("\"\\udfff\"", "json_lone_surrogate"),
    ("{\"a\":1,\"a\":1}", "json_duplicate_name"), ("{\"a\":1,\"\\u0061\":1}", "json_duplicate_name"),
    ("{\"\":1,\"\":2}", "json_duplicate_name"), ("[[{\"x\":{\"b\":1,\"b\":2}}]]", "json_duplicate_name"),
    ("{\"\u{e9}\":1,\"\\u00e9\":1}", "json_duplicate_name"),
  ])
  func refuses(text: String, code: String) {
    #expect { try JSONValue(parsing: text) } throws: { ($0 as? JSONError)?.codeText == code }
  }

  @Test(
    arguments: [
      [0x22, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
      [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x22, 0xE0, 0x80, 0x80, 0x22], [0x22, 0xFE, 0x22],
      [0x22, 0xF0, 0x9F, 0x98, 0x22], [0x22, 0xF0, 0x9F],
    ] as [[UInt8]])
  func refusesBadUTF8(bytes: [UInt8]) {
    #expect(throws: JSONError.invalidUTF8(offset: 1)) { try JSONValue(parsing: bytes) }
  }

  /// Each byte at each position of a string, which is read sixteen bytes at a time.
  @Test func everyByteAtEveryPlaceOfAString() {
    for byte in UInt8.min...UInt8.max {
      for place in 1...19 {
        var text = Array("\"0123456789abcdefghi\"".utf8)
        text[place] = byte
        var expected: String? = nil
        switch byte {
        case 0..<0x20: expected = "json_control_character"
        case UInt8(ascii: "\""): expected = "json_trailing_data"
        // The next character is a digit or one of a…i, of which b and f make an escape; the last is the
        // quote.
        case UInt8(ascii: "\\"):
          expected = place == 19 ? "json_syntax" : [11, 15].contains(place) ? nil : "json_invalid_escape"
        case 0x80...: expected = "json_invalid_utf8"
        default: break
        }
        #expect(code { try JSONValue(parsing: text) } == expected, "\(byte) at \(place)")
      }
    }
  }

  private func code(_ body: () throws -> JSONValue) -> String? {
    do {
      _ = try body()
      return nil
    } catch {
      return (error as? JSONError)?.codeText
    }
  }

  @Test func wipesInPlace() throws {
    var document = try JSONDocument(Array(#"{"d":"secret"}"#.utf8))
    let before = unsafe document.bytes.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    var during: UInt = 0
    document.wipe { bytes in
      unsafe bytes.withUnsafeMutableBufferPointer { buffer in
        during = UInt(bitPattern: buffer.baseAddress)
        unsafe buffer.update(repeating: 0)
      }
    }
    // The memory that was read, not a copy.
    #expect(before == during)
    #expect(document.value() == nil)
    #expect(document.bytes.allSatisfy { $0 == 0 })
  }

  @Test func equivalentNamesThatDifferInBytesAreTwo() throws {
    let object = try #require(JSONValue(parsing: "{\"\u{e9}\":1,\"e\u{301}\":2}").object)
    #expect(object["\u{e9}"] == 1)
    #expect(object["e\u{301}"] == 2)
  }

  @Test(arguments: [24, 25, 400])
  func findsTwinsAmongMany(count: Int) {
    let names = (0..<count).map { "\"n\($0)\":0" } + ["\"\\u006e0\":1"]
    #expect { try JSONValue(parsing: "{\(names.joined(separator: ","))}") } throws: {
      ($0 as? JSONError)?.codeText == "json_duplicate_name"
    }
    #expect(throws: Never.self) {
      try JSONValue(parsing: "{\(names.dropLast().joined(separator: ","))}")
    }
  }

  @Test func boundsSizeAndDepth() throws {
    let deep = String(repeating: "[", count: 8) + String(repeating: "]", count: 8)
    #expect(throws: Never.self) { try JSONValue(parsing: deep, limits: JSONLimits(depth: 8)) }
    #expect(throws: JSONError.nesting(limit: 7, offset: 7)) {
      try JSONValue(parsing: deep, limits: JSONLimits(depth: 7))
    }
    #expect(throws: JSONError.nesting(limit: 256, offset: 256)) {
      try JSONValue(
        parsing: String(repeating: "[", count: 100_000), limits: JSONLimits(depth: 1_000_000))
    }
    #expect(throws: JSONError.tooLarge(size: 16, limit: 15)) {
      try JSONValue(parsing: deep, limits: JSONLimits(size: 15))
    }
  }

  @Test func readsValues() throws {
    let value = try JSONValue(
      parsing:
        #" {"s":"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é","n":-12.50e+1,"i":42,"b":[true,false,null],"o":{}} "#)
    #expect(value.object?["s"] == "a\"\\/\u{08}\u{0C}\n\r\té😀é")
    #expect(value.object?["n"]?.number?.double == -125)
    #expect(value.object?["n"]?.int64 == nil)
    #expect(value.object?["i"]?.int64 == 42)
    #expect(value.object?["b"] == [true, false, nil])
    #expect(value.object?["o"] == .object(JSONObject()))
    #expect(value.object?.names == ["s", "n", "i", "b", "o"])
  }

  @Test(arguments: [
    #"{"a":[1,-2.5e3,"x\n\u0001\"\\",{"b":null}],"c":true}"#, #""é😀\u007f""#, "[]", "{}", "0",
  ])
  func writesWhatItReads(text: String) throws {
    let value = try JSONValue(parsing: text)
    #expect(value.description == text)
    #expect(try JSONValue(parsing: value.description) == value)
  }

  @Test func everyPrefixOfATextIsRefused() throws {
    let text = Array(#"{"a":[1,-2.5e3,"x\n\u00e9é😀"],"c":true,"d":{"e":null}}"#.utf8)
    for count in 0..<text.count {
      #expect(throws: JSONError.self) { try JSONValue(parsing: Array(text[..<count])) }
    }
  }

  /// nst/JSONTestSuite, if the folder of further vectors is present.
  @Test(.enabled(if: VectorFile.extra != nil, "VECTORS_EXTRA names no folder of further suites"))
  func parsingSuite() throws {
    let folder = try #require(VectorFile.extra)
    let suite = try JSONValue(
      parsing: VectorFile.bytes("\(folder)/json-parsing.json"), limits: JSONLimits(size: 1 << 24))
    let cases = try #require(suite.object?["cases"]?.object)
    #expect(cases.members.count == 318)
    let twins: Set = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]
    for entry in cases.members {
      let bytes = [UInt8](try #require(Data(base64Encoded: entry.value.string ?? "")))
      let accepted = (try? JSONValue(parsing: bytes)) != nil
      if twins.contains(entry.name) {
        #expect { try JSONValue(parsing: bytes) } throws: {
          ($0 as? JSONError)?.codeText == "json_duplicate_name"
        }
      } else if entry.name.hasPrefix("y_") {
        #expect(accepted, "\(entry.name)")
      } else if entry.name.hasPrefix("n_") {
        #expect(!accepted, "\(entry.name)")
      } else {
        #expect(entry.name.hasPrefix("i_"))
      }
    }
  }
}
