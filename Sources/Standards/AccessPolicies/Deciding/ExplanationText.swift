package import TokenSecurityBase

extension AccessExplanation: CustomStringConvertible {
  /// What was checked, one line for each statement and each element that does not fit, and the decision, as
  /// `verify-token policy check --explain` prints them. Text of the policies and of the request is bounded and escaped.
  public var description: String { text(.plain, withStatements: true) }

  /// The decision, perhaps after one line for each statement and each element that does not fit.
  package func text(_ style: TextStyle, withStatements: Bool) -> String {
    var text = ""
    if withStatements {
      text = "checked \(decision.action.visible(upTo: 256)) on \(decision.resource.visible(upTo: 2_048))\n\n"
      for finding in statements { text += Self.statement(finding, style) }
      text += "\n"
    }
    let verdict = decision.isAllowed ? style.good("ALLOWED") : style.bad("DENIED")
    return text + "\(verdict)  \(decision.sentence) [\(decision.reason.rawValue)]\n"
  }

  private static func statement(_ finding: StatementFinding, _ style: TextStyle) -> String {
    let name = "\(finding.statement)"
    var text = ""
    if finding.applies {
      text = (finding.isAllow ? style.good("  allow ") : style.bad("  deny  ")) + name + "\n"
      for condition in finding.metConditions {
        text += element(condition.element, condition.isNegated, condition.expected, condition.actual) + "\n"
      }
    } else {
      text = style.faint("  --    " + name) + "\n"
      for mismatch in finding.mismatches {
        text += element(mismatch.element, mismatch.isNegated, mismatch.expected, mismatch.actual)
        if !mismatch.missing.isEmpty { text += ", no value of \(mismatch.missing.quotedList)" }
        text += " [\(mismatch.code.rawValue)]\n"
      }
    }
    for variable in finding.variables {
      text +=
        "\(indentation)with ${\(variable.name.visible(upTo: 256))} = \(variable.value.quoted(upTo: 128))\n"
    }
    return text
  }

  private static let indentation = "          "

  private static func element(
    _ name: String, _ isNegated: Bool, _ expected: [String], _ actual: [String]
  ) -> String {
    let expectation = isNegated ? "expected none of" : "expected"
    return
      "\(indentation)\(name.visible(upTo: 256)): \(expectation) \(expected.quotedList), actual \(actual.quotedList)"
  }
}
