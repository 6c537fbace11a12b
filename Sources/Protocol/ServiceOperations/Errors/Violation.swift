internal import TokenSecurityBase

/// A constraint that a member of a request breaks.
public struct Violation: Sendable, Hashable, CustomStringConvertible {
  /// The value in messages.
  public enum Value: Sendable, Hashable {
    /// It is left out, because it is secret or a structure.
    case hidden
    /// There is none.
    case null
    /// Its bounded and escaped text.
    case shown(String)
  }

  /// The member, such as `userAttributes.1.member.name`.
  public let path: String
  /// The value.
  public let value: Value
  /// The constraint, such as `Member must not be null`.
  public let constraint: String
  /// The kinds of the broken constraints: one kind, or several for elements of a list or map.
  public let kinds: Set<ConstraintKind>

  init(path: String, value: Value, constraint: String, kinds: Set<ConstraintKind>) {
    self.path = path
    self.value = value
    self.constraint = constraint
    self.kinds = kinds
  }

  /// The violation in the words of AWS's services.
  public var description: String {
    let subject =
      switch value {
      case .hidden: "Value"
      case .null: "Value null"
      case .shown(let text): "Value '\(text)'"
      }
    return "\(subject) at '\(path)' failed to satisfy constraint: \(constraint)"
  }

  /// The message about all violations of a request.
  ///
  /// - Parameter all: the violations.
  /// - Returns: one sentence with their number.
  public static func message(_ all: [Violation]) -> String {
    "\(all.count) validation error\(all.count == 1 ? "" : "s") detected: "
      + all.map(\.description).joined(separator: "; ")
  }
}

// Rules that check the arguments of functions against the bounds of members.
extension Violation {
  /// The violations of a text, whose value is left out.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - member: the name of the member, or of what has its bounds.
  ///   - bounds: the bounds.
  /// - Returns: the violations; none for a text within the bounds.
  package static func of(_ text: String, _ member: String, _ bounds: TextBounds) -> [Violation] {
    hidden(bounds.broken(by: text.utf8.span), member)
  }

  /// The violations of a number.
  ///
  /// - Parameters:
  ///   - number: the number.
  ///   - member: the name of the member.
  ///   - bounds: the bounds.
  /// - Returns: the violations; none for a number within the bounds.
  package static func of(_ number: Int64, _ member: String, _ bounds: IntegerBounds) -> [Violation] {
    hidden(bounds.broken(by: number), member)
  }

  /// The violations of a number of elements.
  ///
  /// - Parameters:
  ///   - count: the number of elements.
  ///   - member: the name of the member.
  ///   - bounds: the bounds.
  /// - Returns: the violations; none for a number within the bounds.
  package static func of(count: Int, _ member: String, _ bounds: CountBounds) -> [Violation] {
    hidden(bounds.broken(by: count), member)
  }

  /// The violation of a member that must be present.
  ///
  /// - Parameter member: the name of the member.
  /// - Returns: the violation.
  package static func missing(_ member: String) -> Violation {
    Violation(path: member, value: .null, constraint: Constraint.notNull, kinds: [.missing])
  }

  /// The violation of a form that no bounds of a member express.
  ///
  /// - Parameters:
  ///   - pattern: the form.
  ///   - member: the name of the member.
  /// - Returns: the violation.
  package static func of(pattern: String, _ member: String) -> Violation {
    Violation(path: member, value: .hidden, constraint: Constraint.pattern(pattern), kinds: [.pattern])
  }

  private static func hidden(_ broken: [String], _ member: String) -> [Violation] {
    broken.map { Violation(path: member, value: .hidden, constraint: $0, kinds: [Constraint.kind($0)]) }
  }
}
