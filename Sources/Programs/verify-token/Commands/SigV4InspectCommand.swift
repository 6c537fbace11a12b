internal import ArgumentParser
internal import SigV4
internal import TokenSecurityBase

/// `verify-token sigv4 inspect`: shows a presigned URL without verifying it.
struct SigV4InspectCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show the contents of a presigned URL, its errors and its risks.",
    discussion: """
      Nothing is verified. Exits with 1 if every service would refuse the URL.

      EXAMPLE:
          verify-token sigv4 inspect < url
      """)

  @Argument(help: "The URL. Anyone who sees it can use it: prefer standard input.")
  var url: String?

  @Option(help: ArgumentHelp("HTTP method that the URL is for.", valueName: "method"))
  var method = "GET"

  @Option(help: ArgumentHelp("Expiration of the credentials that signed the URL.", valueName: "time"))
  var credentialsEnd: InstantArgument?

  @Option(help: ArgumentHelp("Show times relative to this time. Default: now.", valueName: "time"))
  var at: InstantArgument?

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  func outcome() throws -> Outcome {
    let now = at?.date ?? .now
    try TokenInput.refuseFile(url, expected: "URL") { $0.utf8.contains(UInt8(ascii: "?")) }
    let text: String
    if let url, url != "-" {
      text = url
    } else {
      let input = String(decoding: try InputFile.bytes("-"), as: UTF8.self)
      text = input.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
    }
    do {
      let lint = try PresignedLint(
        url: text, method: method, credentialsExpiration: credentialsEnd?.date, at: now)
      return Outcome(
        isRefused: lint.findings.contains(where: \.isError), text: { $0.lint(lint, now: now) },
        json: { JSONReport.lint(lint) })
    } catch {
      return Outcome(isRefused: true, text: { $0.refusal(error) }, json: { JSONReport.result(error) })
    }
  }
}
