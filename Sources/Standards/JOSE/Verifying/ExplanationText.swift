package import TokenSecurityBase

extension Explanation: CustomStringConvertible {
  /// The checks as a table of at most 80 columns and the result, as `verify-token --explain` prints them. Text of the token
  /// in it is bounded and escaped.
  public var description: String { text(.plain) }

  /// The checks as a table, and the result.
  package func text(_ style: TextStyle) -> String {
    let rows = checks.map(\.row)
    if case .failure(let error) = result, rows.isEmpty { return error.refusal(style) }
    let table = CheckTable(rows, at: "\(NumericDate(seconds: checkedAt.seconds))", style).text
    switch result {
    case .success(let token): return table + Self.verdict(token, at: checkedAt, style)
    case .failure(let error):
      return table + error.refusal(style) + "         " + CheckTable.failures(rows) + "\n"
    }
  }

  /// The result for a valid token.
  package static func verdict(_ token: VerifiedToken, at now: NumericDate, _ style: TextStyle) -> String {
    var text = token.algorithm.name
    text += token.keyID.map { ", key \($0.quoted)" } ?? ""
    if let expiration = token.claims.expiration { text += ", expires \(expiration.relative(to: now))" }
    return style.good("VALID") + "  " + style.hanging(text, from: 9) + "\n"
  }
}

extension Explanation.Check {
  /// The check in a table.
  package var row: CheckTable.Row {
    let end: CheckTable.Outcome =
      switch outcome {
      case .passed: .passed
      case .failed(let error): .failed(error)
      case .unchecked(let reason): .unchecked(because: reason)
      case .notReached: .notReached
      }
    return CheckTable.Row(name: name, expected: expected, actual: actual, outcome: end)
  }
}
