package import TokenSecurityBase

/// A condition of a statement: an operator, a key and the values that the policy has for it.
package struct Condition: Sendable {
  package let comparison: ConditionOperator
  package let quantifier: ConditionQuantifier
  /// True for operators that end in `IfExists`: a request without the key meets the condition.
  package let allowsAbsence: Bool
  /// The operator as the document has it.
  package let operatorText: String
  /// The key as the document has it, and in lower case.
  package let key: String
  package let name: ExactString
  /// The values as the document has them.
  package let values: [String]
  /// True if all of them are strings in the document, and not numbers or booleans.
  package let areStrings: Bool
  let operands: ConditionOperands

  /// The outcome of a condition.
  enum Outcome: Sendable, Hashable {
    case met
    /// The request does not have the key.
    case absent
    /// The request has the key, which must be absent.
    case present
    /// The key has several values, and the operator no quantifier.
    case several
    /// No value fits, or one of them does not.
    case mismatch
  }

  /// Compares the condition with the keys of a request.
  ///
  /// Several values of a key whose operator has no quantifier fit a statement that denies where one of them does, and
  /// none that allows.
  func outcome(_ context: AccessContext, isDeny: Bool) -> Outcome {
    let actual = context.values(of: name)
    // An empty text is null, and for the quantifiers an empty set.
    let isNull = actual.allSatisfy(\.isEmpty)
    if case .absence(let flags) = operands {
      // No value is compared: all of them fit, and none does.
      guard quantifier == .single else { return quantifier == .allValues ? .met : .mismatch }
      guard !flags.contains(isNull) else { return .met }
      return isNull ? .absent : .present
    }
    if actual.isEmpty, allowsAbsence { return .met }
    if isNull, actual.isEmpty || quantifier != .single {
      return switch quantifier {
      case .single: comparison.isNegated ? .met : .absent
      case .anyValue: .absent
      case .allValues: .met
      }
    }
    func fits(_ value: String) -> Bool { operands.match(value, in: context) != comparison.isNegated }
    switch quantifier {
    case .anyValue: return actual.contains(where: fits) ? .met : .mismatch
    case .allValues: return actual.allSatisfy(fits) ? .met : .mismatch
    case .single:
      guard actual.count > 1 else { return fits(actual[0]) ? .met : .mismatch }
      return isDeny && actual.contains(where: fits) ? .met : .several
    }
  }
}
