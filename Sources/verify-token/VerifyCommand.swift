internal import ArgumentParser
internal import JOSE

/// `verify-token verify`: judges one token, or many.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verify a token (the default).",
    discussion: """
      The token is read from standard input where it is not given or is "-". A leading "Bearer " and \
      white space around the token are dropped.

      EXAMPLE:
        verify-token --jwks keys.json --issuer https://issuer.example --audience my-api < token
      """)

  @Argument(help: "The token. Other users of the machine can see it: prefer standard input.")
  var token: String?

  @OptionGroup(title: "Keys") var keys: KeyOptions
  @OptionGroup(title: "Demands") var demands: PolicyOptions

  @Option(help: "How the verdict is written.")
  var output: OutputFormat = .text

  @Flag(help: "Show every check: what was demanded, what was found, whether it held.")
  var explain = false

  @Flag(help: "Read one token a line from standard input, write one JSON object a line.")
  var batch = false

  mutating func run() throws {
    let policy = try demands.policy()
    let verifier: TokenVerifier
    do {
      verifier = try TokenVerifier(keys: try keys.load(), policy: policy)
    } catch let error as JOSEError {
      throw UsageProblem("\(error)")
    }
    if batch {
      guard token == nil || token == "-" else {
        throw UsageProblem("--batch reads tokens from standard input and takes none as an argument")
      }
      try Batch(verifier: verifier, at: demands.at?.date, explain: explain).run()
      return
    }
    let explanation = try judge(verifier, policy)
    switch output {
    case .text:
      StandardOutput.write(
        TextReport(style: .forTerminal).verdict(explanation, withChecks: explain))
    case .json: StandardOutput.write(JSONReport.verdict(explanation) + [0x0A])
    }
    if case .failure = explanation.result { throw ExitStatus.refused }
  }

  private func judge(_ verifier: TokenVerifier, _ policy: TokenPolicy) throws -> Explanation {
    let now = demands.at?.date ?? .now
    do {
      let compact = try TokenInput.read(token, limit: policy.signature.limits.token)
      return verifier.explain(compact, at: now)
    } catch let error as JOSEError {
      return Explanation(refusedUnread: error, at: now)
    }
  }
}

/// How a verdict is written.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
  case text
  case json
}
