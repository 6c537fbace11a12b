internal import TokenSecurityBase

/// A decision with all statements that were compared: which apply, and why the others do not.
public struct AccessExplanation: Sendable {
  /// The decision.
  public let decision: AccessDecision
  /// The statements of all policies, in the order in which they were compared.
  public let statements: [StatementFinding]
}

/// A statement and how it relates to a request.
public struct StatementFinding: Sendable, Hashable {
  /// The statement.
  public let statement: StatementReference
  /// True if it allows, false if it denies.
  public let isAllow: Bool
  /// The elements that do not fit the request; empty where the statement applies. Conditions are listed where all other elements fit.
  public let mismatches: [ElementMismatch]

  /// True if the statement applies to the request.
  public var applies: Bool { mismatches.isEmpty }
}

/// An element of a statement that does not fit a request.
public struct ElementMismatch: Sendable, Hashable {
  /// The reasons, each with a stable code.
  @nonexhaustive public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The statement does not name the caller.
    case principal = "access_principal_mismatch"
    /// The statement does not name the action.
    case action = "access_action_mismatch"
    /// The statement does not name the resource.
    case resource = "access_resource_mismatch"
    /// A condition's values do not fit.
    case condition = "access_condition_mismatch"
    /// The request lacks a condition's key.
    case keyMissing = "access_condition_key_missing"
    /// The request has a key that must be absent.
    case keyPresent = "access_condition_key_present"
    /// The request has several values of a key, and the operator needs a quantifier.
    case severalValues = "access_condition_values_several"
    /// A variable of the statement has no value.
    case variableMissing = "access_variable_missing"
  }

  /// The code.
  public let code: Code
  /// The element: `NotAction`, or an operator and a key such as `StringLike s3:prefix`.
  public let element: String
  /// The values of the policy.
  public let expected: [String]
  /// The values of the request.
  public let actual: [String]
  /// The variables without a value.
  public let missing: [String]
}

extension PolicySet {
  /// Decides a request, and says of each statement why it applies or not.
  ///
  /// - Parameter request: the request.
  /// - Returns: the same decision as ``decide(_:)``, and all statements.
  public func explain(_ request: AccessRequest) -> AccessExplanation {
    var findings: [StatementFinding] = []
    for source in AccessDecision.Source.allCases {
      for policy in self[source] {
        for statement in policy.statements {
          let match = statement.match(request, hasBoundary: !boundary.isEmpty)
          findings.append(
            StatementFinding(
              statement: StatementReference(source, policy, statement), isAllow: statement.isAllow,
              mismatches: statement.mismatches(request, match)))
        }
      }
    }
    return AccessExplanation(decision: decide(request), statements: findings)
  }
}

extension Statement {
  /// The elements that do not fit, by the first mismatch.
  fileprivate func mismatches(_ request: AccessRequest, _ match: Match) -> [ElementMismatch] {
    guard case .fails(let mismatch) = match else { return [] }
    switch mismatch {
    case .principal:
      return [
        ElementMismatch(
          code: .principal, element: principals?.isNegated == true ? "NotPrincipal" : "Principal",
          expected: principals?.entries.map(\.text) ?? [], actual: [request.principal.text], missing: [])
      ]
    case .action:
      return [
        ElementMismatch(
          code: .action, element: actions.isNegated ? "NotAction" : "Action", expected: actions.texts,
          actual: [request.action], missing: [])
      ]
    case .resource:
      let missing = resources?.texts.flatMap { $0.text.missing(in: request.context) } ?? []
      return [
        ElementMismatch(
          code: missing.isEmpty ? .resource : .variableMissing,
          element: resources?.isNegated == true ? "NotResource" : "Resource",
          expected: resources?.texts.map(\.text.source) ?? [], actual: [request.resource], missing: missing)
      ]
    case .condition: return conditions.compactMap { $0.mismatch(request.context, isDeny: !isAllow) }
    }
  }
}

extension Condition {
  fileprivate func mismatch(_ context: AccessContext, isDeny: Bool) -> ElementMismatch? {
    let missing = operands.missingVariables(in: context)
    let code: ElementMismatch.Code
    switch outcome(context, isDeny: isDeny) {
    case .met: return nil
    case .absent: code = .keyMissing
    case .present: code = .keyPresent
    case .several: code = .severalValues
    case .mismatch: code = missing.isEmpty ? .condition : .variableMissing
    }
    return ElementMismatch(
      code: code, element: "\(operatorText) \(key)", expected: values, actual: context[key] ?? [],
      missing: missing)
  }
}
