/// Base64 with padding (RFC 4648 section 4), strict in both directions.
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
}
