internal import ArgumentParser
internal import Encodings
internal import JOSE
internal import TokenLifetime

/// `verify-token lifetime`: whether a token may live that long.
struct LifetimeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lifetime", abstract: "Say whether a duration is allowed for a kind of token.",
    discussion: """
      Ends with 0 where it is, with 1 where it is not.

      EXAMPLES:
        verify-token lifetime 15m --for developer-token
        verify-token lifetime --for developer-token      # what is meant where nothing is said
        verify-token lifetime -- -5s                     # a negative one needs the two dashes

      KINDS: developer-token, access-token, id-token, refresh-token, web-identity-session, presigned-url
      """)

  @Argument(help: "The duration: 90s, 15m, 24h, 7d, or seconds alone. Without it, the standard is told.")
  var duration: String?

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("The kind of token.", valueName: "kind"),
    completion: .list(LifetimeRule.all.map(\.name)))
  var kind: String = LifetimeRule.developerToken.name

  @Option(help: "How the answer is written.")
  var output: OutputFormat = .text

  mutating func run() throws {
    guard let rule = LifetimeRule.named(kind) else {
      throw UsageProblem(
        "--for \(kind.visible(upTo: 64)): known are "
          + LifetimeRule.all.map(\.name).joined(separator: ", "))
    }
    do {
      answer(rule, try seconds(rule), nil)
    } catch let error as LifetimeError {
      answer(rule, nil, error)
      throw ExitStatus.refused
    }
  }

  private func seconds(_ rule: LifetimeRule) throws -> Int64 {
    guard let duration else { return try rule.judge(requested: nil) }
    guard let request = DurationRequest(duration) else {
      throw UsageProblem("\(duration.visible(upTo: 64)) is no duration: 90s, 15m, 24h and 7d are")
    }
    return try request.judge(by: rule)
  }

  private func answer(_ rule: LifetimeRule, _ seconds: Int64?, _ error: LifetimeError?) {
    switch output {
    case .text:
      let style = TextStyle.forTerminal
      if let seconds {
        StandardOutput.write(
          style.good("ALLOWED") + "  \(seconds) s (\(TimeSpan(seconds: seconds))) for \(rule.name)\n")
      } else if let error {
        StandardOutput.write(style.bad("REFUSED") + "  \(error) [\(error.code)]\n")
      }
      StandardOutput.write(
        style.faint(
          "         \(TimeSpan(seconds: rule.shortest)) to \(TimeSpan(seconds: rule.longest)), "
            + (rule.standard.map { "\(TimeSpan(seconds: $0)) if nothing is said" } ?? "no standard")
            + "; \(rule.source)") + "\n")
    case .json:
      let answer: JSONObject = [
        "allowed": .bool(error == nil), "for": .string(rule.name),
        "seconds": seconds.map { .number(JSONNumber($0)) } ?? .null,
        "code": error.map { .string($0.code) } ?? .null,
        "message": error.map { .string("\($0)") } ?? .null,
        "shortest": .number(JSONNumber(rule.shortest)), "longest": .number(JSONNumber(rule.longest)),
        "standard": rule.standard.map { .number(JSONNumber($0)) } ?? .null, "source": .string(rule.source),
      ]
      StandardOutput.write(JSONWriter.write(answer) + [0x0A])
    }
  }
}

/// A duration as somebody asked for it, also one that no rule allows: negative, fractional, too large to
/// count.
private struct DurationRequest {
  private let number: String
  private let unit: Int64

  init?(_ text: String) {
    var rest = Substring(text)
    switch rest.last {
    case "s": unit = 1
    case "m": unit = 60
    case "h": unit = 3_600
    case "d": unit = 86_400
    default: unit = 0
    }
    if unit > 0 { rest.removeLast() }
    guard rest.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil else { return nil }
    number = String(rest)
  }

  func judge(by rule: LifetimeRule) throws(LifetimeError) -> Int64 {
    let unit = max(unit, 1)
    if let whole = Int64(number) {
      let (seconds, overflow) = whole.multipliedReportingOverflow(by: unit)
      guard !overflow else { throw whole < 0 ? .negative : .overflowing }
      return try rule.judge(requested: seconds)
    }
    guard number.contains(".") else { throw number.hasPrefix("-") ? .negative : .overflowing }
    return try rule.judge(requestedNumber: (Double(number) ?? .infinity) * Double(unit))
  }
}
