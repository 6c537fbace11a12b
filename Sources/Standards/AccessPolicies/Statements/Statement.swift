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

    /// A pattern in lower case: actions are case-insensitive.
    static func symbols(_ text: String) -> PatternSymbols { PatternSymbols(pattern: text).folded }

    /// True if one of the patterns matches an action, `isNegated` aside.
    package func pattern(at index: Int, matches action: String) -> Bool {
      WildcardPattern(Self.symbols(texts[index])).matches(action.lowercasedASCII.utf8.span)
    }
  }

  /// `Resource` or `NotResource`.
  package struct ResourceElement: Sendable {
    package let isNegated: Bool
    let texts: [PolicyText]
  }

  /// The part of a statement that does not fit a request.
  enum Mismatch: Sendable, Hashable {
    case principal
    case action
    case resource
  }

  /// How the elements of a statement except its conditions relate to a request.
  enum Match: Sendable, Hashable {
    /// They fit. A statement without principals names the caller by being attached to it.
    case fits(PrincipalElement.Grant)
    case fails(Mismatch)
  }

  /// True if the request meets all conditions.
  func isMet(_ context: AccessContext) -> Bool {
    let conditions = conditions.span
    for index in conditions.indices
    where conditions[index].outcome(context, isDeny: !isAllow) != .met { return false }
    return true
  }
}
