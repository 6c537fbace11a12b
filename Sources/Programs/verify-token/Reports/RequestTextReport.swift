internal import SigV4
internal import TokenSecurityBase

extension TextReport {
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
