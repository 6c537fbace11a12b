internal import ArgumentParser
internal import OneTimeCodes
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// `verify-token totp enroll`: creates a secret.
struct TOTPEnrollCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enroll", abstract: "Create a secret, its otpauth URI and its QR code.",
    discussion: """
      The output is secret: anyone who sees it can compute the codes. Files are \
      created with mode 600. Existing files are not overwritten. After an error no \
      file is left.

      EXAMPLE:
          verify-token totp enroll --issuer Example \\
            --account bob@example.org --secret-file bob.otp
      """)

  @Option(help: ArgumentHelp("Name of the service.", valueName: "name"))
  var issuer: String

  @Option(help: ArgumentHelp("Name of the account.", valueName: "name"))
  var account: String

  @Option(
    help: ArgumentHelp("Hash algorithm. Default: SHA1; not all devices support others.", valueName: "name"))
  var algorithm: OTPAlgorithmArgument?

  @Option(help: ArgumentHelp("Number of digits of a code: 6, 7 or 8.", valueName: "count"))
  var digits = 6

  @Option(help: ArgumentHelp("Length of a time step. Default: 30s.", valueName: "duration"))
  var period: DurationArgument?

  @Option(help: ArgumentHelp("Size of the secret, at least 16.", valueName: "bytes"))
  var size = OTPSecret.standardSize

  @Option(
    help: ArgumentHelp("New file for the otpauth URI, for the other totp commands.", valueName: "file"),
    completion: .file())
  var secretFile: String?

  @Option(
    help: ArgumentHelp("New file for the QR code as SVG.", valueName: "file"), completion: .file())
  var svg: String?

  @Option(
    help: ArgumentHelp("New file for the QR code as PNG.", valueName: "file"), completion: .file())
  var png: String?

  @Flag(help: "Do not draw the QR code in the terminal.")
  var noQR = false

  @Option(help: "Output format.")
  var output: OutputFormat = .text

  /// Creates the secret.
  func uri() throws -> OTPAuthURI {
    do {
      return try OTPAuthURI(
        issuer: issuer, account: account, secret: OTPSecret.random(size: size),
        kind: .totp(period: .seconds(period?.seconds ?? 30)), algorithm: algorithm?.algorithm ?? .sha1,
        digits: digits)
    } catch { throw UsageError(error) }
  }

  mutating func run() throws {
    let uri = try uri()
    let text = uri.text()
    let format = TextStyle.forTerminal.isColoured ? "colours" : "terminal"
    let drawing: SecretBytes
    if output == .text, !noQR {
      drawing = try drawn(format, text)
    } else {
      drawing = SecretBytes([UInt8]().span)
    }
    // Shown after the files are written: no device may scan a secret whose file could not be written.
    var files = NewFiles()
    do {
      if let svg { try files.write(drawn("svg", text), to: svg) }
      if let png { try files.write(drawn("png", text), to: png) }
      if let secretFile { try files.write(text, to: secretFile) }
      try show(uri.secret.base32(), text, drawing)
    } catch {
      files.remove()
      throw error
    }
  }

  private func show(
    _ secret: borrowing SecretBytes, _ uri: borrowing SecretBytes, _ drawing: borrowing SecretBytes
  ) throws {
    func write(_ text: String) throws { try StandardOutput.attempt(SecretBytes(text.utf8.span)) }
    switch output {
    case .text:
      try write("secret  ")
      try StandardOutput.attempt(Self.grouped(secret))
      try write("\nuri     ")
      try StandardOutput.attempt(uri)
      try write(drawing.count > 0 ? "\n\n" : "\n")
      try StandardOutput.attempt(drawing)
    case .json:
      try write("{\"secret\":\"")
      try StandardOutput.attempt(secret)
      try write("\",\"uri\":\"")
      // The URI is percent-encoded: no character needs escaping in JSON.
      try StandardOutput.attempt(uri)
      try write("\"}\n")
    }
  }

  /// The QR code, drawn by `verify-token-qr`.
  private func drawn(_ format: String, _ text: borrowing SecretBytes) throws -> SecretBytes {
    guard let program = HelperProgram("verify-token-qr") else {
      throw UsageError(
        "verify-token-qr, which draws QR codes, is not installed beside this program; use --no-qr",
        code: UsageError.programFailed)
    }
    let head = Array((format + "\n").utf8)
    let input = SecretBytes(count: head.count + text.count) { output in
      for index in head.indices { output[index] = head[index] }
      text.withBytes { text in for index in text.indices { output[head.count + index] = text[index] } }
    }
    guard let drawing = program.run(input: input, limit: 1 << 22) else {
      throw UsageError("verify-token-qr failed", code: UsageError.programFailed)
    }
    return drawing
  }

  /// Groups of four characters.
  private static func grouped(_ base32: borrowing SecretBytes) -> SecretBytes {
    base32.withBytes { (text: borrowing Span<UInt8>) -> SecretBytes in
      SecretBytes(count: text.count + (text.count - 1) / 4) { output in
        for index in text.indices { output[index + index / 4] = text[index] }
        for gap in 0..<((text.count - 1) / 4) { output[5 * gap + 4] = 0x20 }
      }
    }
  }
}
