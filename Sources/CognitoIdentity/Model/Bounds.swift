internal import TokenSecurityEncodings

/// The bounds that the service's model sets for texts: their length and their characters.
struct Bounds: Sendable {
  let length: ClosedRange<Int>
  let pattern: String?
  private let matches: @Sendable (String) -> Bool

  private init(_ length: ClosedRange<Int>) {
    self.length = length
    pattern = nil
    matches = { _ in true }
  }

  /// Bounds that each character must match.
  private init(
    _ length: ClosedRange<Int>, _ pattern: String, _ allows: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) {
    self.length = length
    self.pattern = pattern
    matches = { $0.unicodeScalars.allSatisfy(allows) }
  }

  /// Bounds that the text must match as a whole.
  private init(
    whole: @escaping @Sendable (String) -> Bool, _ length: ClosedRange<Int>, _ pattern: String
  ) {
    self.length = length
    self.pattern = pattern
    matches = whole
  }

  /// Returns true for a text within the bounds.
  func allows(_ text: String) -> Bool {
    do throws(IdentityError) {
      try check(text, "")
      return true
    } catch {
      return false
    }
  }

  /// Checks a text.
  ///
  /// - Throws: `parameterLength`, `parameterPattern`.
  func check(_ text: String, _ name: String) throws(IdentityError) {
    let count = text.unicodeScalars.count
    guard length.contains(count) else { throw .parameterLength(name, count: count, allowed: length) }
    if let pattern, !matches(text) { throw .parameterPattern(name, pattern: pattern) }
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_": true
    default: false
    }
  }

  private static func isID(_ text: String) -> Bool {
    let bytes = text.utf8.span
    var colon: Int?
    for index in bytes.indices {
      switch bytes[index] {
      case UInt8(ascii: ":"):
        guard colon == nil else { return false }
        colon = index
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "-"):
        break
      case UInt8(ascii: "g")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"):
        guard colon == nil else { return false }
      default: return false
      }
    }
    guard let colon else { return false }
    return colon > 0 && colon < bytes.count - 1
  }

  private static func word(_ more: String) -> @Sendable (Unicode.Scalar) -> Bool {
    { isWord($0) || more.unicodeScalars.contains($0) }
  }

  private static func isAccessKeyID(_ text: String) -> Bool {
    text.hasPrefix("AKIA")
      && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || (0x32...0x37).contains($0) }
  }

  private static func isRoleARN(_ text: String) -> Bool {
    let parts = text.parts(at: ":")
    return parts.count == 6 && parts[0] == "arn" && (parts[1] == "aws" || parts[1].hasPrefix("aws-"))
      && parts[2] == "iam" && parts[3].isEmpty && parts[4].isDigits(count: 12) && parts[5].hasPrefix("role/")
      && parts[5].utf8.count > 5 && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
  }

  static let poolOrIdentityID = Bounds(whole: isID, 1...55, #"[\w-]+:[0-9a-f-]+"#)
  static let poolName = Bounds(1...128, #"[\w\s+=,.@-]+"#, word(" \t\n\u{B}\u{C}\r+=,.@-"))
  static let developerProviderName = Bounds(1...128, #"[\w._-]+"#, word("._-"))
  static let developerUserIdentifier = Bounds(1...1_024)
  static let providerName = Bounds(1...128)
  static let providerID = Bounds(1...128, #"[\w.;_/-]+"#, word(".;/-"))
  static let userPoolProviderName = Bounds(1...128, #"[\w._:/-]+"#, word("._:/-"))
  static let userPoolClientID = Bounds(1...128, #"[\w_]+"#, word(""))
  static let arn = Bounds(20...2_048)
  /// A role's ARN as IAM writes it, without a colon in the name.
  static let roleARN = Bounds(whole: isRoleARN, 20...2_048, #"arn:aws[\w-]*:iam::\d{12}:role/[\x21-\x7E]+"#)
  /// A developer's access key.
  static let accessKeyID = Bounds(whole: isAccessKeyID, 20...20, "AKIA[A-Z2-7]{16}")
  static let token = Bounds(1...50_000)
  static let tagKey = Bounds(1...128)
  static let tagValue = Bounds(0...256)
  static let principalTagValue = Bounds(1...256)
  static let accountID = Bounds(1...15, #"\d+"#) { ("0"..."9").contains($0) }
  static let nextToken = Bounds(1...65_535, #"[\S]+"#) { !$0.properties.isWhitespace }
  static let claim = Bounds(1...64, #"[\p{L}\p{M}\p{S}\p{N}\p{P}]+"#) {
    switch $0.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .spaceSeparator:
      false
    default: true
    }
  }
  static let claimValue = Bounds(1...128)
  static let sessionName = Bounds(2...64, #"[\w+=,.@-]*"#, word("+=,.@-"))
  static let webIdentityToken = Bounds(4...20_000)

  /// Checks the size of a list or map.
  static func count(_ count: Int, _ allowed: ClosedRange<Int>, _ name: String) throws(IdentityError) {
    guard allowed.contains(count) else { throw .parameterLength(name, count: count, allowed: allowed) }
  }

  /// Checks the size of a page.
  static func page(_ size: Int64) throws(IdentityError) -> Int {
    guard (1...60).contains(size) else { throw .parameterRange("MaxResults", value: size, allowed: 1...60) }
    return Int(size)
  }
}
