package import TokenSecurityBase

extension AccessExplanation {
  /// The decision with all statements, as JSON.
  package var json: JSONObject {
    [
      "allowed": .bool(decision.isAllowed), "outcome": .string(decision.outcome.rawValue),
      "code": .string(decision.reason.rawValue), "message": .string(decision.sentence),
      "statement": decision.statement.map { .object(Self.reference($0)) } ?? .null,
      "statements": .array(statements.map { .object(Self.statement($0)) }),
    ]
  }

  private static func reference(_ statement: StatementReference) -> JSONObject {
    [
      "source": .string(statement.source.rawValue), "policy": .string(statement.policy),
      "number": .number(JSONNumber(Int64(statement.number))), "sid": JSONValue(statement.sid),
    ]
  }

  private static func statement(_ finding: StatementFinding) -> JSONObject {
    var object = reference(finding.statement)
    object["effect"] = finding.isAllow ? "Allow" : "Deny"
    object["applies"] = .bool(finding.applies)
    object["mismatches"] = .array(
      finding.mismatches.map { mismatch in
        [
          "code": .string(mismatch.code.rawValue), "element": .string(mismatch.element),
          "negated": .bool(mismatch.isNegated),
          "expected": .array(mismatch.expected.map { .string($0) }),
          "actual": .array(mismatch.actual.map { .string($0) }),
          "missing": .array(mismatch.missing.map { .string($0) }),
        ]
      })
    object["conditions"] = .array(
      finding.metConditions.map { condition in
        [
          "element": .string(condition.element), "negated": .bool(condition.isNegated),
          "expected": .array(condition.expected.map { .string($0) }),
          "actual": .array(condition.actual.map { .string($0) }),
        ]
      })
    object["variables"] = .array(
      finding.variables.map { ["name": .string($0.name), "value": .string($0.value)] })
    return object
  }
}
