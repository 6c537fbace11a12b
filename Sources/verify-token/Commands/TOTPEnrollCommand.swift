internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenSecurityPlatform
internal import OneTimeCodes

/// `verify-token totp enroll`: a new secret, its URI and its QR code.
struct TOTPEnrollCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enroll", abstract: "Make a secret, its URI and its QR code.",
    discussion: """
      What it writes is as secret as a password: whoever sees it can make the codes. Files are made so that their \
      owner alone can read them, and none is written over.

      EXAMPLE:
        verify-token totp enroll --issuer Example --account alice@example.org --secret-file alice.otp
      """)

  @Option(help: ArgumentHelp("Who asks for the codes.", valueName: "name"))
  var issuer: String

  @Option(help: ArgumentHelp("Whose codes they are.", valueName: "name"))
  var account: String

  @Option(
    help: ArgumentHelp(
      "SHA1 (the standard), SHA256 or SHA512; not all devices know the others.", valueName: "name"))
  var algorithm: OTPAlgorithmArgument?

  @Option(help: ArgumentHelp("How many digits a code has: 6 (the standard), 7 or 8.", valueName: "count"))
  var digits = 6

  @Option(help: ArgumentHelp("How long a code is shown: 30s is the standard.", valueName: "duration"))
  var period: DurationArgument?

  @Option(
    help: ArgumentHelp("How many bytes the secret has: 20 is the standard, 16 the least.", valueName: "bytes")
  )
  var size = OTPSecret.standardSize

  @Option(help: ArgumentHelp("A new file for the URI, which the other commands read.", valueName: "file"))
  var secretFile: String?

  @Option(help: ArgumentHelp("A new file for the QR code as SVG.", valueName: "file"))
  var svg: String?

  @Option(help: ArgumentHelp("A new file for the QR code as PNG.", valueName: "file"))
  var png: String?

  @Flag(help: "Draw no QR code in the terminal.")
  var noQR = false

  @Option(help: "How secret and URI are written.")
  var output: OutputFormat = .text

  mutating func run() throws {
    let uri: OTPAuthURI
    do {
      uri = try OTPAuthURI(
        issuer: issuer, account: account, secret: OTPSecret.random(size: size),
        kind: .totp(period: .seconds(period?.seconds ?? 30)), algorithm: algorithm?.algorithm ?? .sha1,
        digits: digits)
    } catch { throw UsageProblem("\(error) [\(error.codeText)]") }
    let text = uri.text()
    // Before anything is shown: a secret whose file could not be written must not be in anybody's device.
    if let svg { try NewFile.write(drawn("svg", text), to: svg) }
    if let png { try NewFile.write(drawn("png", text), to: png) }
    if let secretFile { try NewFile.write(text, to: secretFile) }
    switch output {
    case .text:
      StandardOutput.write("secret  ")
      StandardOutput.write(Self.grouped(uri.secret.base32()))
      StandardOutput.write("\nuri     ")
      StandardOutput.write(text)
      StandardOutput.write("\n")
      guard !noQR else { return }
      let form = TextStyle.forTerminal.isColoured ? "colours" : "terminal"
      StandardOutput.write("\n")
      StandardOutput.write(try drawn(form, text))
    case .json:
      StandardOutput.write("{\"secret\":\"")
      StandardOutput.write(uri.secret.base32())
      StandardOutput.write("\",\"uri\":\"")
      // Percent-encoded: it has no character that JSON would escape.
      StandardOutput.write(text)
      StandardOutput.write("\"}\n")
    }
  }

  /// The QR code in one of the forms that the program beside this one draws.
  private func drawn(_ form: String, _ text: borrowing SecretBytes) throws -> SecretBytes {
    guard let process = HelperProgram("verify-token-qr") else {
      throw UsageProblem(
        "verify-token-qr, which draws QR codes, is not installed beside this program; --no-qr does without it"
      )
    }
    let head = Array((form + "\n").utf8)
    let question = SecretBytes(count: head.count + text.count) { output in
      for index in head.indices { output[index] = head[index] }
      text.withBytes { text in for index in text.indices { output[head.count + index] = text[index] } }
    }
    guard let drawing = process.ask(question, limit: 1 << 22) else {
      throw UsageProblem("verify-token-qr drew nothing")
    }
    return drawing
  }

  /// Four characters at a time, as people read them aloud.
  private static func grouped(_ base32: borrowing SecretBytes) -> SecretBytes {
    base32.withBytes { (text: borrowing Span<UInt8>) -> SecretBytes in
      SecretBytes(count: text.count + (text.count - 1) / 4) { output in
        for index in text.indices { output[index + index / 4] = text[index] }
        for gap in 0..<((text.count - 1) / 4) { output[5 * gap + 4] = 0x20 }
      }
    }
  }
}
