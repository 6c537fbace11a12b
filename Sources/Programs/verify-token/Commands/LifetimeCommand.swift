internal import ArgumentParser
internal import JOSE
internal import TokenLifetime
internal import TokenSecurityBase

/// `verify-token lifetime`: checks a lifetime against the limits of a kind of token.
struct LifetimeCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifetime", abstract: "Check whether a lifetime is allowed for a kind of token.",
    discussion: """
      Exits with 0 if the lifetime is allowed, with 1 if not.

      EXAMPLES:
        Check a lifetime:

          verify-token lifetime 15m --for developer-token

        Show the default lifetime:

          verify-token lifetime --for developer-token

        Check a negative lifetime, which needs the two dashes:

          verify-token lifetime -- -5s

      KINDS: developer-token, access-token, id-token, refresh-token, \
      web-identity-session, access-key-session, presigned-url
      """)

  @Argument(help: "The lifetime: 90s, 15m, 24h, 7d, or a number of seconds. Default: that of the kind.")
  var duration: String?

  @Option(
    name: .customLong("for"), help: ArgumentHelp("Kind of token.", valueName: "kind"),
    completion: .list(LifetimeRule.all.map(\.name)))
  var kind: String = LifetimeRule.developerToken.name

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  func outcome() throws -> Outcome {
    guard let rule = LifetimeRule.named(kind) else {
      let known = LifetimeRule.all.map(\.name).joined(separator: ", ")
      throw UsageError(
        "--for \(kind.visible(upTo: 64)) is not one of \(known)", code: UsageError.optionsWrong)
    }
    do {
      return outcome(rule, try seconds(rule), nil)
    } catch let error as LifetimeError {
      return outcome(rule, nil, error)
    }
  }

  private func seconds(_ rule: LifetimeRule) throws -> Int64 {
    guard let duration else { return try rule.validate(requested: nil).wholeSeconds }
    guard let request = RequestedDuration(duration) else {
      throw UsageError(
        "\(duration.visible(upTo: 64)) is not a duration such as 90s, 15m, 24h or 7d",
        code: UsageError.optionsWrong)
    }
    return try request.validate(by: rule)
  }

  private func outcome(_ rule: LifetimeRule, _ seconds: Int64?, _ error: LifetimeError?) -> Outcome {
    Outcome(isRefused: error != nil) { report in
      var text = ""
      if let seconds {
        text = report.style.good("ALLOWED")
        text += "  \(seconds) s (\(TimeSpan(seconds: seconds))) for \(rule.name)\n"
      } else if let error {
        text = report.refusal(error)
      }
      let standard = rule.standard.map { "default \(TimeSpan($0))" } ?? "no default"
      let limits =
        "         \(TimeSpan(rule.shortest)) to \(TimeSpan(rule.longest)), \(standard); \(rule.source)"
      return text + report.style.faint(limits) + "\n"
    } json: {
      [
        "allowed": .bool(error == nil), "for": .string(rule.name), "seconds": JSONValue(seconds),
        "code": JSONValue(error?.codeText), "message": JSONValue(error.map { "\($0)" }),
        "shortest": JSONValue(rule.shortest.wholeSeconds), "longest": JSONValue(rule.longest.wholeSeconds),
        "standard": JSONValue(rule.standard?.wholeSeconds), "source": .string(rule.source),
      ]
    }
  }
}

/// A duration as text. Negative, fractional and very large values are accepted here and refused by the rule.
private struct RequestedDuration {
  private let number: Substring
  private let unit: Int64

  init?(_ text: String) {
    (number, unit) = DurationText.split(text)
    guard number.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil else { return nil }
  }

  func validate(by rule: LifetimeRule) throws(LifetimeError) -> Int64 {
    let parts = number.split(separator: ".")
    guard !number.hasPrefix("-") else {
      throw number.contains { ("1"..."9").contains($0) } ? .negative : .zero
    }
    guard let whole = Int64(parts[0]) else { throw .overflowing }
    let (seconds, overflow) = whole.multipliedReportingOverflow(by: unit)
    let (sum, carry) = seconds.addingReportingOverflow(try fraction(parts.count > 1 ? parts[1] : ""))
    guard !overflow, !carry else { throw .overflowing }
    return try rule.validate(requested: .seconds(sum)).wholeSeconds
  }

  /// The value of the decimal places in seconds, computed in integers: a `Double` would not give 3,960 s for
  /// 1.1 h.
  private func fraction(_ digits: Substring) throws(LifetimeError) -> Int64 {
    var digits = digits
    while digits.last == "0" { digits.removeLast() }
    // 86,400 has seven factors of two: more than seven decimal places never give whole seconds.
    guard digits.count <= 7 else { throw .fractional }
    let scale = digits.reduce(into: Int64(1)) { scale, _ in scale *= 10 }
    let product = (Int64(digits) ?? 0) * unit
    guard product % scale == 0 else { throw .fractional }
    return product / scale
  }
}
