extension UInt8 {
  /// The small letter of a capital ASCII letter; any other byte unchanged.
  @inlinable
  package var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension String {
  /// The text with its ASCII capitals as small letters, all else unchanged. (`lowercased()` would also turn
  /// U+212A KELVIN SIGN into `k`.)
  package var lowercasedASCII: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }

  /// The text with its small ASCII letters as capitals, all else unchanged.
  package var uppercasedASCII: String {
    String(decoding: utf8.map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }, as: UTF8.self)
  }

  /// True where the texts differ in the case of ASCII letters alone, as names of header fields may.
  @inlinable
  package func isEqualIgnoringASCIICase(to other: String) -> Bool {
    let mine = utf8.span
    let theirs = other.utf8.span
    guard mine.count == theirs.count else { return false }
    for index in mine.indices where mine[index] != theirs[index] {
      guard mine[index].lowercasedASCII == theirs[index].lowercasedASCII else { return false }
    }
    return true
  }
}
