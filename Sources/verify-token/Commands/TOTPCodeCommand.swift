internal import ArgumentParser
internal import TokenSecurityEncodings
internal import JOSE
internal import OneTimeCodes

/// `verify-token totp code`: the code of now.
struct TOTPCodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "code", abstract: "Show the code of now and how long it has left.",
    discussion: "With --secret-file - the secret comes from standard input.")

  @OptionGroup(title: "Secret") var options: TOTPOptions

  @Option(help: ArgumentHelp("The instant of the code; the present without it.", valueName: "time"))
  var at: InstantArgument?

  @Option(help: "How it is written.")
  var output: OutputFormat = .text

  mutating func run() throws {
    let (_, totp) = try options.codes(fromStandardInput: true)
    let now = at?.date ?? .now
    let code: String
    let step: UInt64
    let left: Int64
    do {
      code = try totp.code(at: now)
      step = try totp.step(at: now)
      left = try totp.timeLeft(at: now).wholeSeconds
    } catch { throw UsageProblem("--at: \(error) [\(error.codeText)]") }
    switch output {
    case .text: StandardOutput.write("\(code)  \(TimeSpan(seconds: left)) left\n")
    case .json:
      let object: JSONObject = [
        "code": .string(code), "step": .number(JSONNumber(Int64(step))),
        "seconds_left": .number(JSONNumber(left)),
      ]
      StandardOutput.write(JSONWriter.write(object) + [0x0A])
    }
  }
}
