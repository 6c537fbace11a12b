internal import TokenSecurityPlatform
internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import SigV4

/// `verify-token sigv4 sign`: signs a request.
struct SigV4SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Sign a request, or presign it.",
    discussion: """
      Credentials come from --secret-file with --access-key, from --profile, or from where AWS's programs look: \
      AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the default profile.

      EXAMPLES:
        printf 'GET / HTTP/1.1\\nHost: sts.amazonaws.com\\n\\n' | verify-token sigv4 sign --service sts --region us-east-1 | nc …
        curl -H "@<(verify-token sigv4 sign --print headers … request.http)" https://…
      """)

  enum Print: ExactString, NamedArgument {
    /// The whole request.
    case request
    /// The headers alone, as curl -H @FILE takes them.
    case headers
    /// The URL, which a presigned request is.
    case url
  }

  @Argument(help: "A file with the request; standard input without it, or where it is \"-\".")
  var file: String?

  @Option(help: ArgumentHelp("The service.", valueName: "service"))
  var service: String

  @Option(help: ArgumentHelp("The region.", valueName: "region"))
  var region: String?

  @Option(
    help: ArgumentHelp("The regions of SigV4A, with commas between them; * for all.", valueName: "regions"))
  var regionSet: String?

  @Option(help: ArgumentHelp("Presign the request: 1s to 7d.", valueName: "duration"))
  var presign: DurationArgument?

  @Option(help: ArgumentHelp("The access key's id, with --secret-file.", valueName: "id"))
  var accessKey: String?

  @Option(help: ArgumentHelp("A file with the secret access key.", valueName: "file"))
  var secretFile: String?

  @Option(help: ArgumentHelp("A file with the session token, with --secret-file.", valueName: "file"))
  var sessionTokenFile: String?

  @Option(help: ArgumentHelp("A profile of ~/.aws/credentials and ~/.aws/config.", valueName: "name"))
  var profile: String?

  @Flag(help: "Say nothing of the body: UNSIGNED-PAYLOAD.")
  var unsignedPayload = false

  @Flag(help: "Add the session token after signing.")
  var tokenAfterSigning = false

  @Option(help: ArgumentHelp("The instant to sign at; the present without it.", valueName: "time"))
  var at: InstantArgument?

  @Option(
    name: .customLong("print"), help: "What is written; the URL where nothing is said and --presign is given."
  )
  var printed: Print?

  @Option(help: "How it is written; JSON has all of it, and the canonical request.")
  var output: OutputFormat = .text

  mutating func run() throws {
    let date = at?.date ?? .now
    do {
      let message = try HTTPMessage(parsing: RequestInput.read(file))
      let credentials = try UsageProblem.of { try self.credentials() }
      let signer = try UsageProblem.of { try self.signer() }
      let body: Payload = unsignedPayload ? .unsigned : message.body.isEmpty ? .none : .bytes(message.body)
      let signed =
        if let presign {
          try signer.presign(
            message.head, expiresIn: .seconds(presign.seconds), body: body, with: credentials, at: date)
        } else {
          try signer.sign(message.head, body: body, with: credentials, at: date)
        }
      write(signed, HTTPMessage(head: signed.head, body: message.body), before: message.head)
    } catch let error as SigV4Error {
      switch output {
      case .text: StandardOutput.write(SigV4TextReport(style: .forTerminal).refusal(error))
      case .json: StandardOutput.write(SigV4JSONReport.refusal(error) + [0x0A])
      }
      throw ExitStatus.refused
    }
  }

  private func signer() throws -> Signer {
    let placement: SessionTokenPlacement = tokenAfterSigning ? .addedAfterSigning : .signed
    switch (region ?? ProcessEnvironment["AWS_REGION"] ?? ProcessEnvironment["AWS_DEFAULT_REGION"], regionSet)
    {
    case (_, let set?):
      guard region == nil else { throw UsageProblem("--region and --region-set exclude each other") }
      return try Signer(
        service: service,
        regionSet: set.utf8.split(separator: UInt8(ascii: ",")).map { String(Substring($0)) },
        sessionToken: placement)
    case (let region?, nil): return try Signer(service: service, region: region, sessionToken: placement)
    case (nil, nil): throw UsageProblem("no region: give --region or --region-set, or set AWS_REGION")
    }
  }

  private func credentials() throws -> Credentials {
    guard let secretFile else {
      guard accessKey == nil, sessionTokenFile == nil else {
        throw UsageProblem("--access-key and --session-token-file go with --secret-file")
      }
      return try profile.map { try SigV4Sources.profile($0) } ?? SigV4Sources.standard()
    }
    guard profile == nil else { throw UsageProblem("--secret-file and --profile exclude each other") }
    guard let id = accessKey ?? ProcessEnvironment["AWS_ACCESS_KEY_ID"] else {
      throw UsageProblem("--secret-file needs --access-key, or AWS_ACCESS_KEY_ID")
    }
    let secret = try SigV4KeyOptions.trimmed(InputFile.read(secretFile))
    let token = try sessionTokenFile.map { path -> String in
      let contents = try SigV4KeyOptions.trimmed(InputFile.read(path))
      return contents.withBytes { (bytes: borrowing Span<UInt8>) -> String in
        String(decoding: [UInt8](unwipedCopy: bytes), as: UTF8.self)
      }
    }
    return try Credentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
  }

  private func write(_ signed: SignedRequest, _ message: HTTPMessage, before: RequestHead) {
    guard output == .text else {
      StandardOutput.write(SigV4JSONReport.signed(signed) + [0x0A])
      return
    }
    switch printed ?? (presign == nil ? .request : .url) {
    case .request: StandardOutput.write(message.bytes)
    case .url: StandardOutput.write(signed.url + "\n")
    case .headers:
      let lines = signed.head.headers.filter { !before.headers.contains($0) }
        .map { "\($0.name): \(String(decoding: $0.value, as: UTF8.self))\n" }
      StandardOutput.write(lines.joined())
    }
  }
}
