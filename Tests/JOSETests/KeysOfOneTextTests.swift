internal import JOSE
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityVectorFiles

/// Which blocks of a PEM text are keys, and what is said about the others.
@Suite struct KeysOfOneTextTests {
  private func text(_ name: String) throws -> String {
    String(decoding: try VectorFile.bytes("\(VectorFile.root)/Vectors/keys/\(name)"), as: UTF8.self)
  }

  private func read(_ text: String) throws -> JWKSet { try KeyFile.read(SecretBytes(text.utf8.span)) }

  private func thumbprints(_ text: String) throws -> [String] {
    try read(text).keys.map { try $0.thumbprint() }
  }

  private func pem(_ text: String) throws -> JWK { try KeyFile.pem(SecretBytes(text.utf8.span)) }

  private func error(_ body: () throws -> Void) -> JOSEError? {
    do {
      try body()
      return nil
    } catch {
      return error as? JOSEError
    }
  }

  /// The issuer's name in another type of string and in other case, and a certificate with the name of its authority.
  @Test(arguments: ["issuer-other-spelling.pem", "issuer-same-name.pem"])
  func authoritiesAreNoKeys(name: String) throws {
    let issued = try text(name)
    let expected = try pem(issued).thumbprint()
    let root = try text("issuer-root.pem")
    #expect(try read(root).keys.count == 1)
    #expect(try thumbprints(root + issued) == [expected])
    #expect(try thumbprints(issued + root) == [expected])
    let other = try text("ec-spki.pem")
    #expect(try thumbprints(issued + other + root) == [expected, pem(other).thumbprint()])
  }

  /// Certificates that signed themselves are no chain, also if their names are equal, as after a change of keys.
  @Test func selfSignedCertificatesAreKeys() throws {
    let text = try text("issuer-root.pem") + text("issuer-next-root.pem") + text("ec-spki.pem")
    #expect(try read(text).keys.count == 3)
  }

  /// `openssl pkcs12 -in` without `-nodes` writes an encrypted private key and its certificate.
  @Test func aBlockBesideOneKeyIsNamed() throws {
    let encrypted = try text("encrypted-pkcs8.pem") + text("rsa-certificate.pem")
    let set = try read(encrypted)
    #expect(set.keys.map(\.isPrivate) == [false])
    #expect(set.rejected.map(\.error) == [.keyEncrypted])
    #expect(error { _ = try pem(encrypted) } == .keyEncrypted)
    let damaged = try text("ec-spki.pem") + "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"
    #expect(error { _ = try pem(damaged) } == .keyUnreadable)
  }

  @Test func tooManyKeysForOneAlgorithm() throws {
    let texts = try (0..<9).map { _ in try JWK.generate(.es256).publicPEM() }
    let other = try JWK.generate(.ed25519).publicPEM()
    let set = try read(texts.joined() + other)
    let crowded = set.warnings.filter { $0.kind == .tooManyWithoutKeyID }
    #expect(crowded.map(\.index) == Array(0..<9))
    let verifier = try TokenVerifier(keys: set, policy: TokenPolicy(issuer: "i", audience: "a"))
    let token = try TokenSigner(key: VectorKeys.key(for: .es256, keyID: "k")).issue(
      TokenClaims(issuer: "i", audience: ["a"]))
    #expect(error { _ = try verifier.verify(token) } == .keyAmbiguous(count: 9, limit: 8))
    let eight = try read(texts.dropLast().joined() + other)
    #expect(!eight.warnings.map(\.kind).contains(.tooManyWithoutKeyID))
  }
}
