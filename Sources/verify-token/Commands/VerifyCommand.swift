internal import ArgumentParser
internal import TokenSecurityEncodings
internal import JOSE
internal import OpenIDConnect

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
  @OptionGroup(title: "Fetching keys") var remote: RemoteOptions
  @OptionGroup(title: "Profiles") var profiles: ProfileOptions
  @OptionGroup(title: "Demands") var demands: PolicyOptions

  @Option(help: "How the verdict is written.")
  var output: OutputFormat = .text

  @Flag(help: "Show every check: what was demanded, what was found, whether it held.")
  var explain = false

  @Flag(help: "Read one token a line from standard input, write one JSON object a line.")
  var batch = false

  mutating func run() throws {
    let profile = try profiles.profile(beside: demands)
    let policy = try demands.policy(profile)
    let source = try keys.source(profile, issuers: demands.issuer)
    if batch {
      guard token == nil || token == "-" else {
        throw UsageProblem("--batch reads tokens from standard input and takes none as an argument")
      }
      let verifier = try verifier(policy, keysForAll(source))
      try Batch(verifier: verifier, at: demands.at?.date, explain: explain).run()
      return
    }
    let explanation = try judge(source, policy)
    switch output {
    case .text:
      StandardOutput.write(
        TextReport(style: .forTerminal).verdict(explanation, withChecks: explain))
    case .json: StandardOutput.write(JSONReport.verdict(explanation) + [0x0A])
    }
    if case .failure = explanation.result { throw ExitStatus.refused }
  }

  private func judge(_ source: KeyOptions.Source, _ policy: TokenPolicy) throws -> Explanation {
    let now = demands.at?.date ?? .now
    // Keys in files are looked at first: that they are no keys is said without waiting for a token.
    var verifier: TokenVerifier? = nil
    if case .here(let set) = source { verifier = try self.verifier(policy, set) }
    do {
      let compact = try TokenInput.read(token, limit: policy.signature.limits.token)
      if let verifier { return verifier.explain(compact, at: now) }
      let header: JOSEHeader
      do throws(JOSEError) {
        let judge = try PolicyVerifier(policy)
        let parsed = try judge.parse(compact)
        try judge.verifyHeader(parsed)
        header = parsed.header
      } catch {
        // A token that its form or header condemns is not worth a fetch: no key is needed to say so.
        return try self.verifier(policy, JWKSet([])).explain(compact, at: now)
      }
      return try self.verifier(policy, keysFetched(source, header)).explain(compact, at: now)
    } catch let error as JOSEError {
      return Explanation(refusedUnread: error, at: now)
    }
  }

  private func keysFetched(_ source: KeyOptions.Source, _ header: JOSEHeader) throws -> JWKSet {
    switch source {
    case .here(let set): return set
    case .there(let location): return try remote.fetch(location, for: header)
    case .loadBalancer(let loadBalancer):
      let keyID = try LoadBalancerVerifier.keyID(header)
      guard let address = try KeyOptions.address(loadBalancer.keysAddress + keyID) else {
        throw UsageProblem("the load balancer's keys have no address")
      }
      return try remote.fetch(.pem(address, keyID: keyID), for: header)
    }
  }

  private func keysForAll(_ source: KeyOptions.Source) throws -> JWKSet {
    switch source {
    case .here(let set): return set
    case .there(let location): return try remote.fetch(location, for: nil)
    case .loadBalancer:
      throw UsageProblem("a load balancer's keys are fetched by the token; for --batch give one with --key")
    }
  }

  private func verifier(_ policy: TokenPolicy, _ set: JWKSet) throws -> TokenVerifier {
    do { return try TokenVerifier(keys: set, policy: policy) } catch { throw UsageProblem("\(error)") }
  }
}
