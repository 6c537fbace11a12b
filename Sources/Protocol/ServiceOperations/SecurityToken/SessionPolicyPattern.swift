internal import TokenSecurityBase

extension TextPattern {
  /// A policy document: tabs, line ends, and the characters from U+0020 to U+00FF.
  static let policyDocument = TextPattern(#"[\u0009\u000A\u000D\u0020-\u00FF]+"#, example: "{}") { text in
    // The bytes of these characters, and of no others.
    !text.isEmpty
      && text.indices.allSatisfy { index in
        switch text[index] {
        case 0x09, 0x0A, 0x0D, 0x20...0xBF, 0xC2, 0xC3: true
        default: false
        }
      }
  }
}
