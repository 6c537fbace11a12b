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
      while index &+ 32 <= digits.count {
        // Safe: the condition keeps the 32 digits inside the span.
        let text = unsafe digits.bytes.unsafeLoadUnaligned(
          fromUncheckedByteOffset: index, as: SIMD32<UInt8>.self)
        guard let block = Self.bytes(text) else { break }
        output.append(block)
        index &+= 32
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
    // Safe: the guard above keeps both halves inside the span.
    let halves = unsafe (
      digits.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: SIMD32<UInt8>.self),
      digits.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 32, as: SIMD32<UInt8>.self)
    )
    guard let first = bytes(halves.0), let second = bytes(halves.1) else { return nil }
    // Both types are 32 bytes in their order.
    return unsafe unsafeBitCast(SIMD32(lowHalf: first, highHalf: second), to: InlineArray<32, UInt8>.self)
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

  /// The digits of sixteen bytes. Branch-free, without a table.
  @inline(__always)
  static func digits(_ bytes: SIMD16<UInt8>) -> SIMD32<UInt8> {
    @inline(__always)
    func digits(nibbles: SIMD16<UInt8>) -> SIMD16<UInt8> {
      // For 10 to 15 the sum has the bit 0x10.
      let isLetter = (nibbles &+ 6) &>> 4
      return nibbles &+ 0x30 &+ isLetter &* 39
    }
    // The operations are on sixteen bytes, which all processors have.
    var text = SIMD32<UInt8>()
    text.evenHalf = digits(nibbles: bytes &>> 4)
    text.oddHalf = digits(nibbles: bytes & 0x0F)
    return text
  }

  /// The sixteen bytes that 32 lower-case digits write; nil for other text.
  @inline(__always)
  static func bytes(_ text: SIMD32<UInt8>) -> SIMD16<UInt8>? {
    @inline(__always)
    func nibbles(_ digits: SIMD16<UInt8>) -> SIMD16<UInt8> { digits & 0x0F &+ (digits &>> 6) &* 9 }
    let bytes = nibbles(text.evenHalf) &<< 4 | nibbles(text.oddHalf)
    // Any other character has other digits.
    let again = digits(bytes)
    let differences =
      unsafe unsafeBitCast(text.evenHalf ^ again.evenHalf, to: SIMD2<UInt64>.self)
      | unsafeBitCast(text.oddHalf ^ again.oddHalf, to: SIMD2<UInt64>.self)
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
