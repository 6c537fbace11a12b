internal import ArgumentParser
internal import JOSE
internal import OneTimeCodes
internal import TokenSecurityBase

/// `verify-token totp code`: shows a code.
struct TOTPCodeCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "code", abstract: "Show the current code and how long it is valid.",
    discussion: "With --secret-file - the secret is read from standard input.")

  @OptionGroup(title: "Secret") var options: TOTPOptions

  @Option(help: ArgumentHelp("Show the code for this time. Default: now.", valueName: "time"))
  var at: InstantArgument?

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  func outcome() throws -> Outcome {
    let (_, totp) = try options.codes(allowsStandardInput: true)
    let now = at?.date ?? .now
    let code: String
    let step: UInt64
    let left: Int64
    do {
      code = try totp.code(at: now)
      step = try totp.step(at: now)
      left = try totp.timeLeft(at: now).wholeSeconds
    } catch { throw UsageError(error, in: "--at") }
    return Outcome(
      text: { _ in "\(code)  \(TimeSpan(seconds: left)) left\n" },
      json: { ["code": .string(code), "step": JSONValue(step), "seconds_left": JSONValue(left)] })
  }
}
