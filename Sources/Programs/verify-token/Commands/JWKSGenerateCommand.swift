internal import ArgumentParser
internal import JOSE
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// `verify-token jwks generate`: generates a key pair.
struct JWKSGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Generate a key pair for signatures.",
    discussion: """
      Writes the private key as a JWK to a file with mode 600, and a JWK set with \
      the public key to standard output or a file. Existing files are not \
      overwritten. After an error no file is left.

      EXAMPLE:
          verify-token jwks generate --alg ES256 --private-file private.jwk \\
            --public-file public.json
      """)

  @Option(
    help: ArgumentHelp(
      "The algorithm that the key is for. Default: ES256. EdDSA makes an Ed25519 key with the name that more libraries read than Ed25519 (RFC 9864).",
      valueName: "alg"),
    completion: .list(Algorithm.allCases.filter(Algorithm.asymmetric.contains).map(\.name)))
  var alg: String?

  @Option(
    help: ArgumentHelp("The curve of a key for EdDSA: Ed25519 (the default) or Ed448.", valueName: "crv"))
  var crv: String?

  @Option(help: ArgumentHelp("The kid. Default: the thumbprint of RFC 7638.", valueName: "kid"))
  var kid: String?

  @Option(help: ArgumentHelp("Size of an RSA key: 2048 to 8192.", valueName: "bits"))
  var rsaBits = 2_048

  @Option(help: ArgumentHelp("New file for the private key.", valueName: "file"), completion: .file())
  var privateFile: String

  @Option(
    help: ArgumentHelp("New file for the public set. Default: standard output.", valueName: "file"),
    completion: .file())
  var publicFile: String?

  /// Generates the key pair.
  func key() throws -> JWK {
    let algorithm = try alg.map(PolicyOptions.algorithm) ?? .es256
    guard Algorithm.asymmetric.contains(algorithm) else {
      throw UsageError(
        "--alg \(algorithm.name) has a shared secret, not a key pair", code: UsageError.optionsWrong)
    }
    do {
      guard let crv else { return try JWK.generate(algorithm, keyID: kid, rsaBits: rsaBits) }
      guard algorithm == .edDSA, let curve = Algorithm(name: crv), [.ed25519, .ed448].contains(curve) else {
        throw UsageError("--crv is Ed25519 or Ed448, for --alg EdDSA", code: UsageError.optionsWrong)
      }
      return try JWK.generate(curve, keyID: kid).named(.edDSA)
    } catch let error as JOSEError {
      throw UsageError(error)
    }
  }

  mutating func run() throws {
    let key = try key()
    do {
      let publicSet = JWKSet(key).publicJSON + "\n"
      var files = NewFiles()
      do {
        try files.write(key.privateJWK(), to: privateFile)
        if let publicFile {
          try files.write(SecretBytes(publicSet.utf8.span), to: publicFile, for: .everyone)
        } else {
          try StandardOutput.attempt(SecretBytes(publicSet.utf8.span))
        }
      } catch {
        files.remove()
        throw error
      }
    } catch let error as JOSEError { throw UsageError(error) }
  }
}
