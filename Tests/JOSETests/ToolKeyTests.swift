internal import JOSE
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityVectorFiles

/// Keys in the forms that tools write. `Vectors/makers/make_tool_keys.sh` names the tools.
@Suite struct ToolKeyTests {
  private static func file(_ name: String) throws -> [UInt8] {
    try VectorFile.bytes("\(VectorFile.root)/Vectors/keys/\(name)")
  }

  private static func text(_ name: String) throws -> String {
    String(decoding: try file(name), as: UTF8.self)
  }

  private func read(_ text: String, form: KeyForm = .standard) throws -> JWKSet {
    try KeyFile.read(SecretBytes(text.utf8.span), form: form)
  }

  private func key(file name: String) throws -> JWK {
    let bytes = try Self.file(name)
    return try #require(try KeyFile.read(SecretBytes(bytes.span)).keys.first)
  }

  private func der(_ bytes: [UInt8]) throws -> JWK { try KeyFile.der(SecretBytes(bytes.span)) }

  private func pem(_ text: String) throws -> JWK { try KeyFile.pem(SecretBytes(text.utf8.span)) }

  private func error(_ body: () throws -> Void) -> JOSEError? {
    do {
      try body()
      return nil
    } catch {
      return error as? JOSEError
    }
  }

  private static func pem(_ label: String, _ der: [UInt8]) -> String {
    "-----BEGIN \(label)-----\n\(Base64.string(der))\n-----END \(label)-----\n"
  }

  private static func der(_ name: String) throws -> [UInt8] {
    let lines = try text(name).split(separator: "\n").map(String.init)
    let start = try #require(lines.lastIndex { $0.hasPrefix("-----BEGIN") })
    return try Base64.decode(lines[(start + 1)...].prefix { !$0.hasPrefix("-----") }.joined())
  }

  /// certtool of GnuTLS 3.7.9: a zero byte before a number whose first bit is set, and 65 bytes for P-521.
  @Test(arguments: [
    ("gnutls-p256-sec1.pem", JWK.Kind.p256), ("gnutls-p256-pkcs8.pem", .p256),
    ("gnutls-p384-sec1.pem", .p384),
    ("gnutls-p521-sec1.pem", .p521),
  ])
  func numbersOfGnuTLS(name: String, kind: JWK.Kind) throws {
    let key = try key(file: name)
    #expect(key.kind == kind)
    #expect(key.isPrivate)
    // The written number has the curve's length.
    let again = try KeyFile.pem(key.privatePEM())
    #expect(try again.thumbprint() == key.thumbprint())
    #expect(try JWK(json: key.privateJWK()).thumbprint() == key.thumbprint())
  }

  /// RFC 5915 section 3 gives the number a fixed length. Only one zero byte too many is read, and nothing that changes it.
  @Test func otherLengthsOfNumbersAreRefused() throws {
    let original = try Self.der("gnutls-p256-sec1.pem")
    // SEQUENCE, version, then the octet string of 33 bytes.
    #expect(original[5..<8] == [0x04, 0x21, 0x00])
    var second = original
    second[7] = 1
    #expect(error { _ = try der(second) }?.code == .keyMemberLength)
    var longer = Array(original[..<7]) + [0] + original[7...]
    longer[1] += 1
    longer[6] += 1
    let expected = JOSEError.keyMemberLength(name: "key", expected: 32, actual: 34)
    #expect(error { _ = try der(longer) } == expected)
  }

  /// RFC 8410 section 10.3: attributes and the public key beside the private one.
  @Test func theSecondVersionOfPKCS8() throws {
    let key = try key(file: "rfc8410-attributes.pem")
    #expect(key.isPrivate)
    let expected = "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1"
    #expect(Hex.string(try Base64URL.decode(key.publicJWK?["x"]?.string ?? "")) == expected)
    // ring before 0.17 wraps the public key once more.
    let original = try Self.der("rfc8410-attributes.pem")
    let point = Array(original[(original.count - 32)...])
    func version(_ version: UInt8, _ rest: [UInt8]) -> [UInt8] {
      [0x30, UInt8(46 + rest.count), 2, 1, version] + original[5..<48] + rest
    }
    let published: [UInt8] = [0x81, 0x21, 0] + point
    for bytes in [
      version(1, published), version(1, [0xA1, 0x23, 0x03, 0x21, 0] + point), version(1, []), version(0, []),
    ] {
      #expect(try der(bytes).thumbprint() == key.thumbprint())
    }
    var other = published
    other[3] ^= 1
    let wrong = [
      (version(1, other), JOSEError.Code.keyPairMismatch), (version(0, published), .keyUnreadable),
      (version(2, published), .keyUnreadable), (version(1, [0x81, 0x21, 1] + point), .keyNotDER),
      (version(1, [0x81, 0]), .keyUnreadable), (version(1, [0x82, 0x21, 0] + point), .keyUnreadable),
      (version(1, published + published), .keyUnreadable), (version(1, [0xA1, 0]), .keyUnreadable),
    ]
    for (bytes, code) in wrong {
      #expect(error { _ = try der(bytes) }?.code == code, "\(Hex.string(bytes))")
    }
  }

