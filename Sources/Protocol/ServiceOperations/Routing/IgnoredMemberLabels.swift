internal import TokenSecurityBase

/// The names of ignored members as labels of a metric.
///
/// Strangers choose the names. Those that a service's model has are labels always. Of others, each operation has a
/// bounded number, and what comes later is counted as `other`.
package struct IgnoredMemberLabels: Sendable {
  /// Maximum number of names of an operation that its service's model does not have.
  package static let limit = 16
  /// Maximum length of such a name.
  package static let longest = 64
  /// The label of all other members.
  package static let other = "other"

  private var labels: [ExactString: Set<ExactString>] = [:]

  /// No labels yet.
  package init() {}

  /// The label of a member: its name with those of the structures around it, or `other`.
  ///
  /// - Parameters:
  ///   - member: the member.
  ///   - operation: the operation's name for metrics.
  ///   - known: the names of members that the service's model has.
  /// - Returns: the label.
  package mutating func label(
    of member: IgnoredMember, in operation: String, known: Set<ExactString>
  ) -> String {
    let label = member.structure.isEmpty ? member.name : "\(member.structure).\(member.name)"
    if known.contains(ExactString(member.name)) { return label }
    guard (1...Self.longest).contains(member.name.utf8.count), member.name.utf8.allSatisfy(Self.isPart)
    else { return Self.other }
    let (key, name) = (ExactString(operation), ExactString(label))
    let found = labels[key, default: []]
    guard !found.contains(name) else { return label }
    guard found.count < Self.limit else { return Self.other }
    labels[key, default: []].insert(name)
    return label
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }
}
