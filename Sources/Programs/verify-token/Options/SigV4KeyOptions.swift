internal import ArgumentParser
internal import SigV4
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The options that name the key to verify a request with.
struct SigV4KeyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      #"File with the secret access key, "-" for standard input. Default: AWS_SECRET_ACCESS_KEY."#,
      valueName: "file"), completion: .file())
  var secretFile: String?

  @Option(help: ArgumentHelp("Profile in ~/.aws/credentials and ~/.aws/config.", valueName: "name"))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "File with the signing key of one date, region and service: 64 hexadecimal digits.", valueName: "file"),
    completion: .file())
  var signingKey: String?

  @Option(
    help: ArgumentHelp(
      "File with a public key for SigV4A: JSON with X and Y in hexadecimal, or a JWK.", valueName: "file"),
    completion: .file())
  var publicKey: String?

  /// Reads the key for a request from the source that an option names, or from `AWS_SECRET_ACCESS_KEY`.
  ///
  /// - Parameter parameters: the parameters of the signature; nil for an unsigned request.
  /// - Returns: the key; nil for an unsigned request, and for an access key id that the profile does not
  ///   have.
  /// - Throws: `UsageError` for no, several or unusable sources.
  func key(_ parameters: SignatureParameters?) throws -> VerificationKey? {
    guard [secretFile, profile, signingKey, publicKey].compactMap({ $0 }).count <= 1 else {
      throw UsageError(
        "give only one of --secret-file, --profile, --signing-key and --public-key",
        code: UsageError.optionsWrong)
    }
    if let publicKey { return .publicKey(try Self.publicKey(publicKey)) }
    if let signingKey {
      let digits = try InputFile.text(signingKey)
      guard let parameters else { return nil }
      guard var bytes = try? Hex.decode(digits) else {
        throw UsageError(
          "--signing-key: \(signingKey) does not contain hexadecimal digits", code: UsageError.keysUnusable)
      }
      return .scoped(
        try ScopedSigningKey(
          storedBytes: SecretBytes(wiping: &bytes), accessKeyID: parameters.accessKeyID,
          scope: parameters.scope))
    }
    if let profile {
      let credentials = try LocalCredentials.profile(profile)
      guard let parameters, credentials.accessKeyID == parameters.accessKeyID else { return nil }
      return .credentials(credentials)
    }
    let secret = try secretFile.map { path in try InputFile.trimmed(path) } ?? Self.environmentSecret()
    guard let parameters else { return nil }
    // Nothing is known about the session token of a bare secret: the request's own is accepted.
    return .credentials(
      try Credentials(
        accessKeyID: parameters.accessKeyID, secretAccessKey: secret, sessionToken: parameters.sessionToken))
  }

  private static func environmentSecret() throws -> SecretBytes {
    guard let secret = EnvironmentCredentials.secret() else {
      throw UsageError(
        "no key: give --secret-file, --profile, --signing-key or --public-key, or set AWS_SECRET_ACCESS_KEY",
        code: UsageError.optionsWrong)
    }
    return secret
  }

  private static func publicKey(_ path: String) throws -> ECDSAPublicKey {
    let bytes = try InputFile.bytes(path)
    let object = try? JSONValue(parsing: bytes).object
    func coordinate(_ hex: String, _ base64: String) -> [UInt8]? {
      object?[hex]?.string.flatMap { try? Hex.decode($0) }
        ?? object?[base64]?.string.flatMap { try? Base64URL.decode($0) }
    }
    guard let x = coordinate("X", "x"), let y = coordinate("Y", "y") else {
      throw UsageError("\(path) is neither JSON with X and Y nor a JWK", code: UsageError.keysUnusable)
    }
    do { return try ECDSAPublicKey(x: x, y: y) } catch {
      throw UsageError("\(path): \(error)", code: UsageError.keysUnusable)
    }
  }
}

/// Credentials from the environment and the files of the AWS CLI. No program is started and no service is
/// called.
enum LocalCredentials {
  static func profile(_ name: String) throws -> Credentials {
    try credentials(ProfileCredentials(profile: name))
  }

  static func standard() throws -> Credentials {
    try credentials(CredentialsChain([EnvironmentCredentials(), ProfileCredentials()]))
  }

  private static func credentials(_ source: any CredentialsSource) throws -> Credentials {
    do {
      return try Blocking.run { () throws(CredentialsError) in try await source.credentials(at: .now) }
    } catch {
      throw UsageError("\(error)", code: error.codeText)
    }
  }
}

extension UsageError {
  /// Runs `work`. Keys and options that it rejects are usage errors, not refused requests.
  static func of<R>(_ work: () throws -> R) throws -> R {
    do { return try work() } catch let error as SigV4Error {
      throw UsageError("\(error)", code: error.codeText)
    }
  }
}
