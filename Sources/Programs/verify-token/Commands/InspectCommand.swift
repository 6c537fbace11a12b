internal import ArgumentParser
internal import JOSE

/// `verify-token inspect`: shows a token without verifying it.
struct InspectCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show the contents of a token without verifying it.",
    discussion: """
      Exits with 0 if the token could be parsed, with 1 if not.

      EXAMPLE:
          verify-token inspect < token
      """)

  @Argument(help: "The token. Other users of this machine can see it: prefer standard input.")
  var token: String?

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  @Option(help: ArgumentHelp("Show times relative to this time. Default: now.", valueName: "time"))
  var at: InstantArgument?

  @Option(help: ArgumentHelp("Largest accepted token, in bytes.", valueName: "bytes"))
  var maxSize: Int = 16_384

  func outcome() throws -> Outcome {
    let limits = try TokenLimits(maxSize: maxSize)
    try TokenInput.refuseFile(token)
    let now = at?.date ?? .now
    do {
      let parsed = try UnverifiedToken(TokenInput.read(token, limit: maxSize), limits: limits)
      return Outcome(text: { $0.inspection(parsed, now: now) }, json: { JSONReport.inspection(parsed) })
    } catch let error as JOSEError {
      return Outcome(
        isRefused: true, text: { $0.refusal(error) }, json: { JSONReport.malformed(error) })
    }
  }
}
