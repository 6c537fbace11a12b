extension StringProtocol {
  /// The text with A to Z in lower case and all other characters unchanged. Names of protocols are compared without case
  /// by this: Unicode's lower case turns U+212A KELVIN SIGN into `k`.
  package var asciiLowercased: String {
    String(decoding: utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
