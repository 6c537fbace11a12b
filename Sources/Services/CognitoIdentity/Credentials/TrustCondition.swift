internal import TokenSecurityBase

/// A condition of a trust policy: an operator, a key and the allowed values.
struct TrustCondition: Sendable, Hashable {
  let comparison: Comparison
  let quantifier: Quantifier
  /// The condition key in lower case. Keys are case-insensitive.
  let name: String
  let values: [String]

  /// The comparison operators.
  enum Comparison: ExactString, Sendable, Hashable, CaseIterable {
    case stringEquals = "StringEquals"
    case stringNotEquals = "StringNotEquals"
    case stringEqualsIgnoreCase = "StringEqualsIgnoreCase"
    case stringLike = "StringLike"
    case stringNotLike = "StringNotLike"
    case arnEquals = "ArnEquals"
    case arnLike = "ArnLike"
    case arnNotLike = "ArnNotLike"

    var isNegated: Bool {
      switch self {
      case .stringNotEquals, .stringNotLike, .arnNotLike: true
      default: false
      }
    }

    func matches(_ actual: String, _ value: String) -> Bool {
      switch self {
      case .stringEquals, .stringNotEquals: actual == value
      case .stringEqualsIgnoreCase: actual.lowercasedASCII == value.lowercasedASCII
      case .stringLike, .stringNotLike: Wildcards.match(actual, value)
      case .arnEquals, .arnLike, .arnNotLike: Wildcards.matchARN(actual, value)
      }
    }
  }

  /// The quantifier for keys with several values.
  enum Quantifier: ExactString, Sendable, Hashable, CaseIterable {
    /// No quantifier: the key has one value.
    case single = ""
    /// At least one value must match.
    case anyValue = "ForAnyValue"
    /// All values must match. **True for a key without values.**
    case allValues = "ForAllValues"
  }

  /// True where the condition restricts the identity's pool to listed pools.
  var bindsPool: Bool {
    comparison == .stringEquals && quantifier != .allValues && name == TrustContext.audience
      && !values.isEmpty
  }

  /// Returns true where the condition is met.
  func isMet(_ context: NameMap<[String]>) -> Bool {
    let actual = context[name] ?? []
    func fits(_ value: String) -> Bool {
      comparison.isNegated
        ? !values.contains { comparison.matches(value, $0) }
        : values.contains { comparison.matches(value, $0) }
    }
    switch quantifier {
    case .anyValue: return actual.contains(where: fits)
    case .allValues: return actual.allSatisfy(fits)
    case .single:
      guard !actual.isEmpty else { return comparison.isNegated }
      // Several values need a quantifier.
      guard actual.count == 1 else { return false }
      return fits(actual[0])
    }
  }

  /// Reads the element `Condition`.
  static func read(_ value: JSONValue?) throws(IdentityError) -> [TrustCondition] {
    func invalid(_ rule: String) -> IdentityError { .trustPolicyInvalid(rule: rule) }
    guard let value else { return [] }
    guard let operators = value.object else { throw invalid("Condition must be an object") }
    var conditions: [TrustCondition] = []
    for member in operators.members {
      let parts = member.name.parts(at: ":")
      guard parts.count <= 2, let last = parts.last, let comparison = Comparison(name: last),
        let quantifier = Quantifier(name: parts.count == 2 ? parts[0] : ""),
        parts.count == 1 || quantifier != .single
      else { throw invalid("the condition operator \(member.name.quoted) is not supported") }
      guard let names = member.value.object, !names.members.isEmpty else {
        throw invalid("\(member.name.quoted) must be an object of names and values")
      }
      let first = conditions.count
      for name in names.members {
        guard let values = name.value.oneOrMore, !values.isEmpty else {
          throw invalid("the values of \(name.name.quoted) must be a string or a list of strings")
        }
        guard !values.contains(where: { $0.utf8.firstRange(of: "${".utf8) != nil }) else {
          throw invalid("policy variables are not supported")
        }
        let key = name.name.lowercasedASCII
        guard !conditions.dropFirst(first).contains(where: { $0.name == key }) else {
          throw invalid("\(name.name.quoted) is duplicated: condition keys are case-insensitive")
        }
        conditions.append(
          TrustCondition(comparison: comparison, quantifier: quantifier, name: key, values: values))
      }
    }
    return conditions
  }
}

/// Patterns with `*` for any number of characters and `?` for one.
enum Wildcards {
  /// Returns true where all of `text` matches `pattern`. The time is at most the product of their lengths.
  static func match(_ text: String, _ pattern: String) -> Bool {
    match(Array(text.utf8), Array(pattern.utf8))
  }

  private static func match(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var at = 0
    var position = 0
    // The position of the last star, and the end of the text that it matches so far.
    var star: (position: Int, at: Int)? = nil
    while at < text.count {
      if position < pattern.count, pattern[position] == UInt8(ascii: "*") {
        star = (position, at)
        position += 1
      } else if position < pattern.count,
        pattern[position] == UInt8(ascii: "?") || pattern[position] == text[at]
      {
        at += 1
        position += 1
      } else if let last = star {
        star = (last.position, last.at + 1)
        at = last.at + 1
        position = last.position + 1
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Matches ARNs part by part: a star does not match a colon, except in the sixth part.
  static func matchARN(_ text: String, _ pattern: String) -> Bool {
    let actual = parts(text)
    let expected = parts(pattern)
    guard actual.count == 6, expected.count == 6 else { return false }
    return zip(actual, expected).allSatisfy { match(Array($0), Array($1)) }
  }

  private static func parts(_ text: String) -> [ArraySlice<UInt8>] {
    Array(text.utf8).split(separator: UInt8(ascii: ":"), maxSplits: 5, omittingEmptySubsequences: false)
  }
}
