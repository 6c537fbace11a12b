internal import JOSE
internal import SigV4
internal import TokenSecurityBase

extension TextReport {
  func verdict(_ explanation: RequestExplanation, withChecks: Bool) -> String {
    var text =
      withChecks
      ? checks(explanation.checks.map { ReportedCheck($0) }, at: explanation.checkedAt.amzDate) : ""
    guard let error = explanation.error else {
      text += style.good("VALID") + "  " + summary(explanation) + "\n"
      return text + (withChecks ? computed(explanation) : "")
    }
    text += refusal(error)
    for other in explanation.checks.compactMap(\.error) where other != error {
      text += "         also: \(other) [\(other.codeText)]\n"
    }
    for diagnosis in explanation.diagnoses {
      text += "\n" + style.warning(diagnosis.isConfirmed ? "cause: " : "possible cause: ")
      text += "\(diagnosis.sentence) [\(diagnosis.code)]\n"
    }
    let isMismatch = explanation.checks.contains { $0.error == .signatureMismatch }
    return text + (isMismatch || withChecks ? computed(explanation) : "")
  }

  private func summary(_ explanation: RequestExplanation) -> String {
    guard let parameters = explanation.parameters else { return "" }
    let lines = explanation.canonicalRequest?.description.utf8.split(separator: 0x0A)
    let payload = lines?.last.map { String(Substring($0)) } ?? ""
    let body = payload.utf8.count == 64 ? "SHA-256" : payload
    return
      "\(parameters.algorithm.name), key \(parameters.accessKeyID.bounded(to: 128)), scope \(parameters.scope)"
      + ", body \(body)" + (payload == "UNSIGNED-PAYLOAD" ? " (not signed)" : "")
  }

  /// The canonical request and the string to sign, beside those that the server computed.
  private func computed(_ explanation: RequestExplanation) -> String {
    var text = ""
    if let canonical = explanation.canonicalRequest {
      text += block("canonical request (computed here)", canonical.description)
    }
    if let canonical = explanation.server?.canonicalRequest {
      text += block("canonical request (from the server)", canonical)
    }
    if let difference = explanation.difference {
      func line(_ line: String?) -> String { line.map { $0.visible(upTo: 2_048) } ?? "(no such line)" }
      text += "\n" + style.bad("first difference") + ": line \(difference.line), the \(difference.part)\n"
      text += "  here    \(line(difference.ours))\n  server  \(line(difference.theirs))\n"
    }
    if let string = explanation.stringToSign { text += block("string to sign (computed here)", string) }
    if let string = explanation.server?.stringToSign {
      text += block("string to sign (from the server)", string)
    }
    return text
  }

  private func block(_ title: String, _ content: String) -> String {
    let lines = content.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { Substring($0) }
    return "\n" + style.faint(title) + "\n"
      + lines.map { $0.isEmpty ? "\n" : "  " + String($0).visible(upTo: 8_192) + "\n" }.joined()
  }

  func lint(_ lint: PresignedLint, now: Timestamp) -> String {
    let parameters = lint.request.parameters
    var text = style.bad("UNVERIFIED") + "  nothing was verified; anyone who has the URL can use it\n\n"
    func line(_ name: String, _ value: String) {
      text += "  " + name.padded(to: 16) + value.visible(upTo: 2_048) + "\n"
    }
    line("method", lint.request.head.method)
    line("host", lint.request.head["host"] ?? "")
    line("path", String(decoding: lint.request.head.path, as: UTF8.self))
    line("algorithm", parameters.algorithm.name)
    line("access key", parameters.accessKeyID)
    line("scope", "\(parameters.scope)")
    if !parameters.regionSet.isEmpty { line("regions", parameters.regionSet.joined(separator: ", ")) }
    line("signed at", parameters.date.amzDate)
    line("valid until", "\(lint.expiration.amzDate), \(lint.expiration.relative(to: now))")
    line("signed headers", parameters.signedHeaders.joined(separator: ", "))
    line(
      "session token",
      parameters.sessionToken.map { "\($0.utf8.count) characters" }
        ?? (parameters.hasEmptySessionToken ? "empty" : "none"))
    text += "\n"
    for finding in lint.findings {
      let mark = finding.isError ? style.bad("  error  ") : style.warning("  risk   ")
      text += mark + finding.sentence + " [\(finding.code)]\n"
    }
    return text + (lint.findings.isEmpty ? "  no problems found\n" : "")
  }
}
