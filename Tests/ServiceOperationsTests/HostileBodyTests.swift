internal import ServiceOperations
internal import Testing
internal import TokenSecurityTesting
internal import TokenSecurityVectorFiles

/// Bodies that are malformed, deep, wide, large or of other types.
@Suite struct HostileBodyTests {
  @Test func wrongTypesInTheWordsOfTheService() {
    for (members, sentence) in [
      (#""Text":1"#, "NUMBER_VALUE can not be converted to a String"),
      (#""Text":1.5"#, "NUMBER_VALUE can not be converted to a String"),
      (#""Text":true"#, "TRUE_VALUE can not be converted to a String"),
      (#""Text":[]"#, "Start of list found where not expected"),
      (#""Text":{}"#, "Start of structure or map found where not expected."),
      (#""Secret":5"#, "NUMBER_VALUE can not be converted to a String"),
      (#""Short":"1""#, "STRING_VALUE can not be converted to an Integer"),
      (#""Short":false"#, "FALSE_VALUE can not be converted to an Integer"),
      (#""Short":2147483648"#, "NUMBER_VALUE can not be converted to an Integer"),
      (#""Short":1.0"#, "NUMBER_VALUE can not be converted to an Integer"),
      (#""Short":1e3"#, "NUMBER_VALUE can not be converted to an Integer"),
      (#""Long":9223372036854775808"#, "NUMBER_VALUE can not be converted to a Long"),
      (#""Long":-9223372036854775809"#, "NUMBER_VALUE can not be converted to a Long"),
      (#""Flag":"true""#, "STRING_VALUE can not be converted to a Boolean"),
      (#""Flag":1"#, "NUMBER_VALUE can not be converted to a Boolean"),
      (#""Instant":"now""#, "STRING_VALUE can not be converted to milliseconds since epoch"),
      (#""Instant":1e400"#, "NUMBER_VALUE can not be converted to milliseconds since epoch"),
      (#""Blob":"a""#, "STRING_VALUE can not be converted to a Blob"),
      (#""Choice":[]"#, "Start of list found where not expected"),
      (#""Inner":"a""#, "Expected null"), (#""Inner":[]"#, "Start of list found where not expected"),
      (#""List":"a""#, "Expected list or null"),
      (#""List":{}"#, "Start of structure or map found where not expected."),
      (#""List":[1]"#, "NUMBER_VALUE can not be converted to a String"),
      (#""Map":"a""#, "Expected map or null"), (#""Map":[]"#, "Start of list found where not expected"),
      (#""Inners":["a"]"#, "Expected null"),
      (#""Map":{"a":"b"}"#, "STRING_VALUE can not be converted to an Integer"),
    ] {
      #expect(refusal(Everything.self, "{\(members)}") == sentence, "\(members)")
    }
    #expect(refusal(Everything.self, "[]") == "Start of list found where not expected")
    #expect(refusal(Everything.self, "1") == "the body is not a JSON object")
  }

  @Test func malformedJSON() {
    for body in [
      "{", #"{"Text":"a"#, #"{"Text":"\ud800"}"#, #"{"Text":"a","Text":"b"}"#, "{}{}", "\u{FEFF}{}",
      #"{"Text":"\#u{0}"}"#, #"{"Text":"\x"}"#, #"{"Text":01}"#, #"{"Text":NaN}"#, " ",
      String(repeating: #"{"Inner":"#, count: 100_000), String(repeating: "[", count: 1_000_000),
      #"{"Unknown":\#(String(repeating: "[", count: 17))\#(String(repeating: "]", count: 17))}"#,
    ] {
      do throws(OperationError) {
        _ = try read(Everything.self, body)
        Issue.record("accepted: \(body.prefix(40))")
      } catch {
        #expect(error.type == "SerializationException" && error.status == 400)
      }
    }
    for bytes: [UInt8] in [[0xFF], [0x7B, 0x22, 0xC0, 0x80, 0x22, 0x7D], [0]] {
      #expect(throws: OperationError.self) { _ = try read(Everything.self, bytes) }
    }
  }

  @Test func controlsInTextsAreTexts() throws {
    let input = try read(Everything.self, #"{"Text":"a\u0000b\n😀","Secret":"a\u0000\"\\\ud83d\ude00"}"#)
    #expect(input.text == "a\0b\n😀")
    let secret = try #require(input.secret)
    #expect(secret.withBytes { $0.count } == 8)
  }

  @Test func boundsOfNumbers() throws {
    let input = try read(
      Everything.self, #"{"Short":-2147483648,"Long":-9223372036854775808,"Instant":-1.25}"#)
    #expect(input.short == -2_147_483_648 && input.long == .min)
    #expect(input.instant?.seconds == -2 && input.instant?.nanoseconds == 750_000_000)
    #expect(try read(Everything.self, #"{"Long":9223372036854775807,"Short":-0}"#).long == .max)
  }

  @Test func bodiesAreBounded() throws {
    let text = String(repeating: "a", count: (1 << 20) - 11)
    let body = #"{"Text":"\#(text)"}"#
    #expect(body.utf8.count == 1 << 20)
    #expect(try read(Everything.self, body).text?.utf8.count == text.utf8.count)
    do throws(OperationError) {
      _ = try read(Everything.self, body + " ")
      Issue.record("accepted")
    } catch {
      #expect(error == .bodyTooLarge(limit: 1 << 20))
    }
  }

  @Test func unknownMembersAreIgnored() throws {
    let input = try read(Everything.self, #"{"text":"lower","Text":"a","Tex\u0074s":1,"X":{"Text":[]}}"#)
    #expect(input.text == "a")
    // A name is compared after its escapes are resolved, byte by byte.
    #expect(try read(Everything.self, #"{"\u0054ext":"b"}"#).text == "b")
    #expect(try read(Everything.self, #"{"Te\u0301xt":"b"}"#).text == nil)
  }

  /// Any change of a valid body is accepted or refused.
  @Test func changedBodies() throws {
    var generator = SeededGenerator(seed: 19)
    var samples = SampleRequests(SeededGenerator(seed: 20))
    for _ in 0..<TestScale.count(2_000) {
      var body = samples.request(Everything.self, of: sampleUsers).body
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<body.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: body[index] = UInt8.random(in: 0...255, using: &generator)
        case 1: body.remove(at: index)
        default: body.insert(contentsOf: Array("[{\"},:0\\".utf8).shuffled(using: &generator), at: index)
        }
        if body.isEmpty { break }
      }
      do throws(OperationError) {
        _ = try read(Everything.self, body)
      } catch {
        #expect(!error.publicMessage.isEmpty && error.publicMessage.utf8.count < 40_000)
      }
    }
  }
}
