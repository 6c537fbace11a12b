internal import ArgumentParser
internal import SigV4
internal import TokenSecurityBase

/// `verify-token sigv4 verify`: verifies a signed request.
struct SigV4VerifyCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Verify a request's signature, and explain a failure.",
    discussion: """
      The request is HTTP/1.1 text: request line, headers, an empty line, body. \
      Without --region and --service, those in the signature are accepted.

      EXAMPLE:
          verify-token sigv4 --explain --secret-file secret request.http
      """)

  @Argument(help: #"File with the request, "-" for standard input (the default)."#, completion: .file())
  var file: String?

  @OptionGroup(title: "Keys") var keys: SigV4KeyOptions

  @Flag(help: "The input is the output of curl -v: lines that begin with > are the request.")
  var curlVerbose = false

  @Option(
    help: ArgumentHelp("File with the body, if it is not part of the request.", valueName: "file"),
    completion: .file())
  var body: String?

  @Option(
    help: ArgumentHelp("File with the error response of a service that refused.", valueName: "file"),
    completion: .file())
  var answer: String?

  @Option(help: ArgumentHelp("Expected region.", valueName: "region"))
  var region: String?

  @Option(help: ArgumentHelp("Expected service.", valueName: "service"))
  var service: String?

  @Option(help: ArgumentHelp("An accepted host. Default: any. Repeatable.", valueName: "host"))
  var host: [String] = []

  @Option(help: ArgumentHelp("Accept this ambiguity; see the manual. Repeatable.", valueName: "kind"))
  var accept: [AmbiguityArgument] = []

  @Option(help: ArgumentHelp("Accept this header without a signature. Repeatable.", valueName: "header"))
  var acceptUnsigned: [UnsignedHeaderArgument] = []

  @Flag(help: "In the query, + is a space, as in HTML forms.")
  var plusAsSpace = false

  @Flag(help: "The session token was added after signing.")
  var tokenAfterSigning = false

  @Option(help: ArgumentHelp("Verify at this time. Default: now.", valueName: "time"))
  var at: InstantArgument?

  @Flag(help: "Show every check, the canonical request and the string to sign.")
  var explain = false

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  func outcome() throws -> Outcome {
    let now = at?.date ?? .now
    let bytes = try RequestInput.read(file)
    let explanation: RequestExplanation
    do {
      var message = try curlVerbose ? CurlVerbose.message(bytes) : HTTPMessage(parsing: bytes)
      if let body { message.body = try InputFile.bytes(body, limit: RequestInput.bodyLimit) }
      let parameters = try? UnverifiedRequest(message.head).parameters
      let verifier = try RequestVerifier(policy: policy(parameters))
      let key = try UsageError.of { try keys.key(parameters) }
      let server = try answer.map { try ServerExplanation(response: RequestInput.read($0)) }
      explanation = verifier.explain(message, key: key, server: server, at: now)
    } catch let error as SigV4Error {
      explanation = RequestExplanation(unread: error, at: now)
    }
    return Outcome(
      isRefused: explanation.error != nil, text: { explanation.text($0.style, withChecks: explain) },
      json: { JSONReport.verdict(explanation) })
  }

  private func policy(_ parameters: SignatureParameters?) -> VerifierPolicy {
    let signedRegion = parameters?.scope.region ?? parameters?.regionSet.first { !$0.hasSuffix("*") }
    let hosts: VerifierPolicy.HostRule =
      host.isEmpty
      ? .unchecked(because: "--host was not given") : .oneOf(Set(host.map(\.lowercasedASCII)))
    var policy = VerifierPolicy(
      service: service ?? parameters?.scope.service ?? "unknown",
      region: region ?? signedRegion ?? "us-east-1",
      hosts: hosts)
    policy.algorithms = Set(SigningAlgorithm.allCases)
    policy.placements = Set(SignaturePlacement.allCases)
    // An unsigned body is reported, but it is not a mistake of the signer.
    policy.payloads = Set(PayloadBinding.allCases)
    policy.acceptedAmbiguities = Set(accept.map(\.ambiguity))
    policy.acceptedUnsignedHeaders = Set(acceptUnsigned.map(\.header))
    if plusAsSpace { policy.plusInQuery = .space }
    if tokenAfterSigning { policy.sessionToken = .addedAfterSigning }
    return policy
  }
}
