internal import JOSE
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityVectorFiles

/// Refusals name the cause, not its first consequence.
@Suite struct RefusalReasonTests {
  private static let key = Result { try VectorKeys.key(for: .es256, keyID: nil) }

  private static func verifier() throws -> TokenVerifier {
    try TokenVerifier(keys: JWKSet(key.get()), policy: TokenPolicy(issuer: "i", audience: "a"))
  }

  private func code(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? JOSEError)?.codeText
    }
  }

  private static func token(_ header: String, _ payload: String) -> String {
    Base64URL.string(Array(header.utf8)) + "." + payload + "."
      + Base64URL.string([UInt8](repeating: 1, count: 64))
  }

  /// "hello" compressed (RFC 1951), which is no JSON, and in plain text, which is no base64url.
  static let payloads = [
    (#"{"alg":"ES256","zip":"DEF"}"#, "y0jNyckHAA", "header_encryption", "header_encryption"),
    (#"{"alg":"ES256","zip":"DEF"}"#, "", "header_encryption", "header_encryption"),
    (#"{"alg":"ES256","enc":"A128GCM"}"#, "y0jNyckHAA", "header_encryption", "header_encryption"),
    (#"{"alg":"ES256","b64":false,"crit":["b64"]}"#, "", "b64_unencoded", "b64_unencoded"),
    (#"{"alg":"ES256","b64":false,"crit":["b64"]}"#, "aGVsbG8", "b64_unencoded", "b64_unencoded"),
    (#"{"alg":"ES256","b64":false,"crit":["b64"]}"#, "hello $", "b64_unencoded", "b64_unencoded"),
    (#"{"alg":"ES256","b64":false}"#, "", "b64_not_critical", "b64_unencoded"),
    (#"{"alg":"none","zip":"DEF"}"#, "y0jNyckHAA", "alg_none", "header_encryption"),
    (#"{"alg":"HS256","crit":["x"],"x":1}"#, "", "crit_not_understood", "payload_placement"),
    (#"{"alg":"ES256","jwk":{}}"#, "*", "header_key_source", "base64url_alphabet"),
    (#"{"alg":"ES256"}"#, "", "payload_placement", "payload_placement"),
    (#"{"alg":"ES256"}"#, "y0jNyckHAA", "json_syntax", "json_syntax"),
    (#"{"alg":"ES256"}"#, "W10", "not_an_object", "not_an_object"),
    (#"{"alg":"ES256"}"#, "*", "base64url_alphabet", "base64url_alphabet"),
    // A nested token (RFC 7519 section 5.2), and a text that begins like one.
    (#"{"alg":"ES256","cty":"JWT"}"#, "ZXlKOS5lMzAuQQ", "not_an_object", "not_an_object"),
    (#"{"alg":"none","cty":"JWT"}"#, "ZXlKOS5lMzAuQQ", "alg_none", "not_an_object"),
    (#"{"alg":"ES256","cty":"JWT"}"#, "ZXku", "json_syntax", "json_syntax"),
  ]

  /// The header's rules say why a payload cannot be read.
  @Test(arguments: payloads)
  func theHeaderExplainsThePayload(header: String, payload: String, verified: String, parsed: String) throws {
    let token = Self.token(header, payload)
    let verifier = try Self.verifier()
    let now = NumericDate(seconds: 0)
    #expect(code { _ = try verifier.verify(token, at: now) } == verified)
    #expect(code { _ = try UnverifiedToken(token) } == parsed)
    let explanation = verifier.explain(token, at: now)
    #expect(code { _ = try explanation.result.get() } == verified)
    let failed = explanation.checks.filter { $0.outcome.word == "failed" }
    #expect(failed.count == 1)
    let all = verifier.explain("", at: now).checks.map(\.name)
    #expect(explanation.checks.map(\.name) == all)
  }

  /// A JWS that is not a token: only what the form needs is read.
  @Test func payloadsOfJWS() throws {
    let verifier = try JWSVerifier(keys: JWKSet(Self.key.get()))
    let unencoded = Self.token(#"{"alg":"ES256","b64":false,"crit":["b64"]}"#, "aGVsbG8")
    #expect(code { _ = try verifier.verify(compact: unencoded) } == "b64_unencoded")
    #expect(
      code { _ = try verifier.verify(compact: Self.token(#"{"alg":"ES256","zip":"DEF"}"#, "y0jNyckHAA")) }
        == "header_encryption")
    #expect(
      code { _ = try verifier.verify(compact: Self.token(#"{"alg":"ES256"}"#, "")) } == "signature_invalid")
  }

  /// The salt is as long as the digest (RFC 7518 section 3.5). Another length is named, and refused.
  @Test(arguments: try VectorFile.load("pss-salts").cases)
  func saltsOfPSS(_ vector: VectorFile.Case) throws {
    let pem = try VectorFile.bytes("\(VectorFile.root)/Vectors/keys/rsa-spki.pem")
    let keys = try KeyFile.read(SecretBytes(pem.span))
    let token = try #require(vector.input["token"]?.string)
    var policy = TokenPolicy(issuer: "i", audience: "a")
    policy.expiration = .optional(because: "the vectors have none")
    policy.maximumLifetime = .unchecked(because: "the vectors have none")
    let verifier = try TokenVerifier(keys: keys, policy: policy)
    let explanation = verifier.explain(token)
    #expect(code { _ = try verifier.verify(token) } == vector.reject)
    #expect(code { _ = try explanation.result.get() } == vector.reject)
    guard vector.reject != nil, let salt = vector.input["salt"]?.int64 else { return }
    #expect {
      try verifier.verify(token)
    } throws: { error in
      guard case .signatureSaltLength(let expected, let actual)? = error as? JOSEError else { return false }
      return actual == Int(salt) && [32, 48, 64].contains(expected)
    }
    // Signatures that are wrong in another way are not explained by their salt.
    let moved = token.replacing(".eyJpc3MiOiJpI", with: ".eyJpc3MiOiJqI")
    #expect(throws: JOSEError.signatureInvalid) { try verifier.verify(moved) }
  }

  @Test func byteOrderMarks() throws {
    let token = "\u{FEFF}" + Self.token(#"{"alg":"ES256"}"#, "e30")
    let verifier = try Self.verifier()
    #expect(code { _ = try verifier.verify(token) } == "token_byte_order_mark")
    #expect(code { _ = try UnverifiedToken(token) } == "token_byte_order_mark")
    #expect(code { _ = try verifier.explain(token).result.get() } == "token_byte_order_mark")
    let keys = try JWKSet(Self.key.get())
    #expect(code { _ = try JWSVerifier(keys: keys).verify(compact: token) } == "token_byte_order_mark")
    #expect(code { _ = try JWSVerifier(keys: keys).verify(json: "\u{FEFF}{}") } == "json_byte_order_mark")
  }
}
