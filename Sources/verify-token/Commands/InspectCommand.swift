internal import ArgumentParser
internal import JOSE

/// `verify-token inspect`: what a token says, believed by nobody.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show what a token says, without verifying anything.",
    discussion: """
      EXAMPLE:
        verify-token inspect < token

      Ends with 0 only where the token could be taken apart.
      """)

  @Argument(help: "The token. Other users of the machine can see it: prefer standard input.")
  var token: String?

  @Option(help: "How it is written.")
  var output: OutputFormat = .text

  @Option(
    help: ArgumentHelp("The instant that times are told from; the present without it.", valueName: "time"))
  var at: InstantArgument?

  @Option(help: ArgumentHelp("The most bytes that a token may have.", valueName: "bytes"))
  var maxSize: Int = 16_384

  mutating func run() throws {
    guard (1...(1 << 24)).contains(maxSize) else {
      throw UsageProblem("--max-size is 1 to \(1 << 24) bytes, and \(maxSize) was given")
    }
    let limits = TokenLimits(token: maxSize)
    let now = at?.date ?? .now
    do {
      let parsed = try UnverifiedToken(TokenInput.read(token, limit: maxSize), limits: limits)
      switch output {
      case .text:
        StandardOutput.write(TextReport(style: .forTerminal).inspection(parsed, now: now))
      case .json: StandardOutput.write(JSONReport.inspection(parsed) + [0x0A])
      }
    } catch let error as JOSEError {
      switch output {
      case .text:
        StandardOutput.write(TextReport(style: .forTerminal).refusal(error))
      case .json: StandardOutput.write(JSONReport.unreadable(error) + [0x0A])
      }
      throw ExitStatus.refused
    }
  }
}
