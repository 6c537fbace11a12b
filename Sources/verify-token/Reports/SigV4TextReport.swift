internal import TokenSecurityEncodings
internal import JOSE
internal import SigV4

/// Verdicts on requests, for people. Whatever comes out of a request is escaped: it cannot act on a terminal.
struct SigV4TextReport {
  let style: TextStyle

  func verdict(_ explanation: RequestExplanation, withChecks: Bool) -> String {
    var text = ""
    if withChecks {
      text += "checked at \(explanation.checkedAt.amzDate)\n\n"
      for check in explanation.checks {
        if let fault = check.error {
          text += style.bad("  FAIL  ") + check.name + "\n        " + style.bad("\(fault)") + "\n"
        } else {
          text += style.good("  ok    ") + check.name + "\n"
        }
      }
      text += "\n"
    }
    guard let fault = explanation.error else {
      text += style.good("VALID") + "  " + summary(explanation) + "\n"
      return text + (withChecks ? both(explanation) : "")
    }
    text += refusal(fault)
    for other in explanation.checks.compactMap(\.error) where other != fault {
      text += "         also: \(other) [\(other.codeText)]\n"
    }
    for diagnosis in explanation.diagnoses {
      text += "\n" + style.warning(diagnosis.isConfirmed ? "the mistake: " : "perhaps: ")
      text += "\(diagnosis.sentence) [\(diagnosis.code)]\n"
    }
    let isMismatch = explanation.checks.contains { $0.error == .signatureMismatch }
    return text + (isMismatch || withChecks ? both(explanation) : "")
  }

  func refusal(_ error: SigV4Error) -> String {
    style.bad("REFUSED") + "  \(error) [\(error.codeText)]\n"
  }

  private func summary(_ explanation: RequestExplanation) -> String {
    guard let parameters = explanation.parameters else { return "" }
    let payload =
      explanation.canonicalRequest?.description.utf8.split(separator: 0x0A).last.map { String(Substring($0)) }
      ?? ""
    let body = payload.utf8.count == 64 ? "its hash" : payload
    var text =
      "\(parameters.algorithm.name), key \(parameters.accessKeyID.bounded(to: 128)), scope \(parameters.scope)"
    text += ", body by \(body)"
    if payload == "UNSIGNED-PAYLOAD" { text += " (nothing is said of it)" }
    return text
  }

  private func both(_ explanation: RequestExplanation) -> String {
    var text = ""
    if let canonical = explanation.canonicalRequest {
      text += block("canonical request, as it is made here", canonical.description)
    }
    if let theirs = explanation.other?.canonicalRequest {
      text += block("canonical request of the other side", theirs)
    }
    if let difference = explanation.difference {
      text += "\n" + style.bad("first difference") + ": line \(difference.line), the \(difference.part)\n"
      text += "  here   \(difference.ours.map { $0.visible(upTo: 2_048) } ?? "(no such line)")\n"
      text += "  there  \(difference.theirs.map { $0.visible(upTo: 2_048) } ?? "(no such line)")\n"
    }
    if let string = explanation.stringToSign { text += block("string to sign, as it is made here", string) }
    if let theirs = explanation.other?.stringToSign {
      text += block("string to sign of the other side", theirs)
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
    var text = style.bad("UNVERIFIED") + "  nothing here was verified; whoever has the URL can use it\n\n"
    func line(_ name: String, _ value: String) {
      text +=
        "  " + name + String(repeating: " ", count: max(1, 16 - name.count)) + value.visible(upTo: 2_048)
        + "\n"
    }
    line("method", lint.request.head.method)
    line("host", lint.request.head["host"] ?? "")
    line("path", String(decoding: lint.request.head.path, as: UTF8.self))
    line("algorithm", parameters.algorithm.name)
    line("access key", parameters.accessKeyID)
    line("scope", "\(parameters.scope)")
    if !parameters.regionSet.isEmpty { line("regions", parameters.regionSet.joined(separator: ", ")) }
    line("signed at", parameters.date.amzDate)
    if let end = lint.end {
      let span = TimeSpan(seconds: abs(end.seconds - now.seconds))
      line("holds until", "\(end.amzDate), " + (end < now ? "\(span) ago" : "in \(span)"))
    }
    line("signed headers", parameters.signedHeaders.joined(separator: ", "))
    line("session token", parameters.sessionToken.map { "\($0.utf8.count) characters" } ?? "none")
    text += "\n"
    for finding in lint.findings {
      let mark = finding.isError ? style.bad("  fault    ") : style.warning("  risk     ")
      text += mark + finding.sentence + " [\(finding.code)]\n"
    }
    return text + (lint.findings.isEmpty ? "  nothing was found to be wrong\n" : "")
  }
}
