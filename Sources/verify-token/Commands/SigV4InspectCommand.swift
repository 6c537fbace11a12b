internal import ArgumentParser
internal import TokenSecurityEncodings
internal import SigV4

/// `verify-token sigv4 inspect`: what a presigned URL says, and what is wrong with it.
struct SigV4InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Take a presigned URL apart and say what is wrong or risky about it.",
    discussion: """
      Nothing is verified. Ends with 1 where no service would take the URL.

      EXAMPLE:
        verify-token sigv4 inspect < url
      """)

  @Argument(help: "The URL, which whoever sees it can use: prefer standard input.")
  var url: String?

  @Option(help: ArgumentHelp("The method that the URL is for.", valueName: "method"))
  var method = "GET"

  @Option(help: ArgumentHelp("When the credentials that signed it end.", valueName: "time"))
  var credentialsEnd: InstantArgument?

  @Option(
    help: ArgumentHelp("The instant that times are told from; the present without it.", valueName: "time"))
  var at: InstantArgument?

  @Option(help: "How it is written.")
  var output: OutputFormat = .text

  mutating func run() throws {
    let now = at?.date ?? .now
    let text: String
    if let url, url != "-" {
      text = url
    } else {
      let bytes = try RequestInput.read("-", limit: 1 << 20)
      text =
        String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }
    do {
      let lint = try PresignedLint(
        url: text, method: method, credentialsEnd: credentialsEnd?.date,
        at: now)
      switch output {
      case .text: StandardOutput.write(SigV4TextReport(style: .forTerminal).lint(lint, now: now))
      case .json: StandardOutput.write(SigV4JSONReport.lint(lint) + [0x0A])
      }
      if lint.findings.contains(where: \.isError) { throw ExitStatus.refused }
    } catch let error as SigV4Error {
      switch output {
      case .text: StandardOutput.write(SigV4TextReport(style: .forTerminal).refusal(error))
      case .json: StandardOutput.write(SigV4JSONReport.refusal(error) + [0x0A])
      }
      throw ExitStatus.refused
    }
  }
}
