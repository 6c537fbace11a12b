internal import JOSE
internal import TokenSecurityBase

/// Results as text. Control characters in tokens and requests are escaped, so that they cannot act on the
/// terminal.
struct TextReport {
  let style: TextStyle

  static let warning = "nothing was verified; anyone can write a token with these contents"

  func verdict(_ explanation: Explanation, withChecks: Bool) -> String {
    guard !withChecks else { return explanation.text(style) }
    switch explanation.result {
    case .success(let token):
      return Explanation.verdict(token, at: explanation.checkedAt, style)
        + members(token.claims.object, now: explanation.checkedAt)
    case .failure(let error): return refusal(error)
    }
  }

  func refusal(_ error: any CodedError) -> String { error.refusal(style) }

  func inspection(_ token: UnverifiedToken, now: NumericDate) -> String {
    style.bad("UNVERIFIED") + "  \(Self.warning)\n\nheader\n"
      + members(token.header.parameters, now: now) + "\nclaims\n"
      + members(token.claims.object, now: now) + "\nsignature\n  \(token.signature.count) bytes\n"
  }

  /// One line per member. Times are also shown as dates.
  private func members(_ object: JSONObject, now: NumericDate) -> String {
    let width = TextStyle.width(object.names.map { $0.bounded(to: 64) }, atMost: 24)
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
      if let error = entry.error {
        text += style.bad("refused") + "  \(name)\n         \(error) [\(error.codeText)]\n"
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
    return text + "\(set.keys.count) usable, \(set.rejected.count) refused\n"
  }
}
