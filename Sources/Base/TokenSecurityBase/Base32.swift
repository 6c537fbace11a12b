/// Base32 (RFC 4648 section 6), for secrets of one-time codes. Constant time: no branch or memory access
/// depends on the decoded bytes.
package enum Base32 {
  /// The accepted spellings.
  package enum Form: Sendable {
    /// Capitals with padding (RFC 4648).
    case strict
    /// Like `strict`, with the correct padding or none, as in URIs.
    case unpadded
    /// Like `unpadded`, in capitals or small letters, with spaces and hyphens, as people type it, and with bits after the
    /// last byte that are not zero.
    case typed
  }

  /// Differences to RFC 4648 that a text has.
  package struct Deviations: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Small letters.
    package static let smallLetters = Deviations(rawValue: 1)
    /// Spaces or hyphens.
    package static let separators = Deviations(rawValue: 2)
    /// Bits after the last byte that are not zero.
    package static let trailingBits = Deviations(rawValue: 4)
  }

  /// The maximum number of bytes that `count` characters encode.
  package static func size(of count: Int) -> Int { count / 8 * 5 + count % 8 * 5 / 8 }

  /// The number of characters for `count` bytes, without padding.
  package static func length(of count: Int) -> Int { (count * 8 + 4) / 5 }

  /// Decodes `text` into `output`, which has ``size(of:)`` bytes.
  ///
  /// - Parameters:
  ///   - text: the characters.
  ///   - form: the accepted spelling.
  ///   - output: the decoded bytes.
  ///   - isKnown: returns whether a mask is not zero, as a public value.
  /// - Returns: the number of bytes, and the differences to RFC 4648, which only `typed` accepts.
  /// - Throws: the first character or length that is not valid.
  package static func decode(
    _ text: borrowing Span<UInt8>, _ form: Form, into output: inout MutableSpan<UInt8>,
    isKnown: (UInt8) -> Bool = { $0 != 0 }
  ) throws(BaseEncodingError) -> (count: Int, deviations: Deviations) {
    var deviations: Deviations = []
    var small: UInt8 = 0
    var accumulator: UInt32 = 0
    var bits = 0
    var written = 0
    var characters = 0
    var padding = 0
    for index in 0..<text.count {
      let character = text[index]
      // The positions of spaces, padding and invalid characters are public; the letters are secret.
      guard !isKnown(equal(character, UInt8(ascii: "="))) else {
        padding += 1
        continue
      }
      if form == .typed, isKnown(equal(character, UInt8(ascii: " ")) | equal(character, UInt8(ascii: "-"))) {
        deviations.insert(.separators)
        continue
      }
      let (value, isValid) = value(character, anyCase: form == .typed)
      small |= isBelow(character &- UInt8(ascii: "a"), 26)
      guard isKnown(isValid) else { throw .outsideAlphabet(character, at: index) }
      guard padding == 0 else { throw .padding }
      characters += 1
      accumulator = accumulator << 5 | UInt32(value)
      bits += 5
      if bits >= 8 {
        bits -= 8
        output[written] = UInt8(truncatingIfNeeded: accumulator >> UInt32(bits))
        written += 1
      }
    }
    let tail = characters % 8
    guard tail != 1, tail != 3, tail != 6 else { throw .length(characters) }
    let full = (8 - tail) % 8
    guard padding == full || (padding == 0 && form != .strict) else { throw .padding }
    let left = UInt8(truncatingIfNeeded: accumulator & ((1 << UInt32(bits)) - 1))
    if isKnown(left) {
      guard form == .typed else { throw .trailingBits }
      deviations.insert(.trailingBits)
    }
    if isKnown(small) { deviations.insert(.smallLetters) }
    return (written, deviations)
  }

  /// Encodes `bytes` in capitals without padding into `output`, which has ``length(of:)`` bytes.
  package static func encode(_ bytes: borrowing Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    var accumulator: UInt32 = 0
    var bits = 0
    var written = 0
    for index in 0..<bytes.count {
      accumulator = accumulator << 8 | UInt32(bytes[index])
      bits += 8
      while bits >= 5 {
        bits -= 5
        output[written] = character(UInt8(truncatingIfNeeded: accumulator >> UInt32(bits)) & 0x1F)
        written += 1
      }
    }
    if bits > 0 {
      output[written] = character(UInt8(truncatingIfNeeded: accumulator << UInt32(5 - bits)) & 0x1F)
    }
  }

  /// All ones if both are equal.
  private static func equal(_ a: UInt8, _ b: UInt8) -> UInt8 {
    let difference = UInt16(a ^ b)
    return UInt8(truncatingIfNeeded: (difference &- 1) >> 8)
  }

  /// All ones if `value` is below `limit`.
  private static func isBelow(_ value: UInt8, _ limit: UInt8) -> UInt8 {
    UInt8(truncatingIfNeeded: (UInt16(value) &- UInt16(limit)) >> 8)
  }

  private static func value(_ character: UInt8, anyCase: Bool) -> (value: UInt8, isValid: UInt8) {
    let letter = (anyCase ? character | 0x20 : character ^ 0x20) &- UInt8(ascii: "a")
    let digit = character &- UInt8(ascii: "2")
    let isLetter = isBelow(letter, 26)
    let isDigit = isBelow(digit, 6)
    return (letter & isLetter | (digit &+ 26) & isDigit, isLetter | isDigit)
  }

  private static func character(_ value: UInt8) -> UInt8 {
    let isDigit = ~isBelow(value, 26)
    return value &+ UInt8(ascii: "A") &- (isDigit & (UInt8(ascii: "A") + 26 - UInt8(ascii: "2")))
  }
}
