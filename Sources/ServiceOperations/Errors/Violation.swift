internal import TokenSecurityEncodings

/// A constraint that a member of a request breaks.
public struct Violation: Sendable, Hashable, CustomStringConvertible {
  /// What messages say of the value.
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
