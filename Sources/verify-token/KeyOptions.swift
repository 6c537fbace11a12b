internal import ArgumentParser
internal import CryptoPrimitives
internal import Encodings
internal import JOSE

/// The options that say which keys are trusted.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("A JWK set to find the key in, by the token's kid.", valueName: "file"),
    completion: .file())
  var jwks: String?

  @Option(
    help: ArgumentHelp("One key: PEM, DER, an X.509 certificate or a JWK.", valueName: "file"),
    completion: .file())
  var key: String?

  @Option(
    help: ArgumentHelp("A shared secret for HMAC. Never give secrets as arguments.", valueName: "file"),
    completion: .file())
  var secretFile: String?

  @Option(
    help: "How the secret is written: text (one line break at its end is dropped), raw, base64url, hex.")
  var secretFormat: SecretFormat = .text

  enum SecretFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case raw
    case base64url
    case hex
  }

  /// The keys. Throws `UsageProblem` where there is not exactly one source of them, or it cannot be read.
  func load() throws -> JWKSet {
    switch (jwks, key, secretFile) {
    case (let path?, nil, nil):
      return try usable(path) { () throws in try JWKSet(json: InputFile.read(path)) }
    case (nil, let path?, nil):
      return try usable(path) { () throws in
        let set = try KeyFile.read(InputFile.read(path))
        guard set.keys.count + set.rejected.count == 1 else {
          throw UsageProblem("\(path) has several keys; give a key set with --jwks")
        }
        return set
      }
    case (nil, nil, let path?):
      return try usable(path) { () throws in JWKSet(try JWK(secret: secret(path))) }
    case (nil, nil, nil):
      throw UsageProblem("no keys are given: use --jwks, --key or --secret-file")
    default:
      throw UsageProblem("give one of --jwks, --key and --secret-file, not several")
    }
  }

  private func usable(_ path: String, _ read: () throws -> JWKSet) throws -> JWKSet {
    do {
      let set = try read()
      guard !set.keys.isEmpty else {
        let reasons = set.rejected.prefix(3).map { "\($0.error)" }.joined(separator: "; ")
        throw UsageProblem(
          "\(InputFile.name(path)) has no key that can be used" + (reasons.isEmpty ? "" : ": \(reasons)"))
      }
      return set
    } catch let error as JOSEError {
      throw UsageProblem("\(InputFile.name(path)): \(error) [\(error.code.rawValue)]")
    }
  }

  private func secret(_ path: String) throws -> SecretBytes {
    let contents = try InputFile.read(path)
    switch secretFormat {
    case .raw: return contents
    case .text:
      return contents.withBytes { bytes in
        var count = bytes.count
        if count > 0, bytes[count - 1] == 0x0A { count -= 1 }
        if count < bytes.count, count > 0, bytes[count - 1] == 0x0D { count -= 1 }
        return SecretBytes(bytes.extracting(first: count))
      }
    case .base64url, .hex:
      var text = contents.withBytes { (bytes: borrowing Span<UInt8>) -> [UInt8] in
        var text: [UInt8] = []
        for index in bytes.indices where !(0x09...0x0D).contains(bytes[index]) && bytes[index] != 0x20 {
          text.append(bytes[index])
        }
        return text
      }
      defer { _ = SecretBytes(wiping: &text) }
      do {
        var decoded =
          secretFormat == .hex
          ? try Hex.decode(String(decoding: text, as: UTF8.self)) : try Base64URL.decode(text.span)
        return SecretBytes(wiping: &decoded)
      } catch {
        throw UsageProblem("\(path) is not \(secretFormat.rawValue)")
      }
    }
  }
}
