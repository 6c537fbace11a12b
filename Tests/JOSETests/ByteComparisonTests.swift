internal import JOSE
internal import Testing

/// Names are compared by their bytes: a KELVIN SIGN differs from K, and NFD differs from NFC.
@Suite struct ByteComparisonTests {
  private func code(_ body: () throws -> Void) -> JOSEError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? JOSEError)?.code
    }
  }

  private static let key = Result { try JWK.generate(.es256k, keyID: "K\u{E9}") }

  private func object() throws -> JSONObject { try #require(try Self.key.get().publicJWK) }

  private func read(_ name: String, _ value: JSONValue) throws -> JWK {
    var object = try object()
    object[name] = value
    return try JWK(json: JSONValue.object(object).description)
  }

  @Test func algorithms() throws {
    #expect(Algorithm(name: "ES256\u{212A}") == nil)
    #expect(try read("alg", "ES256\u{212A}").algorithms.isEmpty)
    let header = Base64URL.string(Array("{\"alg\":\"ES256\u{212A}\"}".utf8))
    let verifier = try TokenVerifier(
      keys: JWKSet(Self.key.get()), policy: TokenPolicy(issuer: "i", audience: "a"))
    #expect(code { _ = try verifier.verify(header + ".e30.AA") } == .algorithmUnknown)
  }

  @Test func typesAndCurves() throws {
    let point = Base64URL.string([UInt8](repeating: 9, count: 32))
    #expect(
      code { _ = try JWK(json: #"{"kty":"O\u212AP","crv":"Ed25519","x":"\#(point)"}"#) } == .keyTypeUnknown)
    #expect(code { _ = try read("crv", "secp256\u{212A}1") } == .curveUnknown)
    #expect(code { _ = try read("crv", "secp256k\u{0301}1") } == .curveUnknown)
  }

  @Test func useAndOperations() throws {
    let policy = TokenPolicy(issuer: "i", audience: "a")
    let token = try TokenSigner(key: Self.key.get()).issue(TokenClaims(issuer: "i", audience: ["a"]))
    #expect(
      code { _ = try TokenVerifier(keys: JWKSet(read("use", "sig\u{200D}")), policy: policy).verify(token) }
        == .keyUseMismatch)
    // Two spellings count as two operations.
    #expect(try read("key_ops", ["verify", "\u{E9}", "e\u{301}"]).operations?.count == 3)
  }

  @Test(arguments: [1, 20])
  func keyIDs(count: Int) throws {
    let other = try JWK.generate(.es256k, keyID: "\u{212A}e\u{301}")
    let more = try (0..<count).map { try JWK.generate(.hs256, keyID: "\($0)") }
    let set = try JWKSet([other, Self.key.get()] + more)
    #expect(!set.warnings.contains { $0.kind == .duplicateKeyID })
    let token = try TokenSigner(key: Self.key.get()).issue(TokenClaims(issuer: "i", audience: ["a"]))
    let verified = try TokenVerifier(keys: set, policy: TokenPolicy(issuer: "i", audience: "a")).verify(token)
    #expect(verified.keyID?.unicodeScalars.map(\.value) == [0x4B, 0xE9])
    let alone = try TokenVerifier(
      keys: JWKSet([other] + more), policy: TokenPolicy(issuer: "i", audience: "a"))
    #expect(code { _ = try alone.verify(token) } == .keyNotFound)
  }

  @Test func criticalNamesAndTypes() throws {
    let signer = try JWSSigner(key: Self.key.get())
    var rules = SignatureRules()
    rules.understoodCritical = ["K"]
    let verifier = try JWSVerifier(keys: JWKSet(Self.key.get()), rules: rules)
    let compact = try signer.sign([1], header: ["\u{212A}": 1, "crit": ["\u{212A}"]])
    #expect(code { _ = try verifier.verify(compact: compact) } == .criticalNotUnderstood)
    rules.type = "kw"
    let typed = try JWSVerifier(keys: JWKSet(Self.key.get()), rules: rules)
    #expect(
      code { _ = try typed.verify(compact: signer.sign([1], header: ["typ": "\u{212A}W"])) } == .typeMismatch)
    #expect(code { _ = try typed.verify(compact: signer.sign([1], header: ["typ": "KW"])) } == nil)
  }
}
