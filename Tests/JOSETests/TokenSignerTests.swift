internal import JOSE
internal import SigningKeyTesting
internal import Testing

@Suite struct TokenSignerTests {
  static let now = NumericDate(seconds: 1_767_225_600)
  static let policy = TokenPolicy(issuer: "https://issuer.example", audience: "api")
  static let claims = TokenClaims(
    issuer: "https://issuer.example", subject: "jane", audience: ["api"], tokenID: "1")

  @Test(arguments: Algorithm.allCases)
  func signsAndVerifies(algorithm: Algorithm) throws {
    let key = try VectorKeys.key(for: algorithm, keyID: "k")
    let token = try TokenSigner(key: key).issue(Self.claims, at: Self.now)
    let verifier = try TokenVerifier(keys: JWKSet([key]), policy: Self.policy)
    let verified = try verifier.verify(token, at: Self.now)
    #expect(verified.algorithm == algorithm)
    #expect(verified.keyID == "k")
    #expect(verified.header.type == "JWT")
    #expect(verified.claims.issuer == "https://issuer.example")
    #expect(verified.claims.subject == "jane")
    #expect(verified.claims.audience == ["api"])
    #expect(verified.claims.tokenID == "1")
    #expect(verified.claims.issuedAt == Self.now)
    #expect(verified.claims.expiration == NumericDate(seconds: Self.now.seconds + 900))
    #expect(
      throws: JOSEError.expired(at: Self.now.advanced(bySeconds: 900), now: Self.now.advanced(bySeconds: 900))
    ) {
      try verifier.verify(token, at: Self.now.advanced(bySeconds: 900))
    }
    guard LibJWT.knows(algorithm) else { return }
    #expect(try LibJWT.accepts(token, algorithm: algorithm, key: key))
    let forged = String(token.dropLast(4)) + (token.hasSuffix("AAAA") ? "BBBB" : "AAAA")
    #expect(try !LibJWT.accepts(forged, algorithm: algorithm, key: key))
  }

  @Test(arguments: Algorithm.allCases.filter(LibJWT.knows))
  func verifiesWhatLibJWTSigns(algorithm: Algorithm) throws {
    let key = try VectorKeys.key(for: algorithm)
    let text =
      #"{"iss":"https://issuer.example","aud":["x","api"],"exp":1767226000,"iat":1767225600,"deep":{"a":[1,2]}}"#
    let token = try #require(try LibJWT.sign(text, algorithm: algorithm, key: key))
    let verified = try TokenVerifier(keys: JWKSet(key.publicOnly ?? key), policy: Self.policy)
    if key.keyID == nil { Issue.record("the key has no name") }
    // libjwt writes no kid: a key in a set is still found.
    #expect(try verified.verify(token, at: Self.now).claims["deep"]?.object?["a"] == [1, 2])
  }

  @Test(arguments: [
    (Int64(0), false), (-1, false), (1, true), (86_400, true), (86_401, false), (.max, false), (.min, false),
  ])
  func lifetimes(seconds: Int64, isAllowed: Bool) throws {
    let signer = try TokenSigner(key: JWK.generate(.hs256))
    if isAllowed {
      let token = try UnverifiedToken(signer.issue(Self.claims, lifetime: .seconds(seconds), at: Self.now))
      #expect(token.claims.expiration?.seconds == Self.now.seconds + seconds)
    } else {
      #expect { try signer.issue(Self.claims, lifetime: .seconds(seconds), at: Self.now) } throws: {
        ($0 as? JOSEError)?.code == .lifetimeRefused
      }
    }
  }

  @Test func otherRulesForLifetimes() throws {
    let signer = try TokenSigner(key: JWK.generate(.hs256), lifetimes: .userPoolAccessToken)
    let token = try UnverifiedToken(signer.issue(Self.claims, at: Self.now))
    #expect(token.claims.expiration?.seconds == Self.now.seconds + 3_600)
    let error = LifetimeError.tooShort(
      rule: "access-token", requested: .seconds(299), shortest: .seconds(300))
    #expect(throws: JOSEError.lifetimeRefused(error)) {
      try signer.issue(Self.claims, lifetime: .seconds(299), at: Self.now)
    }
  }

  @Test func replacesTimesAndRefusesWrongTypes() throws {
    let signer = try TokenSigner(key: JWK.generate(.hs256), type: nil)
    var claims = Self.claims
    claims["exp"] = 1
    claims["iat"] = "yesterday"
    let token = try UnverifiedToken(signer.issue(claims, at: Self.now))
    #expect(token.claims.issuedAt == Self.now)
    #expect(token.header.type == nil)
    claims["iss"] = 7
    #expect(throws: JOSEError.claimType(name: "iss", expected: "a string")) {
      try signer.issue(claims, at: Self.now)
    }
  }

  @Test func signersObeyTheKey() throws {
    let rsa = try VectorKeys.rsa(keyID: "r")
    #expect(throws: JOSEError.keyAlgorithmMismatch(kid: "r", keyAlgorithm: "RS256", algorithm: .ps256)) {
      try JWSSigner(key: rsa, algorithm: .ps256)
    }
    let text = try rsa.privateJWK().withBytes { span in
      var bytes: [UInt8] = []
      for index in span.indices { bytes.append(span[index]) }
      return String(decoding: bytes, as: UTF8.self)
    }
    func key(_ change: (inout JSONObject) -> Void) throws -> JWK {
      var object = try #require(try JSONValue(parsing: text).object)
      change(&object)
      return try JWK(json: JSONValue.object(object).description)
    }
    #expect(throws: JOSEError.keyUseMismatch(kid: "r", use: "enc")) {
      try JWSSigner(key: key { $0["use"] = "enc" })
    }
    #expect(throws: JOSEError.keyOperationMismatch(kid: "r", operation: "sign")) {
      try JWSSigner(key: key { $0["key_ops"] = ["verify"] })
    }
    #expect(throws: JOSEError.keyTypeMismatch(kid: "r", algorithm: .es256)) {
      try JWSSigner(key: key { $0["alg"] = nil }, algorithm: .es256)
    }
    #expect { try JWSSigner(key: key { $0["alg"] = nil }) } throws: {
      ($0 as? JOSEError)?.code == .policyInvalid
    }
    let other = try #require(try VectorKeys.rsa(1).publicJWK)
    #expect(throws: JOSEError.keyPairMismatch) {
      try key { $0["n"] = other["n"] }
    }
    let short = try JWK(secret: SecretBytes.random(count: 31))
    #expect(throws: JOSEError.hmacKeyTooShort(bits: 248, minimum: 256)) {
      try JWSSigner(key: short, algorithm: .hs256)
    }
  }

  @Test func errorsAndDescriptionsHoldNoSecret() throws {
    let secret = "correct horse battery staple, twice over"
    let key = try JWK(secret: SecretBytes(secret.utf8.span), keyID: "s")
    #expect("\(key)" == #"JWK(oct, kid: "s", private)"#)
    #expect(!String(reflecting: key.description).contains("horse"))
    #expect(key.publicJWK == nil)
  }

  /// `at:` defaults to the current time.
  @Test func issuesAndVerifiesNow() throws {
    let key = try JWK.generate(.es256)
    var policy = Self.policy
    policy.leeway = .seconds(30)
    policy.maximumLifetime = .hours(1)
    let verifier = try TokenVerifier(keys: JWKSet([key]), policy: policy)
    let signer = try TokenSigner(key: key)
    var claims = Self.claims
    claims["scope"] = "orders/read"
    let start = Timestamp.now
    let token = try verifier.verify(signer.issue(claims, lifetime: .seconds(900)))
    #expect(token.claims["scope"]?.string == "orders/read")
    let (issuedAt, expiration) = (try #require(token.claims.issuedAt), try #require(token.claims.expiration))
    #expect(expiration - issuedAt == .seconds(900))
    // Within an hour: the system's clock can be set meanwhile.
    #expect((start - .seconds(3_600)...start + .seconds(3_600)).contains(issuedAt))
    let long = try signer.issue(claims, lifetime: .seconds(3_601))
    #expect { try verifier.verify(long) } throws: { ($0 as? JOSEError)?.code == .lifetimeTooLong }
  }
}
