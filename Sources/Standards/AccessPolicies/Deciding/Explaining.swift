internal import TokenSecurityBase

extension PolicySet {
  /// Decides a request, and says of each statement why it applies or not.
  ///
  /// - Parameter request: the request.
  /// - Returns: the same decision as ``decide(_:)``, and all statements.
  public func explain(_ request: AccessRequest) -> AccessExplanation {
    var findings: [StatementFinding] = []
    var denial: StatementIndex? = nil
    var allowing = AllowingStatements()
    for source in AccessDecision.Source.allCases {
      for (policy, document) in self[source].enumerated() {
        for (number, statement) in document.statements.enumerated() {
          let index = StatementIndex(source: source, policy: policy, statement: number)
          let match = document.prepared.table.match(number, request, hasBoundary: !boundary.isEmpty)
          let finding = statement.finding(reference(index), request, match)
          findings.append(finding)
          guard finding.applies, case .fits(let grant) = match else { continue }
          if statement.isAllow {
            allowing.note(index, grant)
          } else {
            denial = denial ?? index
          }
        }
      }
    }
    return AccessExplanation(decision: decide(request, denial, allowing), statements: findings)
  }
}

extension Statement {
  /// How the statement relates to a request. Elements after the first one that does not fit are not looked at.
  fileprivate func finding(
    _ reference: StatementReference, _ request: AccessRequest, _ match: Match
  ) -> StatementFinding {
    var mismatches: [ElementMismatch] = []
    var met: [MetCondition] = []
    var texts: [PolicyText] = []
    switch match {
    case .fails(let element):
      mismatches.append(mismatch(element, request))
      if element == .resource { texts = resources?.texts ?? [] }
    case .fits:
      texts = (resources?.texts ?? []) + conditions.flatMap(\.operands.textsWithVariables)
      for condition in conditions {
        let outcome = condition.outcome(request.context, isDeny: !isAllow)
        if let mismatch = condition.mismatch(outcome, request.context) {
          mismatches.append(mismatch)
        } else {
          met.append(
            MetCondition(
              element: condition.element, isNegated: condition.comparison.isNegated,
              expected: condition.values,
              actual: request.context[condition.key] ?? []))
        }
      }
    }
    return StatementFinding(
      statement: reference, isAllow: isAllow, mismatches: mismatches, metConditions: met,
      variables: Self.values(texts, request.context))
  }

  /// The values of variables, each once.
  private static func values(_ texts: [PolicyText], _ context: AccessContext) -> [VariableValue] {
    var seen: Set<[ExactString]> = []
    return texts.flatMap { $0.values(in: context) }.compactMap { (key, value) in
      let isNew = seen.insert([ExactString(key), ExactString(value)]).inserted
      return isNew ? VariableValue(name: key, value: value) : nil
    }
  }

  private func mismatch(_ element: Mismatch, _ request: AccessRequest) -> ElementMismatch {
    switch element {
    case .principal:
      let isNegated = principals?.isNegated == true
      return ElementMismatch(
        code: .principal, element: isNegated ? "NotPrincipal" : "Principal", isNegated: isNegated,
        expected: principals?.entries.map(\.text) ?? [], actual: [request.principal.text], missing: [])
    case .action:
      return ElementMismatch(
        code: .action, element: actions.isNegated ? "NotAction" : "Action", isNegated: actions.isNegated,
        expected: actions.texts, actual: [request.action], missing: [])
    case .resource:
      let isNegated = resources?.isNegated == true
      let missing = resources?.texts.flatMap { $0.missing(in: request.context) } ?? []
      return ElementMismatch(
        code: missing.isEmpty ? .resource : .variableMissing,
        element: isNegated ? "NotResource" : "Resource", isNegated: isNegated,
        expected: resources?.texts.map(\.source) ?? [], actual: [request.resource], missing: missing)
    }
  }
}

extension Condition {
  fileprivate var element: String { "\(operatorText) \(key)" }

  /// What an outcome says; nil for a condition that is met.
  fileprivate func mismatch(_ outcome: Outcome, _ context: AccessContext) -> ElementMismatch? {
    let missing = operands.textsWithVariables.flatMap { $0.missing(in: context) }
    let code: ElementMismatch.Code
    switch outcome {
    case .met: return nil
    case .absent: code = .keyMissing
    case .present: code = .keyPresent
    case .several: code = .severalValues
    case .mismatch: code = missing.isEmpty ? .condition : .variableMissing
    }
    return ElementMismatch(
      code: code, element: element, isNegated: comparison.isNegated, expected: values,
      actual: context[key] ?? [], missing: missing)
  }
}
