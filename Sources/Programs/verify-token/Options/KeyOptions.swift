internal import ArgumentParser
internal import JOSE
internal import OpenIDConnect
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The options that name the trusted keys.
struct KeyOptions: ParsableArguments {
  @Option(
    name: .customLong("jwks"),
    help: ArgumentHelp(
      "A JWK set: a file, or an https URL. The token's kid selects the key. A file may also have keys in PEM, which are all tried.",
      valueName: "file"),
    completion: .file())
  var jwks: String?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp("One key: PEM, DER, an X.509 certificate or a JWK.", valueName: "file"),
    completion: .file())
  var key: String?

  @Option(
    name: .customLong("secret-file"), help: ArgumentHelp("A shared secret for HMAC.", valueName: "file"),
    completion: .file())
  var secretFile: String?

  @Option(
    name: .customLong("secret-format"),
    help: ArgumentHelp(
      "Encoding of the secret. One final line break of text is ignored. Values: text, raw, base64url, hex. Default: text.",
      valueName: "format"),
    completion: .list(SecretFormat.names), transform: SecretFormat.checked)
  var secretFormatText: String?

  /// The value of `--secret-format`.
  var secretFormat: SecretFormat { SecretFormat(secretFormatText) ?? .text }

  enum SecretFormat: ExactString, NamedArgument {
    case text
    case raw
    case base64url
    case hex

    static let names = allValueStrings
  }

  @Flag(
    name: .customLong("discover"),
    help: "Use the keys that the issuer's metadata names (.well-known/openid-configuration).")
  var discover = false

  enum Source {
    /// Keys read from a file.
    case local(JWKSet)
    /// A key set on a server, and those of issuers that have others.
    case remote(KeySetLocation, separate: [ExactString: KeySetLocation])
    /// A server with a URL for each key.
    case loadBalancer(LoadBalancer)
  }

  /// Reads the keys from a file, or returns the location to fetch them from.
  ///
  /// - Throws: `UsageError` for no or several sources, and for a file without usable keys.
  func source(_ profile: Profile?, issuers: [String]) throws -> Source {
    let form = profile?.keyForm ?? .standard
    guard [jwks != nil, key != nil, secretFile != nil, discover].filter({ $0 }).count <= 1 else {
      throw UsageError(
        "give only one of --jwks, --key, --secret-file and --discover", code: UsageError.optionsWrong)
    }
    if let path = jwks {
      if let url = try Self.url(path) { return .remote(.address(url).reading(form), separate: [:]) }
      return .local(
        try usableKeys(path) { () throws in
          try KeyFile.set(InputFile.read(path), form: form)
        })
    }
    if let path = key {
      return .local(
        try usableKeys(path) { () throws in
          let set = try KeyFile.read(InputFile.read(path))
          guard set.keys.count <= 1 else {
            throw UsageError(
              "\(path) has several keys; use --jwks for a key set", code: UsageError.keysUnusable)
          }
          // A private key that is encrypted is not needed beside its certificate.
          if !set.keys.isEmpty, let other = set.rejected.first(where: { $0.error != .keyEncrypted }) {
            throw UsageError(other.error, in: "\(path): key \(other.index + 1) of several")
          }
          return set
        })
    }
    if let path = secretFile {
      return .local(
        try usableKeys(path) { () throws in JWKSet(try JWK(secret: Self.secret(path, secretFormat))) })
    }
    if discover {
      guard let issuer = issuers.first, issuers.count == 1 else {
        throw UsageError("--discover needs exactly one --issuer", code: UsageError.optionsWrong)
      }
      return .remote(.discovery(issuer: issuer), separate: [:])
    }
    if let loadBalancer = profile?.loadBalancer { return .loadBalancer(loadBalancer) }
    if let profile, let location = profile.location {
      return .remote(location, separate: profile.separateKeys)
    }
    throw UsageError(
      "no keys: give --jwks, --key, --secret-file or --discover", code: UsageError.optionsWrong)
  }

  /// The URL in `text`; nil for a file name.
  static func url(_ text: String) throws -> HTTPURL? {
    let lowered = text.lowercasedASCII
    guard lowered.hasPrefix("https://") || lowered.hasPrefix("http://") else { return nil }
    do { return try HTTPURL(text) } catch { throw UsageError(error) }
  }

  private func usableKeys(_ path: String, _ read: () throws -> JWKSet) throws -> JWKSet {
    do {
      let set = try read()
      guard !set.keys.isEmpty else {
        let reasons = set.rejected.prefix(3).map { "\($0.error)" }.joined(separator: "; ")
        throw UsageError(
          "\(InputFile.name(path)) has no usable key" + (reasons.isEmpty ? "" : ": \(reasons)"),
          code: UsageError.keysUnusable)
      }
      return set
    } catch let error as JOSEError {
      throw UsageError(error, in: InputFile.name(path))
    }
  }

  /// Reads a shared secret.
  static func secret(_ path: String, _ format: SecretFormat) throws -> SecretBytes {
    let contents = try InputFile.read(path)
    guard format == .raw || !contents.withBytes({ ByteOrderMark.begins($0) }) else {
      throw UsageError(
        "\(InputFile.name(path)) begins with a UTF-8 byte order mark; save it without, or use --secret-format raw",
        code: UsageError.fileUnusable)
    }
    switch format {
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
        for index in bytes.indices where !bytes[index].isASCIISpace { text.append(bytes[index]) }
        return text
      }
      defer { _ = SecretBytes(wiping: &text) }
      do {
        var decoded =
          format == .hex
          ? try Hex.decode(String(decoding: text, as: UTF8.self)) : try Base64URL.decode(text.span)
        return SecretBytes(wiping: &decoded)
      } catch {
        throw UsageError("\(path) is not \(format.name)", code: UsageError.fileUnusable)
      }
    }
  }
}
