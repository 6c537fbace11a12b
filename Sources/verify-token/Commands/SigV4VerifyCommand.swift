internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import SigV4

/// `verify-token sigv4 verify`: whether a signature holds.
struct SigV4VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Say whether a request's signature holds, and if not, why (the default).",
    discussion: """
      The request is text of HTTP/1.1: request line, headers, an empty line, the body. Region and service are those \
      that the signature names, unless they are given.
      """)

  @Argument(help: "A file with the request; standard input without it, or where it is \"-\".")
  var file: String?

  @OptionGroup(title: "Keys") var keys: SigV4KeyOptions

  @Flag(help: "The input is what curl -v wrote: the lines that begin with > are the request.")
  var curlVerbose = false

  @Option(help: ArgumentHelp("A file with the body, where the request has none.", valueName: "file"))
  var body: String?

  @Option(help: ArgumentHelp("A file with the answer of a service that refused.", valueName: "file"))
  var answer: String?

  @Option(help: ArgumentHelp("The region that the signature must be for.", valueName: "region"))
  var region: String?

  @Option(help: ArgumentHelp("The service that the signature must be for.", valueName: "service"))
  var service: String?

  @Option(
    help: ArgumentHelp(
      "A host that the request may be for. Can be repeated; any host without it.", valueName: "host"))
  var host: [String] = []

  @Option(
    help: ArgumentHelp(
      "Something ambiguous that is let through; see the manual. Can be repeated.", valueName: "kind"))
  var accept: [AmbiguityArgument] = []

  @Option(
    help: ArgumentHelp(
      "A header that may be there unsigned: content-type, x-amz-user-agent. Can be repeated.",
      valueName: "header"))
  var acceptUnsigned: [UnsignedHeaderArgument] = []

  @Flag(help: "The session token is added after signing.")
  var tokenAfterSigning = false

  @Option(help: ArgumentHelp("The instant to judge at; the present without it.", valueName: "time"))
  var at: InstantArgument?

  @Flag(help: "Show every check, the canonical request and the string to sign.")
  var explain = false

  @Option(help: "How the verdict is written.")
  var output: OutputFormat = .text

  mutating func run() throws {
    let now = at?.date ?? .now
    let bytes = try RequestInput.read(file)
    var explanation: RequestExplanation
    do {
      var message = try curlVerbose ? CurlVerbose.message(bytes) : HTTPMessage(parsing: bytes)
      if let body {
        message.body = try RequestInput.read(body, limit: RequestInput.bodyLimit)
      }
      let found = try? UnverifiedRequest(message.head).parameters
      let verifier = try RequestVerifier(policy: policy(found))
      let key = try UsageProblem.of { try keys.key(found) }
      let other = try answer.map { try ServerExplanation(answer: RequestInput.read($0)) }
      explanation = verifier.explain(message, key: key, other: other, at: now)
    } catch let error as SigV4Error {
      explanation = RequestExplanation(unread: error, at: now)
    }
    switch output {
    case .text:
      StandardOutput.write(SigV4TextReport(style: .forTerminal).verdict(explanation, withChecks: explain))
    case .json: StandardOutput.write(SigV4JSONReport.verdict(explanation) + [0x0A])
    }
    if explanation.error != nil { throw ExitStatus.refused }
  }

  private func policy(_ found: SignatureParameters?) -> VerifierPolicy {
    let service = service ?? found?.scope.service ?? "unknown"
    let region = region ?? found?.scope.region ?? found?.regionSet.first { !$0.hasSuffix("*") } ?? "us-east-1"
    let hosts: VerifierPolicy.HostRule =
      host.isEmpty
      ? .unchecked(because: "--host was not given") : .oneOf(Set(host.map(\.lowercasedASCII)))
    var policy = VerifierPolicy(service: service, region: region, hosts: hosts)
    policy.algorithms = Set(SigningAlgorithm.allCases)
    policy.placements = Set(SignaturePlacement.allCases)
    // What the signature says of the body is shown; that it says nothing is no mistake of the signer's.
    policy.payloads = Set(PayloadBinding.allCases)
    policy.acceptedAmbiguities = Set(accept.map(\.ambiguity))
    policy.acceptedUnsignedHeaders = Set(acceptUnsigned.map(\.header))
    if tokenAfterSigning { policy.sessionToken = .addedAfterSigning }
    return policy
  }
}
