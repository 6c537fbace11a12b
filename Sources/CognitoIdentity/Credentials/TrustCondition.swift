internal import TokenSecurityEncodings

/// A condition of a trust policy: an operator, a name, and the values that will do.
struct TrustCondition: Sendable, Hashable {
  let comparison: Comparison
  let quantifier: Quantifier
  /// The name in small letters: case does not matter in names.
  let name: String
  let values: [String]

  /// How a value must be like one of the condition's.
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

    func matches(_ found: String, _ value: String) -> Bool {
      switch self {
      case .stringEquals, .stringNotEquals: found == value
      case .stringEqualsIgnoreCase: found.lowercasedASCII == value.lowercasedASCII
      case .stringLike, .stringNotLike: Wildcards.match(found, value)
      case .arnEquals, .arnLike, .arnNotLike: Wildcards.matchARN(found, value)
      }
    }
  }

  /// What is asked of names that have several values.
  enum Quantifier: ExactString, Sendable, Hashable, CaseIterable {
    /// There is one value.
    case single = ""
    /// One of them is enough; none is not.
    case anyValue = "ForAnyValue"
    /// Each of them must do. **None at all will do as well.**
    case allValues = "ForAllValues"
  }

  /// True where the condition ties the identity's pool to pools that it names.
  var bindsPool: Bool {
    comparison == .stringEquals && quantifier != .allValues && name == TrustContext.audience
      && !values.isEmpty
  }

  /// Whether the condition holds.
  func holds(_ context: NameMap<[String]>) -> Bool {
    let found = context[name] ?? []
    func fits(_ value: String) -> Bool {
      comparison.isNegated
        ? !values.contains { comparison.matches(value, $0) }
        : values.contains { comparison.matches(value, $0) }
    }
    switch quantifier {
    case .anyValue: return found.contains(where: fits)
    case .allValues: return found.allSatisfy(fits)
    case .single:
      // What is not there is unlike anything.
      guard !found.isEmpty else { return comparison.isNegated }
      // A name with several values needs a quantifier; without one nothing is guessed.
      guard found.count == 1 else { return false }
      return fits(found[0])
    }
  }

  /// Reads the element `Condition`.
  static func read(_ value: JSONValue?) throws(IdentityError) -> [TrustCondition] {
    func invalid(_ rule: String) -> IdentityError { .trustPolicyInvalid(rule: rule) }
    guard let value else { return [] }
    guard let operators = value.object else { throw invalid("Condition must be an object") }
    var conditions: [TrustCondition] = []
    for member in operators.members {
      let parts = member.name.parts(":")
      guard parts.count <= 2, let last = parts.last, let comparison = Comparison(name: last),
        let quantifier = Quantifier(name: parts.count == 2 ? parts[0] : ""),
        parts.count == 1 || quantifier != .single
      else { throw invalid("the condition operator \(member.name.quoted) is not understood") }
      guard let names = member.value.object, !names.members.isEmpty else {
        throw invalid("\(member.name.quoted) must be an object of names and values")
      }
      let first = conditions.count
      for name in names.members {
        guard let values = name.value.oneOrMore, !values.isEmpty else {
          throw invalid("the values of \(name.name.quoted) must be a text or a list of texts")
        }
        guard !values.contains(where: { $0.utf8.firstRange(of: "${".utf8) != nil }) else {
          throw invalid("policy variables are not understood")
        }
        let key = name.name.lowercasedASCII
        guard !conditions.dropFirst(first).contains(where: { $0.name == key }) else {
          throw invalid("\(name.name.quoted) is there twice: names have no case")
        }
        conditions.append(
          TrustCondition(comparison: comparison, quantifier: quantifier, name: key, values: values))
      }
    }
    return conditions
  }
}

/// `*` for any number of characters, `?` for one.
enum Wildcards {
  /// Whether all of `text` is like `pattern`; in time of their lengths multiplied, whatever the pattern.
  static func match(_ text: String, _ pattern: String) -> Bool {
    match(Array(text.utf8), Array(pattern.utf8))
  }

  private static func match(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var at = 0
    var place = 0
    // Where the last star stands, and how far it reached when it was last tried.
    var star: (place: Int, at: Int)? = nil
    while at < text.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, at)
        place += 1
      } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") || pattern[place] == text[at] {
        at += 1
        place += 1
      } else if let last = star {
        star = (last.place, last.at + 1)
        at = last.at + 1
        place = last.place + 1
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// The same for ARNs: each of the six parts by itself, so that a star does not reach beyond a colon but in the last.
  static func matchARN(_ text: String, _ pattern: String) -> Bool {
    let found = parts(text)
    let wanted = parts(pattern)
    guard found.count == 6, wanted.count == 6 else { return false }
    return zip(found, wanted).allSatisfy { match(Array($0), Array($1)) }
  }

  private static func parts(_ text: String) -> [ArraySlice<UInt8>] {
    Array(text.utf8).split(separator: UInt8(ascii: ":"), maxSplits: 5, omittingEmptySubsequences: false)
  }
}
