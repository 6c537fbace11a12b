internal import ArgumentParser
internal import TokenSecurityBase

/// The result of a command, in both formats.
struct Outcome {
  /// True if a token, request, code, key or duration was refused.
  let isRefused: Bool
  let text: (TextReport) throws -> String
  let json: () throws -> JSONObject

  init(
    isRefused: Bool = false, text: @escaping (TextReport) throws -> String,
    json: @escaping () throws -> JSONObject
  ) {
    self.isRefused = isRefused
    self.text = text
    self.json = json
  }
}

/// A command that has an outcome, which is computed without writing anything.
protocol ReportingCommand: ParsableCommand {
  /// The format in which the outcome is written.
  var output: OutputFormat { get }

  /// Computes the outcome. Errors mean that nothing could be decided.
  func outcome() throws -> Outcome
}

extension ReportingCommand {
  func run() throws { try write(outcome()) }

  /// Writes an outcome to standard output, and throws `ExitStatus.refused` for a refusal.
  func write(_ outcome: Outcome) throws {
    try output.write(text: outcome.text, json: outcome.json)
    if outcome.isRefused { throw ExitStatus.refused }
  }
}
