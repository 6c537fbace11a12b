internal import TokenSecurityBase

/// A statement of a policy.
package struct Statement: Sendable {
  /// The statement's place in the document, from 1.
  package let number: Int
  package let sid: String?
  package let isAllow: Bool
  package let principals: PrincipalElement?
  package let actions: ActionElement
  package let resources: ResourceElement?
  package let conditions: [Condition]

  /// `Action` or `NotAction`.
  package struct ActionElement: Sendable {
    package let isNegated: Bool
    package let texts: [String]
    /// The patterns in lower case: actions are case-insensitive.
    let patterns: [WildcardPattern]

    init(isNegated: Bool, texts: [String]) {
      self.isNegated = isNegated
      self.texts = texts
      patterns = texts.map { WildcardPattern(PatternSymbols(pattern: $0).folded) }
    }

    /// True if one of the patterns matches an action, `isNegated` aside.
    package func pattern(at index: Int, matches action: String) -> Bool {
      let folded = action.lowercasedASCII
      return patterns[index].matches(folded.utf8.span)
    }

    func fits(_ request: AccessRequest) -> Bool {
      patterns.contains { $0.matches(request.foldedAction.span) } != isNegated
    }
  }

  /// `Resource` or `NotResource`.
  package struct ResourceElement: Sendable {
    package let isNegated: Bool
    let texts: [PreparedText]

    func fits(_ request: AccessRequest) -> Bool {
      texts.contains { $0.matches(request.resourceBytes.span, in: request.context) } != isNegated
    }
  }

  /// The part of a statement that does not fit a request.
  enum Mismatch: Sendable, Hashable {
    case principal
    case action
    case resource
    case condition
  }

  /// How a statement relates to a request.
  enum Match: Sendable, Hashable {
    /// It applies. A statement without principals names the caller by being attached to it.
    case applies(PrincipalElement.Grant)
    case fails(Mismatch)
  }

  /// Compares the statement with a request, from the cheapest element to the conditions.
  func match(_ request: AccessRequest, hasBoundary: Bool) -> Match {
    guard actions.fits(request) else { return .fails(.action) }
    var grant = PrincipalElement.Grant.direct
    if let principals {
      guard let found = principals.grant(request.principal, hasBoundary: hasBoundary) else {
        return .fails(.principal)
      }
      grant = found
    }
    if let resources, !resources.fits(request) { return .fails(.resource) }
    for condition in conditions where condition.outcome(request.context, isDeny: !isAllow) != .met {
      return .fails(.condition)
    }
    return .applies(grant)
  }
}
