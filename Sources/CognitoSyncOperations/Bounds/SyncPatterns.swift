internal import ServiceOperations
internal import TokenSecurityEncodings

extension TextPattern {
  /// The ARN of a platform application of SNS.
  static let applicationARN = TextPattern(
    #"arn:aws:sns:[-0-9a-z]+:\d+:app/[A-Z_]+/[a-zA-Z0-9_.-]+"#,
    example: "arn:aws:sns:eu-west-1:123456789012:app/GCM/app"
  ) { text in
    var place = 0
    guard Pieces.take("arn:aws:sns:", text, &place),
      Pieces.takeAll({ $0.isDigit || $0.isLower || $0 == UInt8(ascii: "-") }, text, &place),
      Pieces.take(":", text, &place), Pieces.takeAll({ $0.isDigit }, text, &place),
      Pieces.take(":app/", text, &place),
      Pieces.takeAll({ $0.isUpper || $0 == UInt8(ascii: "_") }, text, &place),
      Pieces.take("/", text, &place), Pieces.takeAll({ $0.isOfName }, text, &place)
    else { return false }
    return place == text.count
  }

  /// The ARN of a role.
  static let roleARN = TextPattern(
    #"arn:aws:iam::\d+:role/.*"#, example: "arn:aws:iam::123456789012:role/push"
  ) { text in
    var place = 0
    guard Pieces.take("arn:aws:iam::", text, &place), Pieces.takeAll({ $0.isDigit }, text, &place),
      Pieces.take(":role/", text, &place)
    else { return false }
    for index in place..<text.count where text[index] == 0x0A || text[index] == 0x0D { return false }
    return true
  }
}

/// Takes pieces of a text from its beginning, each byte once.
private enum Pieces {
  /// Takes this text; false where another one follows.
  static func take(_ piece: String, _ text: borrowing Span<UInt8>, _ place: inout Int) -> Bool {
    guard text.count - place >= piece.utf8.count, ByteSearch.has(piece, text, at: place) else { return false }
    place += piece.utf8.count
    return true
  }

  /// Takes all bytes of a class; false where none follows.
  static func takeAll(_ isPart: (UInt8) -> Bool, _ text: borrowing Span<UInt8>, _ place: inout Int) -> Bool {
    let start = place
    while place < text.count, isPart(text[place]) { place += 1 }
    return place > start
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isLower: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
  fileprivate var isUpper: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  /// A letter, a digit, an underscore, a full stop or a hyphen.
  fileprivate var isOfName: Bool {
    isLetterOrDigit || self == UInt8(ascii: "_") || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
  }
}