  private static func body(_ pem: String) throws -> [UInt8] {
    try Base64.decode(pem.split(separator: "\n").dropFirst().dropLast().joined())
  }

  private static func length(_ count: Int) -> [UInt8] {
    count < 0x80 ? [UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
  }

  /// The key in the second version, with a public key of `size` bytes from the end of SubjectPublicKeyInfo.
  private static func secondVersion(_ key: JWK, of other: JWK, size: Int) throws -> [UInt8] {
    let point = try body(other.publicPEM()).suffix(size)
    let text = try key.privatePEM().withBytes { bytes in bytes.indices.map { bytes[$0] } }
    let first = try body(String(decoding: text, as: UTF8.self))
    let start = first[1] < 0x80 ? 2 : 2 + Int(first[1] & 0x7F)
    var contents: [UInt8] = [2, 1, 1]
    contents += first[(start + 3)...]
    contents += [0x81] + length(size + 1) + [0]
    contents += point
    // Lengths below 256 in two digits would be BER.
    let whole = contents.count < 0x100 ? [0x81, UInt8(contents.count)] : length(contents.count)
    return [0x30] + whole + contents
  }

  /// The public key of another private key, for each type.
  @Test(arguments: [(Algorithm.rs256, 270), (.es256, 65), (.ed448, 57)])
  func publicKeysOfOtherKeysAreRefused(algorithm: Algorithm, size: Int) throws {
    let key = try JWK.generate(algorithm)
    let other = try JWK.generate(algorithm)
    let own = try Self.secondVersion(key, of: key, size: size)
    #expect(try der(own).thumbprint() == key.thumbprint())
    let wrong = try Self.secondVersion(key, of: other, size: size)
    #expect(error { _ = try der(wrong) } == .keyPairMismatch)
  }

  /// Header lines of RFC 1421 section 4.4: only those of encryption say that a key is encrypted.
  @Test(arguments: [
    ("Comment: made for a test\n\n", JOSEError.Code?.none), ("Comment: made for a test\n", nil),
    ("Subject: CN=test\r\nX-Note: a:b\r\n\r\n", nil), ("Comment: two\n lines\n\n", nil),
    ("Proc-Type: 4,MIC-CLEAR\n\n", nil), ("\nComment: after an empty line\n\n", nil),
    ("Proc-Type: 4,ENCRYPTED\n\n", .keyEncrypted), ("proc-type: 4, ENCRYPTED\n\n", .keyEncrypted),
    ("Comment: x\nDEK-Info: AES-128-CBC,00\n\n", .keyEncrypted),
    ("Proc-Type: 4,\n ENCRYPTED\n\n", .keyEncrypted),
    ("A\nComment: too late\n", .pem),
  ])
  func headerLines(headers: String, code: JOSEError.Code?) throws {
    for name in ["ec-pkcs8.pem", "ec-spki.pem"] {
      let text = try Self.text(name)
      let end = try #require(text.firstIndex(of: "\n"))
      let changed = text[...end] + headers + text[text.index(after: end)...]
      #expect(error { _ = try read(String(changed)) }?.code == code, "\(name)")
    }
  }

  /// Text before and after blocks (RFC 7468 section 2), as `openssl storeutl` and `pkcs12` of OpenSSL 3.0 write it, JSON,
  /// and a byte order mark.
  @Test(arguments: [
    "0: Public key\n", "0: Certificate\r\n", "{\"note\": \"exported\"}\n", "{\n", "[1]\n", "\u{FEFF}",
    "Bag Attributes\n    friendlyName: my key\nKey Attributes: <No Attributes>\n", "0\n", "\"\n",
    "A block begins with -----BEGIN PUBLIC KEY----- and a line of\n", "-----BEGIN \n", "  ",
    "-----BEGIN DH PARAMETERS-----\nAAAA\n-----END DH PARAMETERS-----\n",
  ])
  func textAroundBlocks(before: String) throws {
    let expected = try #require(try read(Self.text("ec-spki.pem")).keys.first).thumbprint()
    let set = try read(before + Self.text("ec-spki.pem") + "\nTotal found: 1\n")
    #expect(try set.keys.map { try $0.thumbprint() } == [expected])
    #expect(set.rejected.isEmpty)
  }

  @Test func oneLineWithBlock() throws {
    let text = try Self.text("ec-spki.pem").split(separator: "\n").joined()
    #expect(try read("key: " + text).keys.count == 1)
  }

  /// A private key with its certificate is one key that signs, in either order.
  @Test func aKeyWithItsCertificate() throws {
    let text = try Self.text("rsa-bag.pem")
    let key = try pem(text)
    #expect(key.isPrivate)
    #expect(key.certificates.count == 1)
    let other = try Self.text("rsa-pkcs1.pem") + Self.text("rsa-spki.pem") + Self.text("rsa-certificate.pem")
    #expect(try read(other).keys.map(\.isPrivate) == [true])
    // A published file must not have the private key.
    let set = try read(text, form: .publicOnly)
    #expect(set.keys.map(\.isPrivate) == [false])
    #expect(set.rejected.map(\.error.code) == [.keyNotPublic])
  }

  /// Of a chain, in any order, the certificate that issued no other has the key.
  @Test func chainsHaveOneKey() throws {
    let files = ["chain-leaf.pem", "chain-intermediate.pem", "chain-root.pem"]
    let leaf = try #require(try read(Self.text("chain-leaf.pem")).keys.first).thumbprint()
    for order in [[0, 1, 2], [2, 1, 0], [1, 0], [0, 2, 1]] {
      let text = try order.map { try Self.text(files[$0]) }.joined()
      #expect(try read(text).keys.map { try $0.thumbprint() } == [leaf])
      #expect(try pem(text).thumbprint() == leaf)
    }
    #expect(try read(Self.text("chain-leaf.pem") + Self.text("rsa-certificate.pem")).keys.count == 2)
  }

  /// All blocks of public keys are used, and a call for one key refuses several.
  @Test func severalPublicKeys() throws {
    let signers = try [Algorithm.es256, .rs256].map { try VectorKeys.key(for: $0, keyID: $0.name) }
    let text = try signers.map { try $0.publicPEM() }.joined()
    let set = try read(text + (try signers[0].publicPEM()))
    #expect(try set.keys.map { try $0.thumbprint() } == signers.map { try $0.thumbprint() })
    #expect(!set.warnings.map(\.kind).contains(.noKeyID))
    let verifier = try TokenVerifier(keys: set, policy: TokenPolicy(issuer: "i", audience: "a"))
    for signer in signers {
      _ = try verifier.verify(try TokenSigner(key: signer).issue(TokenClaims(issuer: "i", audience: ["a"])))
    }
    let expected = JOSEError.keySetInvalid(rule: "it has 2 keys where one is expected")
    #expect(error { _ = try pem(text) } == expected)
    // A key that cannot be used does not cost the others, and is named.
    let weak = try read(text + Self.text("rsa-1024.pem"))
    #expect(weak.keys.count == 2)
    #expect(weak.rejected.map(\.index) == [2])
    #expect(weak.rejected.map(\.error.code) == [.rsaModulusSize])
    let many = String(repeating: Self.pem("PUBLIC KEY", []), count: JWKSet.keyLimit + 1)
    #expect(error { _ = try read(many) }?.code == .keySetInvalid)
  }

  @Test func byteOrderMarksAreNamed() throws {
    #expect { try read("\u{FEFF}{\"keys\":[]}") } throws: {
      ($0 as? JOSEError)?.codeText == "json_byte_order_mark"
    }
    let rule = JOSEError.pem(rule: "it begins with a UTF-8 byte order mark, and no key follows")
    #expect(error { _ = try read("\u{FEFF}hello") } == rule)
    let text = try Self.text("ec-spki.pem")
    let wide: [UInt8] = [0xFF, 0xFE] + text.utf8.flatMap { [$0, 0] as [UInt8] }
    let utf16 = JOSEError.pem(rule: "it is UTF-16, as its byte order mark says; save it as UTF-8")
    #expect(error { _ = try KeyFile.read(SecretBytes(wide.span)) } == utf16)
  }

