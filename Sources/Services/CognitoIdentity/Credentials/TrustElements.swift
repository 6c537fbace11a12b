internal import AccessPolicies
internal import TokenSecurityBase

/// The elements and operators that a trust policy may have, of those that policy documents of IAM have.
enum TrustElements {
  private static let operators: [ConditionOperator] = [
    .stringEquals, .stringNotEquals, .stringEqualsIgnoreCase, .stringLike, .stringNotLike, .arnEquals,
    .arnLike,
    .arnNotLike,
  ]

  /// Checks the elements of a statement.
  ///
  /// - Throws: `trustPolicyInvalid`.
  static func check(_ statement: Statement) throws(IdentityError) {
    func invalid(_ rule: String) -> IdentityError { .trustPolicyInvalid(rule: rule) }
    guard let principals = statement.principals, !principals.entries.isEmpty,
      !principals.entries.contains(.everyone)
    else { throw invalid("Principal must name principals; \"*\" would allow everyone") }
    guard !principals.isNegated else { throw invalid("NotPrincipal is not supported") }
    for entry in principals.entries {
      if case .named(.canonicalUser, _) = entry {
        throw invalid("the principal \(entry.text.quoted) is not supported")
      }
    }
    guard !statement.actions.isNegated else { throw invalid("NotAction is not supported") }
    guard !statement.actions.texts.isEmpty else { throw invalid("Action is missing") }
    for condition in statement.conditions {
      guard operators.contains(condition.comparison), !condition.allowsAbsence else {
        throw invalid("the condition operator \(condition.operatorText.quoted) is not supported")
      }
      guard condition.areStrings else {
        throw invalid("the values of \(condition.key.quoted) must be a string or a list of strings")
      }
      guard !condition.values.contains(where: { $0.utf8.firstRange(of: "${".utf8) != nil }) else {
        throw invalid("policy variables are not supported")
      }
    }
  }
}
