package import TokenSecurityBase

extension RequestExplanation: CustomStringConvertible {
  /// The checks as a table of at most 80 columns, the result and likely mistakes, as `verify-token sigv4 --explain` prints
  /// them. For operators only.
  public var description: String { verdict(.plain, withChecks: true) }

  /// The result and likely mistakes, then what explains them: the canonical request and the string to sign, as they are.
  ///
  /// - Parameters:
  ///   - style: colours and width.
  ///   - withChecks: true for the checks as a table, and for the canonical request of a request that is accepted, too.
  /// - Returns: the text.
  package func text(_ style: TextStyle, withChecks: Bool) -> String {
    let isMismatch = checks.contains { $0.error == .signatureMismatch }
    return verdict(style, withChecks: withChecks) + (isMismatch || withChecks ? computed(style) : "")
  }

  private func verdict(_ style: TextStyle, withChecks: Bool) -> String {
    let rows = checks.map(\.row)
    var text = withChecks ? CheckTable(rows, at: checkedAt.amzDate, style).text : ""
    guard let error else {
      return text + style.good("VALID") + "  " + style.hanging(summary, from: 9) + "\n"
    }
    text += error.refusal(style)
    for other in checks.compactMap(\.error) where other != error {
      text += "         also: " + style.hanging("\(other) [\(other.codeText)]", from: 15) + "\n"
    }
    if withChecks { text += "         " + CheckTable.failures(rows) + "\n" }
    for diagnosis in diagnoses {
      let kind = diagnosis.isConfirmed ? "cause: " : "possible cause: "
      text += "\n" + style.warning(kind)
      text += style.hanging("\(diagnosis.sentence) [\(diagnosis.code)]", from: kind.count) + "\n"
    }
    return text
  }

  private var summary: String {
    guard let parameters else { return "" }
    let lines = canonicalRequest?.description.utf8.split(separator: 0x0A)
    let payload = lines?.last.map { String(Substring($0)) } ?? ""
    let body = payload.utf8.count == 64 ? "SHA-256" : payload
    return
      "\(parameters.algorithm.name), key \(parameters.accessKeyID.bounded(to: 128)), scope \(parameters.scope)"
      + ", body \(body)" + (payload == "UNSIGNED-PAYLOAD" ? " (not signed)" : "")
  }

  /// The canonical request and the string to sign, beside those that the server computed.
  private func computed(_ style: TextStyle) -> String {
    var text = ""
    if let canonical = canonicalRequest {
      text += block("canonical request (computed here)", canonical.description, style)
    }
    if let canonical = server?.canonicalRequest {
      text += block("canonical request (from the server)", canonical, style)
    }
    if let difference {
      func line(_ line: String?) -> String { line.map { $0.visible(upTo: 2_048) } ?? "(no such line)" }
      text += "\n" + style.bad("first difference") + ": line \(difference.line), the \(difference.part)\n"
      text += "  here    \(line(difference.ours))\n  server  \(line(difference.theirs))\n"
    }
    if let string = stringToSign { text += block("string to sign (computed here)", string, style) }
    if let string = server?.stringToSign {
      text += block("string to sign (from the server)", string, style)
    }
    return text
  }

  private func block(_ title: String, _ content: String, _ style: TextStyle) -> String {
    let lines = content.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Substring($0) }
    return "\n" + style.faint(title) + "\n"
      + lines.map { $0.isEmpty ? "\n" : "  " + String($0).visible(upTo: 8_192) + "\n" }.joined()
  }
}

extension RequestExplanation.Check {
  /// The check in a table.
  fileprivate var row: CheckTable.Row {
    CheckTable.Row(name: name, outcome: error.map { .failed($0) } ?? .passed)
  }
}
