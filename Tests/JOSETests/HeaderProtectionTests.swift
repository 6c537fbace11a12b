internal import JOSE
internal import SigningKeyTesting
internal import Testing

/// Which headers a signature covers, and which anyone can add.
@Suite struct HeaderProtectionTests {
  private static let keys = Result {
    try [Algorithm.rs256, .es256].map { try VectorKeys.key(for: $0, keyID: $0.name) }
  }

  private func code(_ body: () throws -> Void) -> JOSEError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? JOSEError)?.code
    }
  }

  @Test func aTypeCountsOnlyWhereItIsSigned() throws {
    let key = try Self.keys.get()[1]
    var rules = SignatureRules()
    rules.type = "at+jwt"
    let verifier = try JWSVerifier(keys: JWKSet(key), rules: rules)
    let outside = JWSJSONSigner(try JWSSigner(key: key), unprotected: ["typ": "at+jwt", "role": "admin"])
    #expect(code { _ = try verifier.verify(json: outside.flattened([1])) } == .typeMismatch)
    let inside = JWSJSONSigner(
      try JWSSigner(key: key), protected: ["typ": "at+jwt"], unprotected: ["role": "admin"])
    let signature = try #require(try verifier.verify(json: inside.flattened([1])).signatures.first)
    #expect(signature.protectedHeader?.type == "at+jwt")
    #expect(signature.protectedHeader?["role"] == nil)
    #expect(signature.unprotectedHeader?["role"] == "admin")
    #expect(signature.unprotectedHeader?["typ"] == nil)
    rules.type = .absent
    let untyped = try JWSVerifier(keys: JWKSet(key), rules: rules)
    #expect(code { _ = try untyped.verify(json: outside.flattened([1])) } == .claimUnexpected)
    let plain = try verifier.verify(compact: JWSSigner(key: key).sign([1], header: ["typ": "at+jwt"]))
    #expect(plain.signatures.first?.unprotectedHeader == nil)
  }

  /// All entries must agree on "b64", valid or not, in any order and for any number of required signatures.
  @Test func theEncodingOfThePayloadIsAgreed() throws {
    let keys = try Self.keys.get()
    let payload = Array("payload".utf8)
    let verifier = try JWSVerifier(keys: JWKSet(keys))
    func entry(_ key: JWK, _ form: JWSJSONSigner.PayloadForm) throws -> JSONObject {
      let text = try JWSJSONSigner(JWSSigner(key: key)).flattened(payload, form: form)
      return try #require(try JSONValue(parsing: text).object)
    }
    let encoded = try entry(keys[0], .encoded)
    var unencoded = try entry(keys[1], .unencoded)
    for signature in [unencoded["signature"], "AA"] {
      unencoded["signature"] = signature
      for entries in [[encoded, unencoded], [unencoded, encoded]] {
        var object = JSONObject()
        object["payload"] = encoded["payload"]
        object["signatures"] = .array(
          entries.map { .object(["protected": $0["protected"] ?? nil, "signature": $0["signature"] ?? nil]) })
        let json = JSONValue.object(object).description
        for required in [JWSVerifier.RequiredSignatures.all, .atLeast(1)] {
          #expect(code { _ = try verifier.verify(json: json, required: required) } == .serialization)
        }
      }
    }
  }

  @Test func aTokenThatWasTakenApartIsHeldToThePolicysLimits() throws {
    let key = try JWK.generate(.hs512)
    let signer = try JWSSigner(key: key)
    let claims = #"{"iss":"i","aud":"a","exp":9999999999,"x":[[[[1]]]]}"#
    let compact = try signer.sign(
      Array(claims.utf8), header: ["note": .string(String(repeating: "n", count: 200))])
    let wide = try UnverifiedToken(compact, limits: TokenLimits(token: 1 << 20, header: 1 << 19, depth: 64))
    var policy = TokenPolicy(issuer: "i", audience: "a")
    policy.maximumLifetime = .unchecked(because: "the test's tokens live long")
    func verify(_ limits: TokenLimits) -> JOSEError.Code? {
      policy.signature.limits = limits
      return code {
        _ = try TokenVerifier(keys: JWKSet(key), policy: policy).verify(
          wide, at: NumericDate(seconds: 1_767_225_600))
      }
    }
    #expect(verify(TokenLimits()) == nil)
    #expect(verify(TokenLimits(token: 64)) == .tokenTooLarge)
    #expect(verify(TokenLimits(header: 100)) == .partTooLarge)
    #expect(verify(TokenLimits(payload: 20)) == .partTooLarge)
    #expect(verify(TokenLimits(signature: 80)) == .partTooLarge)
    #expect(verify(TokenLimits(depth: 4)) == .json)
    #expect(throws: JOSEError.json(.payload, .nesting(limit: 4, offset: 45))) {
      policy.signature.limits = TokenLimits(depth: 4)
      _ = try TokenVerifier(keys: JWKSet(key), policy: policy).verify(
        wide, at: NumericDate(seconds: 1_767_225_600))
    }
    #expect(verify(TokenLimits(depth: 5)) == nil)
  }
}
