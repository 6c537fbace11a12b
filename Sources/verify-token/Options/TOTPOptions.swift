internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import OneTimeCodes

/// Where a secret is, and how its codes are made.
struct TOTPOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A file with the secret: base32, or an otpauth URI.", valueName: "file"))
  var secretFile: String

  @Option(help: ArgumentHelp("SHA1 (the standard), SHA256 or SHA512.", valueName: "name"))
  var algorithm: OTPAlgorithmArgument?

  @Option(help: ArgumentHelp("How many digits a code has: 6 (the standard), 7 or 8.", valueName: "count"))
  var digits: Int?

  @Option(help: ArgumentHelp("How long a code is shown: 30s is the standard.", valueName: "duration"))
  var period: DurationArgument?

  @Option(help: ArgumentHelp("Where the first step begins: 1970 is the standard.", valueName: "time"))
  var epoch: InstantArgument?

  @Flag(help: "Take a secret of fewer than 128 bits.")
  var acceptWeakSecret = false

  /// The secret's size in bits, and its codes.
  ///
  /// `standardInput`: whether the secret may come from there.
  func codes(fromStandardInput standardInput: Bool) throws -> (bits: Int, totp: TOTP) {
    guard secretFile != "-" || standardInput else {
      throw UsageProblem("--secret-file -: the code comes from standard input; the secret needs a file")
    }
    let contents = try InputFile.read(secretFile, limit: OTPAuthURI.limit)
    let text = Self.trimmed(contents)
    let isURI = text.withBytes { (bytes: borrowing Span<UInt8>) -> Bool in
      bytes.count > 8 && "otpauth:".utf8.elementsEqual((0..<8).map { bytes[$0] | 0x20 })
    }
    let strength: OTPSecret.Strength =
      acceptWeakSecret ? .weakAccepted(because: "--accept-weak-secret was given") : .standard
    if isURI, algorithm != nil || digits != nil || period != nil || epoch != nil {
      throw UsageProblem(
        "\(InputFile.name(secretFile)) has a URI, which says how codes are made: no --algorithm, --digits, --period, --epoch"
      )
    }
    do {
      if isURI {
        let uri = try OTPAuthURI(text, strength: strength)
        return (uri.secret.bytes.count * 8, try uri.totp())
      }
      let secret = try OTPSecret(base32: text, strength: strength)
      let totp = try TOTP(
        secret, algorithm: algorithm?.algorithm ?? .sha1, digits: digits ?? 6,
        period: .seconds(period?.seconds ?? 30), epoch: epoch?.date ?? Timestamp(since1970: .zero))
      return (secret.bytes.count * 8, totp)
    } catch {
      throw UsageProblem("\(InputFile.name(secretFile)): \(error) [\(error.codeText)]")
    }
  }

  /// Without the white space around it.
  private static func trimmed(_ contents: borrowing SecretBytes) -> SecretBytes {
    contents.withBytes { (bytes: borrowing Span<UInt8>) -> SecretBytes in
      func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
      var start = 0
      var end = bytes.count
      while start < end, isSpace(bytes[start]) { start += 1 }
      while end > start, isSpace(bytes[end - 1]) { end -= 1 }
      return SecretBytes(bytes.extracting(start..<end))
    }
  }
}

/// A hash function, by its name.
struct OTPAlgorithmArgument: ExpressibleByArgument {
  let algorithm: OTPAlgorithm

  init?(argument: String) {
    let name = String(decoding: argument.utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self)
    guard let algorithm = OTPAlgorithm(anyCase: name) else { return nil }
    self.algorithm = algorithm
  }

  static var allValueStrings: [String] { OTPAlgorithm.allCases.map(\.name) }
}
