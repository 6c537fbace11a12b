/// Hexadecimal (RFC 4648 section 8): lower case when encoding, either case when decoding.
package enum Hex {
  /// Encodes `bytes`.
  package static func string(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 0x0F))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Decodes an even number of hexadecimal digits.
  package static func decode(_ text: String) throws(BaseEncodingError) -> [UInt8] {
    let digits = [UInt8](text.utf8)
    for (offset, character) in digits.enumerated() where value(character) == nil {
      throw .outsideAlphabet(character, at: offset)
    }
    guard digits.count % 2 == 0 else { throw .length(digits.count) }
    return stride(from: 0, to: digits.count, by: 2).map { index in
      (value(digits[index]) ?? 0) << 4 | (value(digits[index + 1]) ?? 0)
    }
  }

  /// True for hexadecimal digits of either case.
  package static func isDigit(_ character: UInt8) -> Bool { value(character) != nil }

  /// Decodes an even number of lower-case digits; nil for other text.
  package static func lowerCaseBytes(_ digits: borrowing Span<UInt8>) -> [UInt8]? {
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var isValid = true
    bytes.append(addingCapacity: digits.count / 2) { output in
      var index = 0
      while index &+ 8 <= digits.count {
        guard let number = number(eightDigits: ByteWords.load(digits, at: index)) else { break }
        output.append(bigEndian: number)
        index &+= 8
      }
      while index < digits.count {
        guard let high = lowerCaseValue(digits[index]), let low = lowerCaseValue(digits[index + 1]) else {
          isValid = false
          return
        }
        output.append(high << 4 | low)
        index &+= 2
      }
    }
    return isValid ? bytes : nil
  }

  private static func lowerCaseValue(_ character: UInt8) -> UInt8? {
    (0x41...0x46).contains(character) ? nil : value(character)
  }

  /// The number that eight lower-case digits write, the first digit in the lowest byte; nil for other text.
  @inline(__always)
  private static func number(eightDigits text: UInt64) -> UInt32? {
    let letters = text >> 6 & ByteWords.repeated(1)
    let nibbles = text & ByteWords.repeated(0x0F) &+ letters &* 9
    // Any other character has other digits.
    guard nibbles & ByteWords.repeated(0xF0) == 0 else { return nil }
    var pairs = nibbles.byteSwapped
    pairs = (pairs | pairs >> 4) & 0x00FF_00FF_00FF_00FF
    pairs = (pairs | pairs >> 8) & 0x0000_FFFF_0000_FFFF
    let number = (pairs | pairs >> 16) & 0xFFFF_FFFF
    return eightDigits(number) == text.byteSwapped ? UInt32(truncatingIfNeeded: number) : nil
  }

  /// The eight digits of a 32-bit number, the first in the highest byte. Branch-free, without a table.
  @inline(__always)
  static func eightDigits(_ number: UInt64) -> UInt64 {
    var nibbles = (number | number << 16) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
    let isLetter = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return nibbles &+ 0x3030_3030_3030_3030 &+ isLetter &* 39
  }

  /// The digit for a value below 16.
  static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  /// The value of a digit; nil for another character.
  package static func value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
