internal import ArgumentParser
internal import OneTimeCodes
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The options that name a secret and the parameters of its codes.
struct TOTPOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("File with the secret: base32, or an otpauth URI.", valueName: "file"),
    completion: .file())
  var secretFile: String

  @Option(help: ArgumentHelp("Hash algorithm. Default: SHA1.", valueName: "name"))
  var algorithm: OTPAlgorithmArgument?

  @Option(help: ArgumentHelp("Number of digits of a code: 6, 7 or 8. Default: 6.", valueName: "count"))
  var digits: Int?

  @Option(help: ArgumentHelp("Length of a time step. Default: 30s.", valueName: "duration"))
  var period: DurationArgument?

  @Option(help: ArgumentHelp("Start of time step 0. Default: 1970-01-01T00:00:00Z.", valueName: "time"))
  var epoch: InstantArgument?

  @Flag(help: "Accept a secret of fewer than 128 bits.")
  var acceptWeakSecret = false

  @Flag(
    help:
      "Refuse what is otherwise accepted with a warning: a secret with bits after its last byte, or with spaces in a URI, and two issuers."
  )
  var strictSecret = false

  /// Reads the secret. What is unusual about it is written to standard error.
  ///
  /// - Parameter allowsStandardInput: whether the secret may come from standard input.
  /// - Returns: the secret's size in bits, and its codes.
  /// - Throws: `UsageError` for an unusable secret.
  func codes(allowsStandardInput: Bool) throws -> (bits: Int, totp: TOTP) {
    guard secretFile != "-" || allowsStandardInput else {
      throw UsageError(
        "--secret-file -: standard input is for the code; put the secret in a file",
        code: UsageError.optionsWrong)
    }
    let text = try InputFile.trimmed(secretFile, limit: OTPAuthURI.limit)
    let isURI = text.withBytes { bytes in Self.isURI(bytes) }
    let name = InputFile.name(secretFile)
    let strength: OTPSecret.Strength =
      acceptWeakSecret ? .weakAccepted(because: "--accept-weak-secret was given") : .standard
    if isURI, algorithm != nil || digits != nil || period != nil || epoch != nil {
      throw UsageError(
        "\(name) has a URI, which sets these: remove --algorithm, --digits, --period and --epoch",
        code: UsageError.optionsWrong)
    }
    do throws(OTPError) {
      if isURI {
        let uri = try OTPAuthURI(text, strength: strength)
        let warnings = uri.warnings.filter { $0 != .secret(.smallLetters) }
        // The strict form names the first of them.
        if strictSecret, !warnings.isEmpty { _ = try OTPAuthURI(text, form: .strict, strength: strength) }
        for warning in warnings { StandardError.warn(name, "\(warning)") }
        return (uri.secret.bytes.count * 8, try uri.totp())
      }
      let secret = try OTPSecret(base32: text, strength: strength)
      // Small letters, spaces and hyphens are how people type a secret.
      if secret.deviations.contains(.trailingBits) {
        if strictSecret { throw OTPError.base32TrailingBits }
        StandardError.warn(name, "\(OTPSecret.Deviation.trailingBits)")
      }
      let totp = try TOTP(
        secret: secret, algorithm: algorithm?.algorithm ?? .sha1, digits: digits ?? 6,
        period: .seconds(period?.seconds ?? 30), epoch: epoch?.date ?? Timestamp(since1970: .zero))
      return (secret.bytes.count * 8, totp)
    } catch {
      if text.withBytes({ ByteOrderMark.begins($0) }) {
        throw UsageError(
          "\(name) begins with a UTF-8 byte order mark; save it without", code: UsageError.fileUnusable)
      }
      let hint = error.code == .secretTooShort ? "; --accept-weak-secret accepts it" : ""
      throw UsageError("\(name): \(error) [\(error.codeText)]\(hint)", code: error.codeText)
    }
  }
}

extension TOTPOptions {
  /// True for a URI of any scheme: base32 has no colon.
  private static func isURI(_ text: borrowing Span<UInt8>) -> Bool {
    guard let colon = ByteSearch.firstIndex(of: UInt8(ascii: ":"), in: text, from: 0) else { return false }
    let isSlashed =
      colon + 2 < text.count && text[colon + 1] == UInt8(ascii: "/") && text[colon + 2] == UInt8(ascii: "/")
    return isSlashed || colon == 7 && "otpauth".utf8.elementsEqual((0..<7).map { text[$0] | 0x20 })
  }
}

/// A hash algorithm, by its name.
struct OTPAlgorithmArgument: ExpressibleByArgument {
  let algorithm: OTPAlgorithm

  init?(argument: String) {
    let name = String(decoding: argument.utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
    guard let algorithm = OTPAlgorithm(anyCase: name) else { return nil }
    self.algorithm = algorithm
  }

  static var allValueStrings: [String] { OTPAlgorithm.allCases.map(\.name) }
}
