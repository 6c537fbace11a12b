internal import TokenLifetime
internal import TokenSecurityBase

// The types and bounds of attributes.

extension SchemaAttribute {
  /// The rule that a value breaks, as a sentence without the value; nil for a good one.
  func rule(brokenBy value: String) -> String? {
    switch type {
    case "Number": numberRule(brokenBy: value)
    case "Boolean":
      AttributeValue.flag(value) == nil ? "Boolean attributes must be true or false" : nil
    case "DateTime":
      AttributeValue.isTime(value)
        ? nil : "DateTime attributes must be a time of RFC 3339 or seconds since 1970"
    default: textRule(brokenBy: value)
    }
  }

  private func textRule(brokenBy value: String) -> String? {
    let count = value.unicodeScalars.count
    if let least = least.flatMap({ Int($0) }), count < least {
      return "String attributes must have length greater than or equal to \(least)"
    }
    if let greatest = greatest.flatMap({ Int($0) }), count > greatest {
      return "String attributes must have length less than or equal to \(greatest)"
    }
    return nil
  }

  private func numberRule(brokenBy value: String) -> String? {
    guard let number = AttributeValue.number(value) else { return "Number attributes must be a number" }
    if let text = least, let least = AttributeValue.number(text), number < least {
      return "Number attributes must be greater than or equal to \(text)"
    }
    if let text = greatest, let greatest = AttributeValue.number(text), number > greatest {
      return "Number attributes must be less than or equal to \(text)"
    }
    return nil
  }
}

/// Values of attributes, which are texts of a type.
enum AttributeValue {
  /// Maximum size of a number in bytes.
  private static let numberLimit = 64

  /// Reads `true` or `false` in any case of letters.
  static func flag(_ value: String) -> Bool? {
    if value.isEqualIgnoringASCIICase(to: "true") { return true }
    return value.isEqualIgnoringASCIICase(to: "false") ? false : nil
  }

  /// Reads a decimal number: an optional minus sign, digits, and an optional fraction.
  static func number(_ value: String) -> Double? {
    let bytes = value.utf8
    guard bytes.count <= numberLimit else { return nil }
    let parts = (bytes.first == UInt8(ascii: "-") ? bytes.dropFirst() : bytes[...])
      .split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }) else {
      return nil
    }
    return Double(value)
  }

  static func isTime(_ value: String) -> Bool {
    guard value.utf8.count <= numberLimit else { return false }
    return Int64(value) != nil || Timestamp(rfc3339: value) != nil
  }
}
