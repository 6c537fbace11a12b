internal import TokenSecurityBase

// The patterns of members that are not one bracket expression.

extension TextPattern {
  private static let visible: TextPattern = #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#
  private static let visibleOrSpace: TextPattern = #"[\p{L}\p{M}\p{S}\p{N}\p{P}\s*]*"#
  private static let beforeUnderscore: TextPattern = #"[\w-]+"#
  private static let letterOrDigit: TextPattern = "[0-9a-zA-Z]+"
  private static let hexadecimalOrHyphen: TextPattern = "[0-9a-f-]+"
  private static let placeholder = Array("{####}".utf8)

  /// The id of a user pool: a region, an underscore, letters and digits.
  static let userPoolID = TextPattern(#"[\w-]+_[0-9a-zA-Z]+"#, example: "us-east-1_aB3dE5gH7") { text in
    isSplit(text, beforeUnderscore, letterOrDigit)
  }

  /// The key of a device: a region, an underscore, a UUID.
  static let deviceKey = TextPattern(
    #"[\w-]+_[0-9a-f-]+"#, example: "us-east-1_01234567-89ab-cdef-0123-456789abcdef"
  ) { text in isSplit(text, beforeUnderscore, hexadecimalOrHyphen) }

  /// An ARN.
  static let arn = TextPattern(
    #"arn:[\w+=/,.@-]+:[\w+=/,.@-]+:([\w+=/,.@-]*)?:[0-9]+:[\w+=/,.@-]+(:[\w+=/,.@-]+)?(:[\w+=/,.@-]+)?"#,
    example: "arn:aws:lambda:us-east-1:123456789012:function:example", matches: isARN)

  /// An ARN, or nothing.
  static let optionalARN = TextPattern(
    #"(arn:[\w+=/,.@-]+:[\w+=/,.@-]+:([\w+=/,.@-]*)?:[0-9]+:[\w+=/,.@-]+(:[\w+=/,.@-]+)?(:[\w+=/,.@-]+)?)?"#,
    example: "arn:aws:iam::123456789012:role/example"
  ) { $0.isEmpty || isARN($0) }

  /// The text of an SMS, on one line, with a placeholder for a code.
  static let smsWithCode = TextPattern(#".*\{####\}.*"#, example: "Your code is {####}.") { text in
    for index in text.indices where text[index] == 0x0A || text[index] == 0x0D { return false }
    return position(of: placeholder, in: text, from: 0) != nil
  }

  /// The text of an e-mail with a placeholder for a code.
  static let emailWithCode = TextPattern(
    #"[\p{L}\p{M}\p{S}\p{N}\p{P}\s*]*\{####\}[\p{L}\p{M}\p{S}\p{N}\p{P}\s*]*"#,
    example: "Your code is {####}."
  ) { visibleOrSpace.matches($0) && position(of: placeholder, in: $0, from: 0) != nil }

  /// The text of an e-mail with a placeholder for a link.
  static let emailWithLink = TextPattern(
    #"[\p{L}\p{M}\p{S}\p{N}\p{P}\s*]*\{##[\p{L}\p{M}\p{S}\p{N}\p{P}\s*]*##\}[\p{L}\p{M}\p{S}\p{N}\p{P}\s*]*"#,
    example: "Please {##confirm##}."
  ) { text in
    guard visibleOrSpace.matches(text), let start = position(of: Array("{##".utf8), in: text, from: 0)
    else { return false }
    return position(of: Array("##}".utf8), in: text, from: start + 3) != nil
  }

  /// Any text, with line ends.
  static let anyLines = TextPattern("(?s).*", example: "Welcome {username}, {####}.") { _ in true }

  /// An address with an `@` between visible characters.
  static let emailAddress = TextPattern(
    #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+@[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#, example: "team@example.com"
  ) { text in
    guard visible.matches(text), text.count > 2 else { return false }
    for index in 1..<(text.count - 1) where text[index] == UInt8(ascii: "@") { return true }
    return false
  }

  /// The name of a configuration set.
  static let configurationSet = TextPattern(
    "^[a-zA-Z0-9_-]+$", example: "set-1", sequence: ["[a-zA-Z0-9_-]+"])

  /// Hexadecimal digits.
  static let hexadecimal = TextPattern(
    "^[0-9a-fA-F]+$", example: "0123456789abcdef", sequence: ["[0-9a-fA-F]+"])

  /// True where the last underscore is between texts that match.
  private static func isSplit(
    _ text: borrowing Span<UInt8>, _ first: TextPattern, _ second: TextPattern
  ) -> Bool {
    var index = text.count - 1
    while index > 0, text[index] != UInt8(ascii: "_") { index -= 1 }
    guard index > 0 else { return false }
    return first.matches(text.extracting(0..<index))
      && second.matches(text.extracting((index + 1)..<text.count))
  }

  private static func isARN(_ text: borrowing Span<UInt8>) -> Bool {
    let part: TextPattern = #"[\w+=/,.@-]+"#
    let digits: TextPattern = "[0-9]+"
    var count = 0
    var start = 0
    for end in 0...text.count where end == text.count || text[end] == UInt8(ascii: ":") {
      let field = text.extracting(start..<end)
      let isRight =
        switch count {
        case 0: ByteSearch.has("arn", field, at: 0) && field.count == 3
        case 3: field.isEmpty || part.matches(field)
        case 4: digits.matches(field)
        default: part.matches(field)
        }
      guard isRight, count < 8 else { return false }
      count += 1
      start = end + 1
    }
    return count >= 6
  }

  private static func position(
    of bytes: [UInt8], in text: borrowing Span<UInt8>, from start: Int
  ) -> Int? {
    guard text.count >= start + bytes.count else { return nil }
    for index in start...(text.count - bytes.count) {
      var length = 0
      while length < bytes.count, text[index + length] == bytes[length] { length += 1 }
      if length == bytes.count { return index }
    }
    return nil
  }
}
