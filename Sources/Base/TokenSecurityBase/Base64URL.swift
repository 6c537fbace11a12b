/// Base64url without padding (RFC 4648 section 5, RFC 7515 section 2), strict.
package enum Base64URL {
  /// Decodes `text`. Accepts only the canonical encoding.
  package static func decode(_ text: borrowing Span<UInt8>) throws(BaseEncodingError) -> [UInt8] {
    try SixBitAlphabet.url.decode(text, from: 0, to: text.count)
  }

  /// Decodes the characters `start..<end` of `text`.
  package static func decode(
    _ text: borrowing Span<UInt8>, from start: Int, to end: Int
  ) throws(BaseEncodingError) -> [UInt8] {
    try SixBitAlphabet.url.decode(text, from: start, to: end)
  }

  /// Decodes a string.
  package static func decode(_ text: String) throws(BaseEncodingError) -> [UInt8] {
    try decode(text.utf8.span)
  }

  /// Encodes `bytes`.
  package static func encode(_ bytes: borrowing Span<UInt8>) -> [UInt8] {
    SixBitAlphabet.url.encode(bytes)
  }

  /// Encodes `bytes` as a string.
  package static func string(_ bytes: [UInt8]) -> String {
    String(decoding: SixBitAlphabet.url.encode(bytes.span), as: UTF8.self)
  }
}