  /// `key_ops` of a private key (RFC 7517 section 4.3) become those of the public key where it is published.
  @Test func operationsOfPrivateKeys() throws {
    var object = try VectorKeys.key(for: .es256, keyID: "k").privateJWK().withBytes { bytes in
      try #require(try JSONValue(parsing: bytes.indices.map { bytes[$0] }).object)
    }
    object["key_ops"] = ["sign"]
    let set = try JWKSet(json: JSONValue.object(object).description)
    #expect(set.warnings.map(\.kind) == [.privateMembers])
    let key = try #require(set.keys.first)
    #expect(key.publicJWK?["key_ops"] == ["verify"])
    #expect(key.publicOnly?.operations == ["verify"])
    let token = try TokenSigner(key: key).issue(TokenClaims(issuer: "i", audience: ["a"]))
    let published = try JWKSet(json: set.publicJSON)
    _ = try TokenVerifier(keys: published, policy: TokenPolicy(issuer: "i", audience: "a")).verify(token)
    object["d"] = nil
    let wrong = try JWKSet(json: JSONValue.object(object).description)
    #expect(wrong.warnings.map(\.kind) == [.notForSignatures])
    object["key_ops"] = ["deriveKey", "sign", "verify"]
    #expect(try JWK(json: JSONValue.object(object).description).publicJWK?["key_ops"] == object["key_ops"])
  }
}
