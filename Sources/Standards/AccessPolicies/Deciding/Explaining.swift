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
    let mismatches: [ElementMismatch] =
      switch match {
      case .fails(let element): [mismatch(element, request)]
      case .fits: conditions.compactMap { $0.mismatch(request.context, isDeny: !isAllow) }
      }
    return StatementFinding(statement: reference, isAllow: isAllow, mismatches: mismatches)
  }

  private func mismatch(_ element: Mismatch, _ request: AccessRequest) -> ElementMismatch {
    switch element {
    case .principal:
      let isNegated = principals?.isNegated == true
      return ElementMismatch(
        code: .principal, element: isNegated ? "NotPrincipal" : "Principal",
        expected: principals?.entries.map(\.text) ?? [], actual: [request.principal.text], missing: [])
    case .action:
      return ElementMismatch(
        code: .action, element: actions.isNegated ? "NotAction" : "Action",
        expected: actions.texts, actual: [request.action], missing: [])
    case .resource:
      let isNegated = resources?.isNegated == true
      let missing = resources?.texts.flatMap { $0.missing(in: request.context) } ?? []
      return ElementMismatch(
        code: missing.isEmpty ? .resource : .variableMissing,
        element: isNegated ? "NotResource" : "Resource",
        expected: resources?.texts.map(\.source) ?? [], actual: [request.resource], missing: missing)
    }
  }
}

extension Condition {
  fileprivate func mismatch(_ context: AccessContext, isDeny: Bool) -> ElementMismatch? {
    let missing = operands.textsWithVariables.flatMap { $0.missing(in: context) }
    let code: ElementMismatch.Code
    switch outcome(context, isDeny: isDeny) {
    case .met: return nil
    case .absent: code = .keyMissing
    case .present: code = .keyPresent
    case .several: code = .severalValues
    case .mismatch: code = missing.isEmpty ? .condition : .variableMissing
    }
    return ElementMismatch(
      code: code, element: "\(operatorText) \(key)", expected: values,
      actual: context[key] ?? [], missing: missing)
  }
}
