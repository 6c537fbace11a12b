internal import JOSE
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityVectorFiles

@Suite struct KeyFileTests {
  private func read(_ text: String) throws -> JWKSet {
    try KeyFile.read(SecretBytes(text.utf8.span))
  }

  private func code(_ body: () throws -> Void) -> JOSEError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? JOSEError)?.code
    }
  }

  // Keys made with OpenSSL's command, which writes EC PARAMETERS before the SEC 1 form.
  static let files: [(String, JWK.Kind, Bool)] = [
    ("rsa-pkcs1.pem", .rsa, true), ("rsa-pkcs1-public.pem", .rsa, false), ("rsa-spki.pem", .rsa, false),
    ("rsa-pkcs8.pem", .rsa, true), ("rsa-certificate.pem", .rsa, false), ("ec-sec1.pem", .p256, true),
    ("ec-spki.pem", .p256, false), ("ec-pkcs8.pem", .p256, true), ("ed25519-pkcs8.pem", .ed25519, true),
    ("ed448-spki.pem", .ed448, false), ("secp256k1-sec1.pem", .secp256k1, true),
  ]

  @Test(arguments: files)
  func readsPEMAndDER(name: String, kind: JWK.Kind, isPrivate: Bool) throws {
    let pem = try VectorFile.bytes("\(VectorFile.root)/Vectors/keys/\(name)")
    let key = try #require(try KeyFile.read(SecretBytes(pem.span)).keys.first)
    #expect(key.kind == kind)
    #expect(key.isPrivate == isPrivate)
    let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n")
    let start = try #require(lines.lastIndex { $0.hasPrefix("-----BEGIN") })
    let der = try Base64.decode(lines[(start + 1)...].prefix { !$0.hasPrefix("-----") }.joined())
    let again = try #require(try KeyFile.read(SecretBytes(der.span)).keys.first)
    #expect(try again.thumbprint() == key.thumbprint())
    #expect(again.isPrivate == isPrivate)
    for count in stride(from: 0, to: der.count, by: 7) {
      #expect(throws: JOSEError.self) { try KeyFile.der(SecretBytes(der.span.extracting(first: count))) }
    }
    #expect(throws: JOSEError.keyTrailingData) { try KeyFile.der(SecretBytes((der + [0]).span)) }
  }

  @Test func refusesWhatMustBe() throws {
    let folder = "\(VectorFile.root)/Vectors/keys"
    for (name, expected) in [
      ("rsa-1024.pem", JOSEError.Code.rsaModulusSize), ("encrypted-pkcs8.pem", .keyEncrypted),
      ("encrypted-pkcs1.pem", .keyEncrypted), ("ec-explicit.pem", .curveUnknown),
      ("dsa.pem", .keyTypeUnknown),
      ("rsa-pss.pem", .keyTypeUnknown), ("x25519.pem", .keyTypeUnknown), ("brainpool.pem", .curveUnknown),
    ] {
      let pem = try VectorFile.bytes("\(folder)/\(name)")
      #expect(code { _ = try KeyFile.read(SecretBytes(pem.span)) } == expected, "\(name)")
    }
  }

  @Test(arguments: [
    ("", JOSEError.Code.keyUnreadable), ("hello", .keyUnreadable),
    ("-----BEGIN PUBLIC KEY-----\nAAAA\n", .pem),
    ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PRIVATE KEY-----", .pem),
    ("-----BEGIN PUBLIC KEY-----\n*\n-----END PUBLIC KEY-----", .pem),
    ("-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----", .keyUnreadable),
    ("-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----", .keyUnreadable),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----", .keyTypeUnknown),
    ("-----BEGIN ", .keyUnreadable), ("0", .keyUnreadable), ("\u{0}", .keyUnreadable),
  ])
  func refuses(text: String, expected: JOSEError.Code) {
    #expect(code { _ = try read(text) } == expected)
  }

  @Test func refusesBrokenJSON() {
    #expect { try read("{") } throws: { ($0 as? JOSEError)?.codeText == "json_syntax" }
  }

  @Test func keyFilesAreNoSecrets() throws {
    let folder = "\(VectorFile.root)/Vectors/keys"
    for name in Self.files.map(\.0) + ["rsa-1024.pem", "encrypted-pkcs8.pem"] {
      let pem = try VectorFile.bytes("\(folder)/\(name)")
      #expect(code { _ = try JWK(secret: SecretBytes(pem.span)) } == .hmacKeyIsKeyFile, "\(name)")
    }
    let key = try VectorKeys.rsa()
    let pem = try key.publicPEM()
    let der = try Base64.decode(pem.split(separator: "\n").dropFirst().dropLast().joined())
    #expect(code { _ = try JWK(secret: SecretBytes(der.span)) } == .hmacKeyIsKeyFile)
    let jwk = JSONValue.object(try #require(key.publicJWK)).description
    #expect(code { _ = try JWK(secret: SecretBytes(jwk.utf8.span)) } == .hmacKeyIsKeyFile)
    #expect(
      code { _ = try JWK(secret: SecretBytes("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ".utf8.span)) }
        == .hmacKeyIsKeyFile)
    #expect(code { _ = try JWK(secret: SecretBytes.random(count: 64)) } == nil)
  }

  /// Neither where the algorithm is named.
  @Test func keyFilesAreNoSecretsOfAnAlgorithm() throws {
    let folder = "\(VectorFile.root)/Vectors/keys"
    for name in Self.files.map(\.0) + ["rsa-1024.pem", "encrypted-pkcs8.pem"] {
      let pem = try VectorFile.bytes("\(folder)/\(name)")
      let code = code { _ = try JWK(secret: SecretBytes(pem), algorithm: .hs256) }
      #expect(code == .hmacKeyIsKeyFile, "\(name)")
    }
    let pem = try VectorKeys.rsa().publicPEM()
    let code = code { _ = try JWK(secret: SecretBytes(pem), algorithm: .hs256, keyID: "1") }
    #expect(code == .hmacKeyIsKeyFile)
  }

  @Test(arguments: [
    " ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB", "\t\r\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5",
    "\u{FEFF}ssh-dss AAAAB3NzaC1kc3M",
    "sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5", "sk-ecdsa-sha2-nistp256@openssh.com AAAAInNr",
    "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY", #"{"kty":"RSA","n":""}"#,
    "---- BEGIN SSH2 PUBLIC KEY ----", "PuTTY-User-Key-File-3: ssh-ed25519",
    "x\n-----BEGIN PUBLIC KEY-----\n",
  ])
  func othersKeyFilesAreNoSecrets(text: String) {
    #expect(code { _ = try JWK(secret: SecretBytes(text.utf8.span)) } == .hmacKeyIsKeyFile)
    let encoded = Base64.string(Array(text.utf8))
    #expect(code { _ = try JWK(secret: SecretBytes(encoded.utf8.span)) } == .hmacKeyIsKeyFile)
    let body = "AAAAC3NzaC1lZDI1NTE5AAAAIJ3Kk0n9"
    #expect(code { _ = try JWK(secret: SecretBytes(body.utf8.span)) } == .hmacKeyIsKeyFile)
  }

  /// Lines of `authorized_keys` and `known_hosts`, a JWK in a JSON string, and UTF-16, which Windows calls
  /// "Unicode".
  @Test(arguments: [
    "no-pty ssh-rsa AAAAB3NzaC1yc2EAAAADAQAB jane", "# jane\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ3Kk0n9",
    "host.example ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTY",
    "cert-authority sk-ssh-ed25519@openssh.com AAAAGnNrLXNzaC1lZDI1NTE5QG9wZW5zc2guY29t",
    #""{\"kty\":\"RSA\",\"n\":\"\"}""#, "x\n-----BEGIN PUBLIC KEY-----\n",
  ])
  func keysInsideOfOtherTextAreNoSecrets(text: String) {
    #expect(code { _ = try JWK(secret: SecretBytes(text.utf8.span)) } == .hmacKeyIsKeyFile)
    let little: [UInt8] = [0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] as [UInt8] }
    let big: [UInt8] = text.utf8.flatMap { [0, $0] as [UInt8] }
    for bytes in [little, big] {
      #expect(code { _ = try JWK(secret: SecretBytes(bytes.span)) } == .hmacKeyIsKeyFile)
    }
  }

  @Test(arguments: files)
  func bodiesOfKeyFilesAreNoSecrets(name: String, kind: JWK.Kind, isPrivate: Bool) throws {
    let pem = try VectorFile.bytes("\(VectorFile.root)/Vectors/keys/\(name)")
    let lines = String(decoding: pem, as: UTF8.self).split(separator: "\n")
    let start = try #require(lines.lastIndex { $0.hasPrefix("-----BEGIN") })
    let body = lines[(start + 1)...].prefix { !$0.hasPrefix("-----") }
    for text in [body.joined(), " " + body.joined(separator: "\r\n") + "\n"] {
      #expect(code { _ = try JWK(secret: SecretBytes(text.utf8.span)) } == .hmacKeyIsKeyFile)
    }
    #expect(code { _ = try JWK(secret: SecretBytes(pem.span)) } == .hmacKeyIsKeyFile)
  }

  /// The shape alone decides what is a key file; no key is built from it.
  @Test func keysThatCannotBeBuiltAreNoSecrets() {
    let der: [UInt8] =
      [0x30, 0x28, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2A, 0x03, 0x04, 0x04, 0x1C]
      + [UInt8](repeating: 0xFF, count: 28)
    #expect(code { _ = try JWK(secret: SecretBytes(der.span)) } == .hmacKeyIsKeyFile)
    #expect(code { _ = try KeyFile.read(SecretBytes(der.span)) } == .keyTypeUnknown)
  }

  @Test func aKeyByItselfServesEveryKeyID() throws {
    let key = try JWK.generate(.es256, keyID: "one")
    let token = try TokenSigner(key: key).issue(TokenClaims(issuer: "i", audience: ["a"]))
    let policy = TokenPolicy(issuer: "i", audience: "a")
    let pem = try read(try key.publicPEM())
    #expect(try TokenVerifier(keys: pem, policy: policy).verify(token).keyID == nil)
    var other = try #require(key.publicOnly)
    other.keyID = "two"
    #expect(code { _ = try TokenVerifier(keys: JWKSet(other), policy: policy).verify(token) } == .keyNotFound)
    other.keyID = nil
    #expect(
      code { _ = try TokenVerifier(keys: JWKSet([other]), policy: policy).verify(token) } == .keyNotFound)
  }
}
