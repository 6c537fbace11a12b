/// The kind of a constraint.
public enum ConstraintKind: Sendable, Hashable, CaseIterable {
  /// The member must be present.
  case missing
  /// The length of a text, or the number of elements.
  case length
  /// The size of a number.
  case range
  /// The form of a text.
  case pattern
  /// One of some texts.
  case choice
}

/// The sentences of constraints, in the words of AWS's services.
enum Constraint {
  static let notNull = "Member must not be null"
  private static let length = "Member must have length "
  private static let value = "Member must have value "
  private static let pattern = "Member must satisfy regular expression pattern: "

  /// The kind of a constraint.
  static func kind(_ sentence: String) -> ConstraintKind {
    if sentence == notNull { return .missing }
    if sentence.hasPrefix(length) { return .length }
    if sentence.hasPrefix(value) { return .range }
    return sentence.hasPrefix(pattern) ? .pattern : .choice
  }

  static func length(atMost maximum: Int) -> String {
    "\(length)less than or equal to \(maximum)"
  }

  static func length(atLeast minimum: Int) -> String {
    "\(length)greater than or equal to \(minimum)"
  }

  static func value(atMost maximum: Int64) -> String {
    "\(value)less than or equal to \(maximum)"
  }

  static func value(atLeast minimum: Int64) -> String {
    "\(value)greater than or equal to \(minimum)"
  }

  static func pattern(_ pattern: String) -> String {
    "\(Self.pattern)\(pattern)"
  }

  static func choice(_ names: [String]) -> String {
    "Member must satisfy enum value set: [\(names.joined(separator: ", "))]"
  }

  static func elements(_ constraints: [String]) -> String {
    "Member must satisfy constraint: [\(constraints.joined(separator: ", "))]"
  }

  static func keys(_ constraints: [String]) -> String {
    "Map keys must satisfy constraint: [\(constraints.joined(separator: ", "))]"
  }

  static func values(_ constraints: [String]) -> String {
    "Map value must satisfy constraint: [\(constraints.joined(separator: ", "))]"
  }
}
