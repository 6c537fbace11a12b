extension String {
  /// The text with small letters for the capitals of ASCII, and for no other character. `lowercased()` also turns
  /// U+212A KELVIN SIGN into `k`.
  package var lowercasedASCII: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// The text with capitals for the small letters of ASCII, and for no other character.
  package var uppercasedASCII: String {
    String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
  }
}
