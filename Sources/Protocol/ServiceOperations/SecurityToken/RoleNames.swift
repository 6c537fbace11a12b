internal import TokenSecurityBase

extension TextPattern {
  /// A role's ARN, without a colon in the name.
  static let roleARN = TextPattern(
    #"arn:aws[\w-]*:iam::\d{12}:role/[\x21-\x7E]+"#, example: "arn:aws:iam::123456789012:role/guest"
  ) { text in
    guard text.indices.allSatisfy({ (0x21...0x7E).contains(text[$0]) }) else { return false }
    var bytes: [UInt8] = []
    bytes.append(copying: text)
    let parts = String(decoding: bytes, as: UTF8.self).parts(at: ":")
    return parts.count == 6 && parts[0] == "arn" && (parts[1] == "aws" || parts[1].hasPrefix("aws-"))
      && parts[2] == "iam" && parts[3].isEmpty && parts[4].isDigits(count: 12)
      && parts[5].hasPrefix("role/") && parts[5].utf8.count > 5
  }
}
