internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import JOSE
internal import OneTimeCodes

/// `verify-token totp check`: whether a code is right.
struct TOTPCheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Say whether a code is right (the default).",
    discussion: """
      The code comes from standard input. Ends with 0 where it is right, with 1 where it is not, with 2 where that \
      could not be told. That a code is used once is for whoever keeps the steps: give the last one with --last-step.
      """)

  @OptionGroup(title: "Secret") var options: TOTPOptions

  @Option(
    help: ArgumentHelp(
      "How many steps before and after the present count, too: 0 to 100.", valueName: "steps"))
  var window = 1

  @Option(
    help: ArgumentHelp("The last step that was used: neither it nor one before it counts.", valueName: "step")
  )
  var lastStep: UInt64?

  @Option(help: ArgumentHelp("The instant to judge at; the present without it.", valueName: "time"))
  var at: InstantArgument?

  @Flag(help: "Show the step, the window and what matched.")
  var explain = false

  @Option(help: "How the verdict is written.")
  var output: OutputFormat = .text

  mutating func run() throws {
    let (bits, totp) = try options.codes(fromStandardInput: false)
    let now = at?.date ?? .now
    let present: UInt64
    let left: Int64
    do {
      present = try totp.step(at: now)
      left = try totp.timeLeft(at: now).wholeSeconds
    } catch { throw UsageProblem("--at: \(error) [\(error.codeText)]") }
    let report = TOTPReport(
      totp: totp, bits: bits, now: NumericDate(seconds: now.seconds), present: present, secondsLeft: left,
      window: window)
    do {
      let match = try totp.verify(
        Self.typedCode(), at: now, window: TOTP.Window(past: window, future: window),
        state: TOTP.State(lastStep: lastStep))
      report.write(.success(match), explained: explain, output)
    } catch let error as OTPError {
      if case .windowUnsupported = error { throw UsageProblem("--window: \(error) [\(error.codeText)]") }
      report.write(.failure(error), explained: explain, output)
      throw ExitStatus.refused
    }
  }

  /// What was typed, without the spaces that people put between groups.
  private static func typedCode() throws -> String {
    if StandardInput.isTerminal { StandardError.write("verify-token: reading a code from standard input\n") }
    let contents = try InputFile.read("-", limit: 256)
    let bytes = contents.withBytes { (bytes: borrowing Span<UInt8>) -> [UInt8] in [UInt8](unwipedCopy: bytes)
    }
    return String(decoding: bytes.filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }, as: UTF8.self)
  }
}
