internal import AWSCredentials
internal import ArgumentParser
internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import SigV4

/// What a signature is verified with.
struct SigV4KeyOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A file with the secret access key; - for standard input.", valueName: "file"))
  var secretFile: String?

  @Option(help: ArgumentHelp("A profile of ~/.aws/credentials and ~/.aws/config.", valueName: "name"))
  var profile: String?

  @Option(
    help: ArgumentHelp(
      "A file with a signing key of one day, region and service: 64 hexadecimal digits.", valueName: "file"))
  var signingKey: String?

  @Option(
    help: ArgumentHelp(
      "A file with a public key of SigV4A: JSON with X and Y in hexadecimal, or a JWK.", valueName: "file"))
  var publicKey: String?

  /// The key for a request; from `AWS_SECRET_ACCESS_KEY` where no option says another. Nil for a request without a
  /// signature.
  func key(_ found: SignatureParameters?) throws -> VerificationKey? {
    guard [secretFile, profile, signingKey, publicKey].compactMap({ $0 }).count <= 1 else {
      throw UsageProblem("one of --secret-file, --profile, --signing-key and --public-key is enough")
    }
    if let publicKey { return .publicKey(try Self.publicKey(publicKey)) }
    if let signingKey {
      let digits = try Self.trimmed(InputFile.read(signingKey))
      guard let found else { return nil }
      let text = digits.withBytes { (bytes: borrowing Span<UInt8>) -> String in
        String(decoding: [UInt8](unwipedCopy: bytes), as: UTF8.self)
      }
      guard var bytes = try? Hex.decode(text) else {
        throw UsageProblem("--signing-key has no hexadecimal digits")
      }
      return .scoped(
        try ScopedSigningKey(
          storedBytes: SecretBytes(wiping: &bytes), accessKeyID: found.accessKeyID, scope: found.scope))
    }
    if let profile {
      let credentials = try SigV4Sources.profile(profile)
      guard let found else { return nil }
      // Whose key the profile has is what is asked: another one's signature is not for it to judge.
      guard credentials.accessKeyID == found.accessKeyID else { return nil }
      return .credentials(credentials)
    }
    let secret =
      try secretFile.map { path in try Self.trimmed(InputFile.read(path)) } ?? Self.environmentSecret()
    guard let found else { return nil }
    // A secret alone says nothing of a token: whichever was sent is taken for its own.
    return .credentials(
      try Credentials(
        accessKeyID: found.accessKeyID, secretAccessKey: secret, sessionToken: found.sessionToken))
  }

  /// Without a line break and spaces at the end, which editors add.
  static func trimmed(_ secret: consuming SecretBytes) -> SecretBytes {
    secret.withBytes { (bytes: borrowing Span<UInt8>) -> SecretBytes in
      var end = bytes.count
      while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
      return SecretBytes(bytes.extracting(first: end))
    }
  }

  private static func environmentSecret() throws -> SecretBytes {
    guard let secret = EnvironmentCredentials.secret() else {
      throw UsageProblem(
        "no key: give --secret-file, --profile, --signing-key or --public-key, or set AWS_SECRET_ACCESS_KEY")
    }
    return secret
  }

  private static func publicKey(_ path: String) throws -> ECDSAPublicKey {
    let bytes = try RequestInput.read(path, limit: InputFile.keyFileLimit)
    guard let object = try? JSONValue(parsing: bytes).object else {
      throw UsageProblem("\(path): no JSON with X and Y, and no JWK")
    }
    func coordinate(_ hex: String, _ base64: String) -> [UInt8]? {
      object[hex]?.string.flatMap { try? Hex.decode($0) }
        ?? object[base64]?.string.flatMap { try? Base64URL.decode($0) }
    }
    guard let x = coordinate("X", "x"), let y = coordinate("Y", "y") else {
      throw UsageProblem("\(path): no JSON with X and Y, and no JWK")
    }
    do { return try ECDSAPublicKey(x: x, y: y) } catch { throw UsageProblem("\(path): \(error)") }
  }
}

/// Credentials from where AWS's programs look.
enum SigV4Sources {
  /// - Throws: `UsageProblem` where there are none; the command starts no other programs and asks no service for them.
  static func profile(_ name: String?) throws -> Credentials {
    try credentials(ProfileCredentials(profile: name))
  }

  static func standard() throws -> Credentials {
    try credentials(CredentialsChain([EnvironmentCredentials(), ProfileCredentials()]))
  }

  private static func credentials(_ source: any CredentialsSource) throws -> Credentials {
    do {
      return try Blocking.run { () throws(CredentialsError) in try await source.credentials(at: .now) }
    } catch {
      throw UsageProblem("\(error)")
    }
  }
}

extension UsageProblem {
  /// Keys and options that cannot be used are a wrong use of the command, not a wrong request.
  static func of<R>(_ work: () throws -> R) throws -> R {
    do { return try work() } catch let error as SigV4Error { throw UsageProblem("\(error)") }
  }
}
