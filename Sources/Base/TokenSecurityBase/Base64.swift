/// Base64 with padding (RFC 4648 section 4), strict.
package enum Base64 {
  /// Decodes `text`, refusing white space, missing padding and trailing bits.
  package static func decode(_ text: borrowing Span<UInt8>) throws(BaseEncodingError) -> [UInt8] {
    guard text.count % 4 == 0 else { throw .length(text.count) }
    var end = text.count
    while end > 0, text.count - end < 2, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
    return try SixBitAlphabet.standard.decode(text, from: 0, to: end)
  }

  /// Decodes a string.
  package static func decode(_ text: String) throws(BaseEncodingError) -> [UInt8] {
    try decode(text.utf8.span)
  }

  /// Encodes `bytes` with padding.
  package static func string(_ bytes: [UInt8]) -> String {
    var characters = SixBitAlphabet.standard.encode(bytes.span)
    while characters.count % 4 != 0 { characters.append(UInt8(ascii: "=")) }
    return String(decoding: characters, as: UTF8.self)
  }

  /// The number of characters for `count` bytes.
  package static func length(of count: Int) -> Int { (count + 2) / 3 * 4 }

  /// Encodes secret bytes with padding in constant time. `output` has ``length(of:)`` bytes.
  package static func encode(secret bytes: borrowing Span<UInt8>, into output: inout MutableSpan<UInt8>) {
    var write = 0
    var read = 0
    while read < bytes.count {
      let left = min(3, bytes.count - read)
      let word =
        Int(bytes[read]) << 16 | (left > 1 ? Int(bytes[read + 1]) << 8 : 0)
        | (left > 2 ? Int(bytes[read + 2]) : 0)
      for position in 0..<4 {
        output[write + position] =
          position > left ? UInt8(ascii: "=") : character(word >> (18 - 6 * position) & 0x3F)
      }
      read += 3
      write += 4
    }
  }

  /// Branch-free: each difference becomes negative, with all high bits set, where the next range of the
  /// alphabet begins.
  private static func character(_ value: Int) -> UInt8 {
    let letter = 65 + value + ((25 - value) >> 8 & 6) - ((51 - value) >> 8 & 75)
    return UInt8(truncatingIfNeeded: letter - ((61 - value) >> 8 & 15) + ((62 - value) >> 8 & 3))
  }
}
