internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import JOSE
internal import OpenIDConnect

/// The options that say which keys are trusted.
struct KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A JWK set to find the key in, by the token's kid: a file, or an https address.", valueName: "file"),
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

  enum SecretFormat: ExactString, NamedArgument {
    case text
    case raw
    case base64url
    case hex
  }

  @Flag(help: "Find the keys where the issuer says that they are (.well-known/openid-configuration).")
  var discover = false

  /// Where keys come from.
  enum Source {
    /// A file.
    case here(JWKSet)
    /// A server.
    case there(KeySetLocation)
    /// A server that keeps each key under its own name.
    case loadBalancer(LoadBalancer)
  }

  /// Where the keys come from; files are read.
  ///
  /// - Throws: `UsageProblem` where there is not exactly one source, or a file cannot be read.
  func source(_ profile: Profile?, issuers: [String]) throws -> Source {
    let form = profile?.keyForm ?? .standard
    guard [jwks != nil, key != nil, secretFile != nil, discover].filter({ $0 }).count <= 1 else {
      throw UsageProblem("give one of --jwks, --key, --secret-file and --discover, not several")
    }
    if let path = jwks {
      if let address = try Self.address(path) { return .there(.address(address).reading(form)) }
      return .here(
        try usable(path) { () throws in
          try InputFile.read(path).withBytes { (bytes: borrowing Span<UInt8>) throws in
            try JWKSet(json: bytes, form: form)
          }
        })
    }
    if let path = key {
      return .here(
        try usable(path) { () throws in
          let set = try KeyFile.read(InputFile.read(path))
          guard set.keys.count + set.rejected.count == 1 else {
            throw UsageProblem("\(path) has several keys; give a key set with --jwks")
          }
          return set
        })
    }
    if let path = secretFile {
      return .here(try usable(path) { () throws in JWKSet(try JWK(secret: secret(path))) })
    }
    if discover {
      guard let issuer = issuers.first, issuers.count == 1 else {
        throw UsageProblem("--discover needs one --issuer to ask")
      }
      return .there(.discovery(issuer: issuer))
    }
    if let loadBalancer = profile?.loadBalancer { return .loadBalancer(loadBalancer) }
    if let location = profile?.location { return .there(location) }
    throw UsageProblem("no keys are given: use --jwks, --key, --secret-file or --discover")
  }

  /// The address that `text` is, or nil where it is the name of a file.
  static func address(_ text: String) throws -> HTTPURL? {
    let lowered = text.lowercasedASCII
    guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://") else { return nil }
    do { return try HTTPURL(text) } catch { throw UsageProblem("\(error) [\(error.codeText)]") }
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
      throw UsageProblem("\(InputFile.name(path)): \(error) [\(error.codeText)]")
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
        throw UsageProblem("\(path) is not \(secretFormat.name)")
      }
    }
  }
}
