internal import ArgumentParser
internal import TokenSecurityEncodings
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
    guard let duration else { return try rule.validate(requested: nil).wholeSeconds }
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
        StandardOutput.write(style.bad("REFUSED") + "  \(error) [\(error.codeText)]\n")
      }
      StandardOutput.write(
        style.faint(
          "         \(TimeSpan(rule.shortest)) to \(TimeSpan(rule.longest)), "
            + (rule.standard.map { "\(TimeSpan($0)) if nothing is said" } ?? "no standard")
            + "; \(rule.source)") + "\n")
    case .json:
      let answer: JSONObject = [
        "allowed": .bool(error == nil), "for": .string(rule.name),
        "seconds": seconds.map { .number(JSONNumber($0)) } ?? .null,
        "code": error.map { .string($0.codeText) } ?? .null,
        "message": error.map { .string("\($0)") } ?? .null,
        "shortest": .number(JSONNumber(rule.shortest.wholeSeconds)),
        "longest": .number(JSONNumber(rule.longest.wholeSeconds)),
        "standard": rule.standard.map { .number(JSONNumber($0.wholeSeconds)) } ?? .null,
        "source": .string(rule.source),
      ]
      StandardOutput.write(JSONWriter.write(answer) + [0x0A])
    }
  }
}

/// A duration as somebody asked for it, also one that no rule allows: negative, fractional, too large to
/// count.
private struct DurationRequest {
  private let number: Substring
  private let unit: Int64

  init?(_ text: String) {
    (number, unit) = DurationText.split(text)
    guard number.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil else { return nil }
  }

  func judge(by rule: LifetimeRule) throws(LifetimeError) -> Int64 {
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

  /// The seconds that digits behind the point stand for, in whole numbers: 1.1 h are 3,960 s, which a
  /// `Double` would miss.
  private func fraction(_ digits: Substring) throws(LifetimeError) -> Int64 {
    var digits = digits
    while digits.last == "0" { digits.removeLast() }
    // The largest unit is divided by no higher power of ten than the seventh, whatever stands before it.
    guard digits.count <= 7 else { throw .fractional }
    let scale = digits.reduce(into: Int64(1)) { scale, _ in scale *= 10 }
    let product = (Int64(digits) ?? 0) * unit
    guard product % scale == 0 else { throw .fractional }
    return product / scale
  }
}
