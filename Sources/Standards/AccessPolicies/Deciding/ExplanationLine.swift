internal import TokenSecurityBase

extension AccessExplanation {
  /// Maximum number of statements in a line.
  private static let statementLimit = 16

  /// The decision, and why other statements do not apply, as a line of a log.
  package var line: String {
    guard decision.statement == nil else { return decision.sentence }
    var parts = [decision.sentence]
    for finding in statements.prefix(Self.statementLimit) where finding.isAllow {
      for mismatch in finding.mismatches {
        let element = mismatch.element.visible(upTo: 128)
        parts.append("\(finding.statement): \(element) [\(mismatch.code.rawValue)]")
      }
    }
    if statements.count > Self.statementLimit { parts.append("…") }
    return parts.joined(separator: "; ")
  }
}
