internal import AccessPolicies
internal import ArgumentParser
internal import TokenSecurityBase

/// `verify-token policy check`: decides a request by access policies.
struct PolicyCheckCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Decide a request by access policies.",
    discussion: """
      Exits with 0 if the request is allowed, with 1 if it is denied, with 2 if a \
      policy is refused, with its line and column. Parts of policies that cannot do \
      what they seem to do are warnings on standard error.

      The keys of --context are the only ones that the request has: none is derived \
      from the other options.

      EXAMPLE:
          verify-token policy check --policy policy.json \\
            --action s3:GetObject --resource arn:aws:s3:::files/jane/a \\
            --context aws:username=jane --context aws:SourceIp=203.0.113.7
      """)

  @OptionGroup(title: "Policies") var files: PolicyFiles

  @OptionGroup(title: "Request") var request: PolicyRequestOptions

  @Flag(
    help:
      "Show for each statement whether it applies, with its conditions, its variables and what does not fit.")
  var explain = false

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  func outcome() throws -> Outcome {
    guard files.resource.isEmpty || request.principal != nil else {
      throw UsageError(
        "--resource-policy needs --principal: the policy of a resource names its callers",
        code: UsageError.optionsWrong)
    }
    let request = try request.request()
    let policies = try files.policies()
    let explanation = policies.explain(request)
    return Outcome(
      isRefused: !explanation.decision.isAllowed,
      text: { explanation.text($0.style, withStatements: explain) },
      json: { explanation.json })
  }
}
