internal import ArgumentParser
internal import JOSE
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// `verify-token sign`: issues a token for a test.
struct SignCommand: ReportingCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign", abstract: "Sign claims as a token.",
    discussion: """
      Reads the claims, a JSON object, and writes a token. Its iat is the current \
      time, and its exp follows from --lifetime: both replace those of the claims. \
      A line feed follows the token only on a terminal and with --batch: other \
      programs count it as a part of the token.

      EXAMPLE:
          verify-token jwks generate --private-file private.jwk \\
            --public-file public.json
          echo '{"iss":"https://issuer.example","aud":"my-api"}' |
            verify-token sign --key private.jwk > token
          verify-token --jwks public.json --issuer https://issuer.example \\
            --audience my-api < token
      """)

  @Argument(help: #"File with the claims, "-" for standard input (the default)."#, completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp("The private key: PEM, DER or a JWK.", valueName: "file"), completion: .file())
  var key: String?

  @Option(
    help: ArgumentHelp("A shared secret for HMAC, in place of a key.", valueName: "file"),
    completion: .file())
  var secretFile: String?

  @Option(
    help: ArgumentHelp(
      "Encoding of the secret. One final line break of text is ignored.", valueName: "format"))
  var secretFormat: KeyOptions.SecretFormat = .text

  @Option(
    help: ArgumentHelp("The algorithm. Default: that of the key, if it names one.", valueName: "alg"),
    completion: .list(Algorithm.allCases.map(\.name)))
  var alg: String?

  @Option(help: ArgumentHelp("The typ of the header.", valueName: "typ"))
  var typ = "JWT"

  @Option(help: ArgumentHelp("How long the token is valid: 1s to 24h. Default: 15m.", valueName: "duration"))
  var lifetime: DurationArgument?

  @Option(help: ArgumentHelp("Time of issue. Default: now.", valueName: "time"))
  var at: InstantArgument?

  @Flag(help: "Read one JSON object per line, and write one token per line.")
  var batch = false

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  func outcome() throws -> Outcome {
    guard !batch || output == .text else {
      throw UsageError("--batch writes tokens; remove --output json", code: UsageError.optionsWrong)
    }
    if let lifetime, !(1...86_400).contains(lifetime.seconds) {
      throw UsageError(
        "--lifetime must be 1s to 24h, not \(lifetime.seconds)s", code: UsageError.optionsWrong)
    }
    guard (file ?? "-") != "-" || key != "-" && secretFile != "-" else {
      throw UsageError("standard input cannot be both the key and the claims", code: UsageError.optionsWrong)
    }
    let signer = try signer()
    let texts = try texts()
    let now = at?.date ?? .now
    var tokens: [String] = []
    for (index, text) in texts.enumerated() {
      let name = batch ? "line \(index + 1)" : InputFile.name(file ?? "-")
      let claims = try Self.claims(text, name)
      do {
        tokens.append(
          try signer.issue(TokenClaims(claims), lifetime: lifetime.map { .seconds($0.seconds) }, at: now))
      } catch { throw UsageError(error) }
    }
    let whole = tokens.joined(separator: "\n")
    let ending = batch && !tokens.isEmpty || StandardOutput.isTerminal ? "\n" : ""
    return Outcome(text: { _ in whole + ending }, json: { ["token": .string(whole)] })
  }

  private func signer() throws -> TokenSigner {
    guard (key == nil) != (secretFile == nil), let path = key ?? secretFile else {
      throw UsageError("give either --key or --secret-file", code: UsageError.optionsWrong)
    }
    do {
      let key =
        try secretFile == nil
        ? Self.privateKey(path) : JWK(secret: KeyOptions.secret(path, secretFormat))
      let signer = try TokenSigner(key: key, algorithm: algorithm(key), type: typ)
      SigningKeyFile.warnIfReadable(path)
      return signer
    } catch let error as JOSEError { throw UsageError(error, in: InputFile.name(path)) }
  }

  private static func privateKey(_ path: String) throws -> JWK {
    let set = try KeyFile.read(InputFile.read(path))
    guard let key = set.keys.first, set.keys.count == 1 else {
      throw UsageError("\(InputFile.name(path)) does not have exactly one key", code: UsageError.keysUnusable)
    }
    // A certificate beside a private key that is encrypted or damaged cannot sign instead of it.
    if let other = set.rejected.first { throw other.error }
    if case .publicKey = key.material { throw JOSEError.keyNotPrivate }
    return key
  }

  /// The algorithm of `--alg`, that of the key, or else the only one that fits the key.
  private func algorithm(_ key: JWK) throws -> Algorithm? {
    if let alg { return try PolicyOptions.algorithm(alg) }
    guard key.algorithmName == nil else { return nil }
    // Keys for EdDSA also fit the algorithm of their curve, whose name says more (RFC 9864).
    let fitting = key.algorithms.filter { $0 != .edDSA }
    guard fitting.count <= 1 else {
      throw UsageError(
        "the key names no algorithm: give --alg with one of \(fitting.map(\.name).joined(separator: ", "))",
        code: UsageError.optionsWrong)
    }
    // A secret that is too short for all algorithms is refused for its size by the shortest.
    return fitting.first ?? (secretFile == nil ? nil : .hs256)
  }

  /// The text of the claims, or one for each line, without an empty line at the end.
  private func texts() throws -> [[UInt8]] {
    let path = file ?? "-"
    if path == "-", StandardInput.isTerminal {
      StandardError.write("verify-token: reading claims from standard input\n")
    }
    let bytes = try InputFile.bytes(path)
    guard batch else { return [bytes] }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { Array($0) }
  }

  private static func claims(_ text: [UInt8], _ name: String) throws -> JSONObject {
    do {
      guard let object = try JSONValue(parsing: text).object else {
        throw UsageError("\(name): the claims are not a JSON object", code: UsageError.fileUnusable)
      }
      return object
    } catch let error as JSONError {
      throw UsageError(error, in: name, text)
    }
  }
}
