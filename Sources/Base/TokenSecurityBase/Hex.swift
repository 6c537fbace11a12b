/// Hexadecimal (RFC 4648 section 8): lower case when encoding, either case when decoding.
package enum Hex {
  /// Encodes `bytes`.
  package static func string(_ bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    digits.append(addingCapacity: 2 * bytes.count) { $0.append(hex: bytes.span) }
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
      while index &+ 16 <= digits.count {
        // Safe: the condition keeps the sixteen digits inside the span.
        let text = unsafe digits.bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: index, as: SIMD8<UInt16>.self)
        guard let word = Self.bytes(text) else { break }
        output.append(word)
        index &+= 16
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

  /// Decodes 64 lower-case digits, without an allocation; nil for other text.
  package static func lowerCaseDigest(_ digits: borrowing Span<UInt8>) -> InlineArray<32, UInt8>? {
    guard digits.count == 64 else { return nil }
    var words = InlineArray<4, UInt64>(repeating: 0)
    for index in 0..<4 {
      // Safe: the guard above keeps the sixteen digits inside the span.
      let text = unsafe digits.bytes.unsafeLoadUnaligned(
        fromUncheckedByteOffset: 16 &* index, as: SIMD8<UInt16>.self)
      guard let word = bytes(text) else { return nil }
      words[index] = word
    }
    // Both types are 32 bytes in their order.
    return unsafe unsafeBitCast(words, to: InlineArray<32, UInt8>.self)
  }

  private static func lowerCaseValue(_ character: UInt8) -> UInt8? {
    (0x41...0x46).contains(character) ? nil : value(character)
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

  /// The sixteen digits of eight bytes, the first byte lowest. Branch-free, without a table.
  @inline(__always)
  static func digits(_ bytes: UInt64) -> SIMD8<UInt16> {
    let wide = unsafe SIMD8<UInt16>(truncatingIfNeeded: unsafeBitCast(bytes, to: SIMD8<UInt8>.self))
    // Each number has two digits in its two bytes, the higher one in the lower byte.
    let nibbles = (wide &>> 4 | wide &<< 8) & 0x0F0F
    let isLetter = (nibbles &+ 0x0606) &>> 4 & 0x0101
    return nibbles &+ 0x3030 &+ isLetter &* 39
  }

  /// The eight bytes that sixteen lower-case digits write; nil for other text.
  @inline(__always)
  static func bytes(_ text: SIMD8<UInt16>) -> UInt64? {
    let nibbles = text & 0x0F0F &+ (text &>> 6 & 0x0101) &* 9
    let wide = (nibbles &<< 4 | nibbles &>> 8) & 0x00FF
    let bytes = unsafe unsafeBitCast(SIMD8<UInt8>(truncatingIfNeeded: wide), to: UInt64.self)
    // Any other character has other digits.
    let differences = unsafe unsafeBitCast(text ^ digits(bytes), to: SIMD2<UInt64>.self)
    return differences[0] | differences[1] == 0 ? bytes : nil
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
