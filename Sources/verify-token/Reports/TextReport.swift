internal import TokenSecurityEncodings
internal import JOSE

/// Verdicts for people. Whatever comes out of a token is escaped: it cannot act on a terminal.
struct TextReport {
  let style: TextStyle

  static let warning = "nothing here was verified; anyone can write a token that says this"

  func verdict(_ explanation: Explanation, withChecks: Bool) -> String {
    var text = ""
    if withChecks { text += checks(explanation) + "\n" }
    switch explanation.result {
    case .success(let token):
      text += style.good("VALID") + "  \(token.algorithm.name)"
      text += token.keyID.map { ", key \($0.quoted)" } ?? ""
      if let expiration = token.claims.expiration {
        text += ", expires \(expiration.relative(to: explanation.checkedAt))"
      }
      text += "\n"
      if !withChecks { text += members(token.claims.object, now: explanation.checkedAt) }
    case .failure(let error):
      text += refusal(error)
    }
    return text
  }

  func refusal(_ error: JOSEError) -> String {
    style.bad("REFUSED") + "  \(error) [\(error.codeText)]\n"
  }

  /// One check a line: how it ended, its name, what was demanded, what was found.
  private func checks(_ explanation: Explanation) -> String {
    let names = Self.width(explanation.checks.map(\.name), atMost: 24)
    let demands = Self.width(explanation.checks.map(\.expected), atMost: 44)
    // What does not fit its column moves what follows to a line of its own.
    func column(_ words: String) -> String {
      words.count <= demands
        ? words.padded(to: demands)
        : words + "\n" + String(repeating: " ", count: 10 + names + demands)
    }
    var text = "checked at \(explanation.checkedAt)\n\n"
    text +=
      style.faint("        " + "check".padded(to: names) + "  " + "expected".padded(to: demands) + "  actual")
      + "\n"
    for check in explanation.checks {
      let name = check.name.padded(to: names)
      let found = check.actual.map { "  " + $0 } ?? ""
      let demanded = found.isEmpty ? check.expected : column(check.expected)
      switch check.outcome {
      case .passed:
        text += style.good("  ok    ") + name + "  " + demanded + found
      case .failed(let error):
        text += style.bad("  FAIL  ") + name + "  " + demanded + found
        text += "\n" + String(repeating: " ", count: names + 10) + style.bad("\(error)")
      case .unchecked(let reason):
        let words = check.expected + " (" + reason + ")"
        text += style.faint("  --    " + name + "  " + column(words) + found)
      case .notReached:
        text += style.faint("        " + name + "  " + column(check.expected) + "  not reached")
      }
      text += "\n"
    }
    return text
  }

  private static func width(_ texts: [String], atMost limit: Int) -> Int {
    texts.map(\.count).filter { $0 <= limit }.max() ?? limit
  }

  func inspection(_ token: UnverifiedToken, now: NumericDate) -> String {
    style.bad("UNVERIFIED") + "  \(Self.warning)\n\nheader\n"
      + members(token.header.parameters, now: now) + "\nclaims\n"
      + members(token.claims.object, now: now) + "\nsignature\n  \(token.signature.count) bytes\n"
  }

  /// One member a line; times are told as such too.
  private func members(_ object: JSONObject, now: NumericDate) -> String {
    let width = Self.width(object.names.map { $0.bounded(to: 64) }, atMost: 24)
    return object.members.map { member in
      var line = "  " + member.name.bounded(to: 64).padded(to: width) + "  "
      line += (member.value.string ?? member.value.description).visible(upTo: 2_048)
      if ["exp", "nbf", "iat", "auth_time"].contains(member.name),
        let date = member.value.number.flatMap(NumericDate.init)
      {
        line += style.faint("  \(date), \(date.relative(to: now))")
      }
      return line + "\n"
    }.joined()
  }

  func keys(_ set: JWKSet) throws -> String {
    var text = ""
    for entry in try KeyListing.entries(set) {
      let name = entry.keyID.map(\.quoted) ?? "(no kid)"
      if let refusal = entry.refusal {
        text += style.bad("refused") + "  \(name)\n         \(refusal) [\(refusal.codeText)]\n"
        continue
      }
      text += style.good("usable ") + "  \(name)\n"
      text += "         \(entry.kind ?? ""), \(entry.bits ?? 0) bits; for "
      text += (entry.algorithms.isEmpty ? "no algorithm" : entry.algorithms.joined(separator: ", ")) + "\n"
      text += entry.thumbprint.map { "         thumbprint \($0)\n" } ?? ""
      for warning in entry.warnings {
        text += "         " + style.warning("warning: ") + warning.sentence + "\n"
      }
    }
    let refused = set.rejected.count
    return text + "\(set.keys.count) usable, \(refused) refused\n"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
