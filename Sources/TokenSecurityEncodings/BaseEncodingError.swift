/// What keeps a text from being base64, base64url or hex.
///
/// Offsets count bytes from the start of the text that was given.
package enum BaseEncodingError: Error, Equatable, Sendable {
  /// A byte that is not in the alphabet.
  case character(offset: Int)
  /// White space or a line break, which no strict form allows.
  case whiteSpace(offset: Int)
  /// A `=` where the form has none, or too few or too many of them where it does.
  case padding
  /// A length that no whole number of bytes encodes to.
  case length(Int)
  /// The last character carries bits beyond the last byte that are not zero (RFC 4648 section 3.5),
  /// so that two texts would mean the same bytes.
  case trailingBits
}

extension BaseEncodingError {
  /// Sorts a byte outside the alphabet into the error that says most about it.
  static func outsideAlphabet(_ byte: UInt8, at offset: Int) -> BaseEncodingError {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0x0B, 0x0C:
      .whiteSpace(offset: offset)
    case UInt8(ascii: "="): .padding
    default: .character(offset: offset)
    }
  }
}
