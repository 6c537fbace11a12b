internal import ArgumentParser
internal import TokenSecurityBase

/// `verify-token codes`: error codes, what they mean and what to do.
struct CodesCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "codes",
    abstract: "Explain an error code, or list all codes.",
    discussion: """
      The codes of the libraries and of both commands, as they stand in brackets \
      at the end of a message.

      EXAMPLE:
          verify-token codes token_expired
      """)

  @Argument(
    help: "The code: token_expired. Without one, all codes are printed.",
    completion: .shellCommand("verify-token codes"))
  var code: String?

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  func outcome() throws -> Outcome {
    let table = ErrorCodeTable()
    guard let code else {
      let codes = table.codes
      return Outcome(
        text: { _ in codes.map { $0 + "\n" }.joined() },
        json: { ["codes": .array(table.entries.map(Self.json))] })
    }
    let name = Self.withoutBrackets(code)
    let entries = table.entries(of: name)
    guard !entries.isEmpty else {
      let hint = NearNames.question(NearNames.of(name, among: table.codes)) ?? "verify-token codes lists all"
      throw UsageError("there is no error code \(code.quoted); \(hint)", code: UsageError.optionsWrong)
    }
    return Outcome(
      text: { report in entries.map { Self.text($0, report.style) }.joined(separator: "\n") },
      json: { ["codes": .array(entries.map(Self.json))] })
  }

  /// The code as messages have it at their end, in brackets.
  private static func withoutBrackets(_ code: String) -> String {
    guard code.hasPrefix("["), code.hasSuffix("]") else { return code }
    return String(code.dropFirst().dropLast())
  }

  private static func text(_ entry: ErrorCodeTable.Entry, _ style: TextStyle) -> String {
    func lines(_ text: String) -> String { style.hanging(text, from: 14) }
    var text = "\(style.bad(entry.code))  \(style.faint(entry.section))\n\n"
    text += "  meaning     \(lines(entry.meaning))\n"
    if let exception = entry.exception { text += "  exception   \(exception)Exception\n" }
    if let remedy = entry.remedy { text += "  what to do  \(lines(remedy))\n" }
    return text
  }

  private static func json(_ entry: ErrorCodeTable.Entry) -> JSONValue {
    [
      "code": .string(entry.code), "section": .string(entry.section), "meaning": .string(entry.meaning),
      "exception": JSONValue(entry.exception.map { "\($0)Exception" }), "what_to_do": JSONValue(entry.remedy),
    ]
  }
}
