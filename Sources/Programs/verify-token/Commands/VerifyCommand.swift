internal import ArgumentParser
internal import JOSE
internal import OpenIDConnect
internal import TokenSecurityBase

/// `verify-token verify`: verifies one token, or many.
struct VerifyCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verify a token.",
    discussion: """
      Reads the token from standard input, unless it is an argument. White space \
      around the token and a leading "Bearer " are ignored.

      EXAMPLE:
          verify-token --jwks keys.json \\
            --issuer https://issuer.example --audience my-api < token
      """)

  @Argument(help: "The token. Other users of this machine can see it: prefer standard input.")
  var token: String?

  @OptionGroup(title: "Keys") var keys: KeyOptions
  @OptionGroup(title: "Fetching keys") var remote: RemoteOptions
  @OptionGroup(title: "Profiles") var profiles: ProfileOptions
  @OptionGroup(title: "Expected claims and limits") var policyOptions: PolicyOptions
  @OptionGroup var report: ReportOptions

  var output: OutputFormat { report.output }

  func run() throws {
    guard report.batch else { return try write(outcome()) }
    guard (token ?? "-") == "-" else {
      throw UsageError(
        "--batch reads tokens from standard input, not from an argument", code: UsageError.optionsWrong)
    }
    let (policy, source) = try rules()
    try Batch(verifiers: verifiers(source, policy), at: policyOptions.at, explain: report.explain).run()
  }

  /// The verifiers of a batch. If all tokens need the same keys, these are fetched before the first is read.
  private func verifiers(_ source: KeyOptions.Source, _ policy: TokenPolicy) throws -> IssuerVerifiers {
    guard case .remote(let location, let separate) = source, !separate.isEmpty else {
      let verifier = try verifier(policy, keysForAll(source))
      return try IssuerVerifiers(policy, common: VerifierOnDemand { verifier }, separate: [:])
    }
    try remote.check()
    func onDemand(_ location: KeySetLocation) -> VerifierOnDemand {
      VerifierOnDemand { try verifier(policy, remote.fetch(location, for: nil)) }
    }
    return try IssuerVerifiers(
      policy, common: onDemand(location), separate: separate.mapValues { onDemand($0) })
  }

  func outcome() throws -> Outcome {
    try TokenInput.refuseFile(token)
    let (policy, source) = try rules()
    let explanation = try verify(source, policy)
    return Outcome(
      isRefused: explanation.error != nil, text: { $0.verdict(explanation, withChecks: report.explain) },
      json: { JSONReport.verdict(explanation) })
  }

  private func rules() throws -> (TokenPolicy, KeyOptions.Source) {
    let profile = try profiles.profile(with: policyOptions)
    let policy = try policyOptions.policy(profile)
    return (policy, try keys.source(profile, issuers: policyOptions.issuer))
  }

  private func verify(_ source: KeyOptions.Source, _ policy: TokenPolicy) throws -> Explanation {
    let now = policyOptions.at ?? .now
    // Unusable keys in files are reported without waiting for a token.
    var verifier: TokenVerifier? = nil
    if case .local(let set) = source { verifier = try self.verifier(policy, set) }
    do {
      let compact = try TokenInput.read(token, limit: policy.signature.limits.token)
      if let verifier { return verifier.explain(compact, at: now) }
      let parsed: UnverifiedToken
      do throws(JOSEError) {
        let policyVerifier = try PolicyVerifier(policy)
        parsed = try policyVerifier.parse(compact)
        try policyVerifier.verifyHeader(parsed)
      } catch {
        // A token that is refused for its form or header needs no keys.
        return try self.verifier(policy, JWKSet([])).explain(compact, at: now)
      }
      return try self.verifier(policy, keysFetched(source, parsed)).explain(compact, at: now)
    } catch let error as JOSEError {
      return Explanation(unread: error, at: now)
    }
  }

  private func keysFetched(_ source: KeyOptions.Source, _ token: UnverifiedToken) throws -> JWKSet {
    let header = token.header
    switch source {
    case .local(let set): return set
    case .remote(let location, let separate):
      let own = token.claims.issuer.flatMap { separate[ExactString($0)] }
      return try remote.fetch(own ?? location, for: header)
    case .loadBalancer(let loadBalancer):
      let keyID = try LoadBalancerVerifier.keyID(header)
      guard let url = try KeyOptions.url(loadBalancer.keysAddress + keyID) else {
        throw UsageError("the load balancer's keys have no URL", code: UsageError.optionsWrong)
      }
      return try remote.fetch(.pem(url, keyID: keyID), for: header)
    }
  }

  private func keysForAll(_ source: KeyOptions.Source) throws -> JWKSet {
    switch source {
    case .local(let set): return set
    case .remote(let location, _): return try remote.fetch(location, for: nil)
    case .loadBalancer:
      throw UsageError(
        "--batch cannot fetch a load balancer's keys; give the key with --key", code: UsageError.optionsWrong)
    }
  }

  private func verifier(_ policy: TokenPolicy, _ set: JWKSet) throws -> TokenVerifier {
    do { return try TokenVerifier(keys: set, policy: policy) } catch {
      throw UsageError("\(error)", code: error.codeText)
    }
  }
}
