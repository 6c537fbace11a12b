internal import ArgumentParser
internal import SigV4
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// `verify-token sigv4 sign`: signs or presigns a request.
struct SigV4SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Sign or presign a request.",
    discussion: """
      Credentials come from --secret-file with --access-key, from --profile, from \
      AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the default profile.

      EXAMPLES:
        Sign a request from standard input:

          printf 'GET / HTTP/1.1\\nHost: sts.amazonaws.com\\n\\n' |
            verify-token sigv4 sign --service sts --region us-east-1

        Send a signed request with curl:

          printf 'GET / HTTP/1.1\\nHost: bucket.s3.amazonaws.com\\n\\n' |
            verify-token sigv4 sign --print headers --service s3 \\
              --region us-east-1 > headers
          curl -H @headers https://bucket.s3.amazonaws.com/
      """)

  enum Print: ExactString, NamedArgument {
    case request
    /// The added and the signed headers, in the format of `curl -H @FILE`.
    case headers
    case url
  }

  @Argument(help: #"File with the request, "-" for standard input (the default)."#, completion: .file())
  var file: String?

  @Option(help: ArgumentHelp("Service to sign for.", valueName: "service"))
  var service: String

  @Option(
    help: ArgumentHelp("Region to sign for. Default: AWS_REGION or AWS_DEFAULT_REGION.", valueName: "region"))
  var region: String?

  @Option(help: ArgumentHelp("Regions for SigV4A, separated by commas; * for all.", valueName: "regions"))
  var regionSet: String?

  @Option(
    help: ArgumentHelp(
      "Write a presigned URL that is valid for this duration: 1s to 7d.", valueName: "duration"))
  var presign: DurationArgument?

  @Option(
    help: ArgumentHelp("Access key id, for --secret-file. Default: AWS_ACCESS_KEY_ID.", valueName: "id"))
  var accessKey: String?

  @Option(help: ArgumentHelp("File with the secret access key.", valueName: "file"), completion: .file())
  var secretFile: String?

  @Option(
    help: ArgumentHelp("File with the session token, for --secret-file.", valueName: "file"),
    completion: .file())
  var sessionTokenFile: String?

  @Option(help: ArgumentHelp("Profile in ~/.aws/credentials and ~/.aws/config.", valueName: "name"))
  var profile: String?

  @Flag(help: "Do not sign the body (UNSIGNED-PAYLOAD).")
  var unsignedPayload = false

  @Flag(help: "Add the session token after signing.")
  var tokenAfterSigning = false

  @Option(help: ArgumentHelp("Sign with this time. Default: now.", valueName: "time"))
  var at: InstantArgument?

  @Option(
    name: .customLong("print"),
    help: ArgumentHelp(
      "Part to write; headers are the added and the signed ones. Default: request, url with --presign.",
      valueName: "part"))
  var printed: Print?

  @Option(help: "Output format. JSON contains all parts and the canonical request.")
  var output: OutputFormat = .text

  mutating func run() throws {
    do {
      let (signed, message) = try signed()
      write(
        signed, HTTPMessage(head: Self.sized(signed.head, message.body), body: message.body), message.head)
    } catch let error as SigV4Error {
      output.write(text: { $0.refusal(error) }, json: { JSONReport.result(error) })
      throw ExitStatus.refused
    }
  }

  /// The signed request, and the request that was read.
  func signed() throws -> (signed: SignedRequest, message: HTTPMessage) {
    let date = at?.date ?? .now
    let message = try HTTPMessage(parsing: RequestInput.read(file))
    let credentials = try UsageError.of { try self.credentials() }
    let signer = try UsageError.of { try self.signer() }
    let body: Payload = unsignedPayload ? .unsigned : message.body.isEmpty ? .none : .bytes(message.body)
    let signed =
      if let presign {
        try signer.presign(
          message.head, expiresIn: .seconds(presign.seconds), body: body, with: credentials, at: date)
      } else {
        try signer.sign(message.head, body: body, with: credentials, at: date)
      }
    return (signed, message)
  }

  private func signer() throws -> Signer {
    let placement: SessionTokenPlacement = tokenAfterSigning ? .addedAfterSigning : .signed
    switch (region ?? ProcessEnvironment["AWS_REGION"] ?? ProcessEnvironment["AWS_DEFAULT_REGION"], regionSet)
    {
    case (_, let set?):
      guard region == nil else {
        throw UsageError("--region and --region-set exclude each other", code: UsageError.optionsWrong)
      }
      return try Signer(
        service: service,
        regionSet: set.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) },
        sessionToken: placement)
    case (let region?, nil): return try Signer(service: service, region: region, sessionToken: placement)
    case (nil, nil):
      throw UsageError(
        "no region: give --region or --region-set, or set AWS_REGION", code: UsageError.optionsWrong)
    }
  }

  private func credentials() throws -> Credentials {
    guard let secretFile else {
      guard accessKey == nil, sessionTokenFile == nil else {
        throw UsageError(
          "--access-key and --session-token-file need --secret-file", code: UsageError.optionsWrong)
      }
      return try profile.map { try LocalCredentials.profile($0) } ?? LocalCredentials.standard()
    }
    guard profile == nil else {
      throw UsageError("--secret-file and --profile exclude each other", code: UsageError.optionsWrong)
    }
    guard let id = accessKey ?? ProcessEnvironment["AWS_ACCESS_KEY_ID"] else {
      throw UsageError(
        "--secret-file needs --access-key, or AWS_ACCESS_KEY_ID", code: UsageError.optionsWrong)
    }
    let credentials = try Credentials(
      accessKeyID: id, secretAccessKey: InputFile.trimmed(secretFile),
      sessionToken: sessionTokenFile.map { try InputFile.text($0) })
    SigningKeyFile.warnIfReadable(secretFile)
    return credentials
  }

  /// Adds `Content-Length`, which the receiver needs to find the end of the body. It is not signed: clients
  /// and proxies write their own.
  private static func sized(_ head: RequestHead, _ body: [UInt8]) -> RequestHead {
    guard head["content-length"] == nil, head["transfer-encoding"] == nil,
      !body.isEmpty || ["POST", "PUT", "PATCH"].contains(ExactString(head.method))
    else { return head }
    var head = head
    head.headers.append(HeaderField("Content-Length", String(body.count)))
    return head
  }

  private func write(_ signed: SignedRequest, _ message: HTTPMessage, _ before: RequestHead) {
    guard output == .text else {
      output.write(text: { _ in "" }, json: { JSONReport.signed(signed, message.head) })
      return
    }
    switch printed ?? (presign == nil ? .request : .url) {
    case .request: StandardOutput.write(message.bytes)
    case .url: StandardOutput.write(signed.url + "\n")
    case .headers:
      let names = Set(
        signed.canonicalRequest.signedHeaders.utf8.split(separator: UInt8(ascii: ";"))
          .map { ExactString(String(Substring($0))) })
      let lines = signed.head.headers
        .filter { names.contains(ExactString($0.name.lowercasedASCII)) || !before.headers.contains($0) }
        .map { "\($0.name): \(String(decoding: $0.value, as: UTF8.self))\n" }
      StandardOutput.write(lines.joined())
    }
  }
}
