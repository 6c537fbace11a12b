internal import ArgumentParser
internal import TokenSecurityBase

/// The options that set how tokens are read and results are written.
struct ReportOptions: ParsableArguments {
  @Option(
    name: .customLong("output"),
    help: ArgumentHelp("Output format. Values: text, json. Default: text.", valueName: "output"),
    completion: .list(OutputFormat.names), transform: OutputFormat.checked)
  var outputText: String?

  /// The value of `--output`.
  var output: OutputFormat { OutputFormat(outputText) ?? .text }

  @Flag(name: .customLong("explain"), help: "Show every check with the expected and the actual value.")
  var explain = false

  @Flag(
    name: .customLong("batch"),
    help: "Read one token per line from standard input and write one JSON object per line.")
  var batch = false
}
