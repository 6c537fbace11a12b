internal import TokenSecurityBase

extension AccessExplanation {
  /// Maximum number of statements in a line.
  private static let statementLimit = 16
  /// Maximum number of variables of a statement in a line.
  private static let variableLimit = 4

  /// The decision, and why other statements do not apply, as a line of a log.
  package var line: String {
    guard decision.statement == nil else { return decision.sentence }
    var parts = [decision.sentence]
    for finding in statements.prefix(Self.statementLimit) where finding.isAllow {
      for mismatch in finding.mismatches {
        parts.append("\(finding.statement): \(mismatch.text) [\(mismatch.code.rawValue)]")
      }
      for variable in finding.variables.prefix(Self.variableLimit) {
        parts.append("\(variable.name.visible(upTo: 128)) is \(variable.value.quoted(upTo: 128))")
      }
    }
    if statements.count > Self.statementLimit { parts.append("…") }
    return parts.joined(separator: "; ")
  }
}

extension ElementMismatch {
  /// Maximum number of expected values in a line.
  private static let valueLimit = 2

  /// The element with the first of its values in the policy.
  fileprivate var text: String {
    let name = element.visible(upTo: 128)
    guard !expected.isEmpty else { return name }
    let values = expected.prefix(Self.valueLimit).map { $0.quoted(upTo: 128) }.joined(separator: ", ")
    return "\(name) \(values)\(expected.count > Self.valueLimit ? ", …" : "")"
  }
}
