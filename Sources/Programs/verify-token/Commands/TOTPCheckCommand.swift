internal import ArgumentParser
internal import JOSE
internal import OneTimeCodes
internal import TokenSecurityBase

/// `verify-token totp check`: checks a code.
struct TOTPCheckCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check a code.",
    discussion: """
      Reads the code from standard input. Exits with 0 if it is correct, with 1 if \
      not, with 2 if it could not be checked.

      The command keeps no state. To accept each code only once, pass the step of \
      the last accepted code with --last-step.
      """)

  @OptionGroup(title: "Secret") var options: TOTPOptions

  @Option(
    help: ArgumentHelp(
      "Number of accepted time steps before and after the current one: 0 to 100.", valueName: "steps"))
  var window = 1

  @Option(
    help: ArgumentHelp(
      "Time step of the last accepted code. Only later ones are accepted.", valueName: "step"))
  var lastStep: UInt64?

  @Option(help: ArgumentHelp("Check at this time. Default: now.", valueName: "time"))
  var at: InstantArgument?

  @Flag(help: "Show the time step, the window and the match.")
  var explain = false

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  func outcome() throws -> Outcome { try outcome(reading: Self.code) }

  /// The outcome for a code, which is read after the options are checked.
  func outcome(reading code: () throws -> String) throws -> Outcome {
    let (bits, totp) = try options.codes(allowsStandardInput: false)
    let now = at?.date ?? .now
    let currentStep: UInt64
    let left: Int64
    do {
      currentStep = try totp.step(at: now)
      left = try totp.timeLeft(at: now).wholeSeconds
    } catch { throw UsageError(error, in: "--at") }
    let result: Result<TOTP.Match, OTPError>
    let code = try code()
    do {
      result = .success(
        try totp.verify(
          code, at: now, window: TOTP.Window(past: window, future: window),
          state: TOTP.State(lastStep: lastStep)))
    } catch {
      if case .windowUnsupported = error { throw UsageError(error, in: "--window") }
      result = .failure(error)
    }
    let report = TOTPReport(
      totp: totp, bits: bits, now: NumericDate(seconds: now.seconds), currentStep: currentStep,
      secondsLeft: left,
      window: window, result: result)
    var isRefused = false
    if case .failure = result { isRefused = true }
    return Outcome(
      isRefused: isRefused, text: { report.text($0, withChecks: explain) }, json: { report.json })
  }

  /// The code on standard input, without white space.
  private static func code() throws -> String {
    if StandardInput.isTerminal { StandardError.write("verify-token: reading a code from standard input\n") }
    let bytes = try InputFile.bytes("-", limit: 256)
    return String(decoding: bytes.filter { !$0.isASCIISpace }, as: UTF8.self)
  }
}
