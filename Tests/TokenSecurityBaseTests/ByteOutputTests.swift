internal import Testing
internal import TokenSecurityBase

/// Operations on several bytes at a time give the same result as one byte at a time.
@Suite struct ByteOutputTests {
  static let texts: [[UInt8]] = (0...40).map { count in
    (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
  }

  @Test(arguments: texts) func hexDigitsOfAnyLength(bytes: [UInt8]) throws {
    var written: [UInt8] = []
    written.append(addingCapacity: 2 * bytes.count + 1) { output in
      output.append(UInt8(ascii: ":"))
      output.append(hex: bytes.span)
    }
    #expect(String(decoding: written.dropFirst(), as: UTF8.self) == Hex.string(bytes))
    #expect(Hex.lowerCaseBytes(Array(written.dropFirst()).span) == bytes)
  }

  @Test func eachByteInEachPlaceOfLowerCaseDigits() {
    let valid = Set("0123456789abcdef".utf8)
    for place in 0..<18 {
      for byte in UInt8.min...UInt8.max {
        var digits = Array("0123456789abcdef01".utf8)
        digits[place] = byte
        let expected = valid.contains(byte) ? try? Hex.decode(String(decoding: digits, as: UTF8.self)) : nil
        #expect(Hex.lowerCaseBytes(digits.span) == expected)
      }
    }
    #expect(Hex.lowerCaseBytes(Array("012".utf8).span) == nil)
  }

  @Test(arguments: [true, false]) func eachByteInEachPlaceOfAName(capitals: Bool) {
    let valid = Set((capitals ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ" : "").utf8)
      .union("abcdefghijklmnopqrstuvwxyz0123456789-".utf8)
    for count in 1...18 {
      for place in 0..<count {
        for byte in UInt8.min...UInt8.max {
          var name = [UInt8](repeating: UInt8(ascii: "x"), count: count)
          name[place] = byte
          #expect(ASCIIWords.areNameCharacters(name.span, capitals: capitals) == valid.contains(byte))
        }
      }
    }
  }

  @Test func lowerCaseAndBeginningOfNames() {
    for count in 0...20 {
      let name = (0..<count).map { UInt8(0x3A + ($0 &* 11 &+ count) % 0x40) }
      var beginning: UInt64 = 0
      var written: [UInt8] = []
      written.append(addingCapacity: count + 8) {
        beginning = ASCIIWords.append(lowerCase: name.span, to: &$0)
      }
      let lower = name.map(\.lowercasedASCII)
      #expect(written == lower)
      let padded = lower.prefix(8) + Array(repeating: 0, count: 8 - min(8, count))
      #expect(beginning == padded.reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  @Test func firstBlank() {
    for count in 0...20 {
      for place in 0..<count {
        for (byte, other) in [
          (0x20, 0x09), (0x09, 0x20), (0x20, 0x21), (0x09, 0x08), (0x20, 0xA0), (0x09, 0x89),
        ] {
          var text = [UInt8](repeating: UInt8(ascii: "a"), count: count)
          if place > 0 { text[place - 1] = UInt8(other) }
          text[place] = UInt8(byte)
          let expected = text.firstIndex { $0 == 0x20 || $0 == 0x09 }
          #expect(ByteSearch.firstBlank(in: text.span, from: 0) == expected)
          #expect(ByteSearch.firstBlank(in: text.span, from: count) == nil)
        }
      }
    }
  }

  @Test func integersAndTheirBytes() {
    for number in [0, 1, -1, 0x0102_0304_0506_0708, .max, .min] as [Int64] {
      var bytes: [UInt8] = []
      bytes.append(bigEndian: number)
      #expect(bytes.count == 8 && Int64(bigEndianBytes: bytes) == number)
    }
    #expect(UInt32(bigEndianBytes: [1, 2, 3, 0xFF]) == 0x0102_03FF)
    // Of more bytes the last ones count.
    #expect(UInt32(bigEndianBytes: [9, 1, 2, 3, 4] as [UInt8]) == 0x0102_0304)
    #expect(UInt64(bigEndianBytes: EmptyCollection<UInt8>()) == 0)
  }
}
