/// Why a text is not valid base64, base64url, base32 or hex. Offsets are in bytes from the start of the text.
package enum BaseEncodingError: Error, Equatable, Sendable {
  /// A byte that is not in the alphabet.
  case character(offset: Int)
  /// White space or a line break.
  case whiteSpace(offset: Int)
  /// Missing, excess or unexpected `=`.
  case padding
  /// A length that encoded text cannot have.
  case length(Int)
  /// Unused bits of the last character are not zero (RFC 4648 section 3.5). Accepting them would give the
  /// same bytes two encodings.
  case trailingBits
}

extension BaseEncodingError {
  /// The error for a byte outside the alphabet.
  static func outsideAlphabet(_ byte: UInt8, at offset: Int) -> BaseEncodingError {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0B, 0x0C:
      .whiteSpace(offset: offset)
    case UInt8(ascii: "="): .padding
    default: .character(offset: offset)
    }
  }
}
