internal import JOSE
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityVectorFiles

@Suite struct JWKTests {
  static let examples = Result { try VectorFile.load("rfc7517-jwk").cases }
  static let thumbprints = Result { try VectorFile.load("thumbprints").cases }

  @Test(arguments: try examples.get())
  func reads(_ vector: VectorFile.Case) throws {
    let text = try #require(vector.input["key"]).description
    if let code = vector.reject {
      #expect { try JWK(json: text, form: .strict) } throws: { ($0 as? JOSEError)?.codeText == code }
      return
    }
    let expect = try #require(vector.expect)
    try VectorFile.Case.check(expect, knows: ["kind", "bits", "kid", "private", "use", "algorithm"])
    let key = try JWK(json: text)
    #expect(key.kind.name == expect["kind"]?.string)
    #expect(key.bits == Int(expect["bits"]?.int64 ?? 0))
    #expect(key.keyID == expect["kid"]?.string)
    #expect(key.isPrivate == expect["private"]?.bool)
    #expect(key.use == expect["use"]?.string)
    #expect(key.algorithmName == expect["algorithm"]?.string)
  }

  @Test(arguments: try thumbprints.get())
  func thumbprint(_ vector: VectorFile.Case) throws {
    let key = try JWK(json: try #require(vector.input["key"]).description)
    #expect(try key.thumbprint() == vector.expect?["thumbprint"]?.string)
  }

  @Test(arguments: [
    (#"[]"#, "key_set_invalid"), (#"{}"#, "key_member_missing"), (#"{"kty":7}"#, "key_member_invalid"),
    (#"{"kty":"AKP"}"#, "key_type_unknown"), (#"{"kty":"RSA","e":"AQAB"}"#, "key_member_missing"),
    (#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, "rsa_modulus_size"),
    (#"{"kty":"RSA","n":"AAAB","e":"AQAB"}"#, "key_member_invalid"),
    (#"{"kty":"RSA","n":"AQ==","e":"AQAB"}"#, "key_member_invalid"),
    (#"{"kty":"RSA","n":"A+AB","e":"AQAB"}"#, "key_member_invalid"),
    (#"{"kty":"EC","crv":"P-256"}"#, "key_member_missing"), (#"{"kty":"EC","crv":"P-192"}"#, "curve_unknown"),
    (#"{"kty":"EC"}"#, "key_member_missing"),
    (#"{"kty":"EC","crv":"P-256","x":"AQ","y":"AQ"}"#, "key_member_length"),
    (
      #"{"kty":"EC","crv":"P-256","x":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE","y":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAE"}"#,
      "point_invalid"
    ),
    // rnbyc 1.1.11 drops a zero byte at the start of x and y.
    (
      #"{"kty":"EC","crv":"P-521","x":"IFR7VKGaKLBDZX38NLvCOdn4SPCDHuHjW1NSa597cUqYbgjVr61-jV_pFQ4WP6Ci__yDQuooSxqafaFh76InHDY","y":"Ad15hiRCV7HLagM2UZYVhTTehi_sw2DZN91RqKVBdfR5lHLKG-UITmE1qdc8lzStta6hoJ5pL6bb6eRTj9eEip0L"}"#,
      "key_member_length"
    ),
    (#"{"kty":"OKP","crv":"X25519","x":"AQ"}"#, "curve_unknown"),
    (#"{"kty":"OKP","crv":"Ed25519","x":"AQ"}"#, "key_member_length"),
    (#"{"kty":"OKP","crv":"Ed25519","x":"AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#, "point_invalid"),
    (
      #"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","d":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}"#,
      "key_pair_mismatch"
    ),
    (#"{"kty":"oct"}"#, "key_member_missing"), (#"{"kty":"oct","k":7}"#, "key_member_invalid"),
    (#"{"kty":"oct","k":"LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0"}"#, "hmac_key_is_key_file"),
    (#"{"kty":"oct","k":"AQ","key_ops":["sign","sign"]}"#, "key_ops_invalid"),
    (#"{"kty":"oct","k":"AQ","use":"sig","key_ops":["encrypt"]}"#, "key_ops_invalid"),
    (#"{"kty":"oct","k":"AQ","use":"enc","key_ops":["verify"]}"#, "key_ops_invalid"),
    (#"{"kty":"oct","k":"AQ","kid":7}"#, "key_member_invalid"),
    (#"{"kty":"oct","k":"AQ","key_ops":"sign"}"#, "key_member_invalid"),
    (#"{"kty":"oct","k":"AQ","kty":"oct"}"#, "json_duplicate_name"), (#"{"kty":"oct""#, "json_syntax"),
    ("", "json_empty"),
  ])
  func refuses(text: String, code: String) {
    #expect { try JWK(json: text, form: .strict) } throws: { ($0 as? JOSEError)?.codeText == code }
  }

  @Test(arguments: Algorithm.allCases)
  func roundTrips(algorithm: Algorithm) throws {
    let key = try VectorKeys.key(for: algorithm)
    #expect(key.isPrivate)
    #expect(key.algorithms.contains(algorithm))
    let again = try JWK(json: key.privateJWK())
    #expect(try again.thumbprint() == key.thumbprint())
    #expect(again.keyID == key.keyID)
    #expect(again.use == "sig")
    #expect(again.algorithmName == algorithm.name)
    let token = try TokenSigner(key: again).issue(TokenClaims(issuer: "i", audience: ["a"]))
    let policy = TokenPolicy(issuer: "i", audience: "a")
    guard let publicKey = key.publicOnly else {
      #expect(key.kind == .symmetric)
      #expect(key.publicJWK == nil)
      #expect { try key.publicPEM() } throws: { ($0 as? JOSEError)?.code == .keyTypeUnknown }
      return
    }
    #expect(!publicKey.isPrivate)
    #expect { _ = try publicKey.privateJWK() } throws: { ($0 as? JOSEError) == .keyNotPrivate }
    #expect { _ = try publicKey.privatePEM() } throws: { ($0 as? JOSEError) == .keyNotPrivate }
    #expect { try JWSSigner(key: publicKey) } throws: { ($0 as? JOSEError) == .keyNotPrivate }
    let pem = try key.publicPEM()
    for source in [
      try JWKSet(json: JSONValue.object(try #require(key.publicJWK)).description),
      JWKSet(try KeyFile.pem(SecretBytes(pem.utf8.span))),
      JWKSet(try KeyFile.pem(try key.privatePEM())),
    ] {
      #expect(try TokenVerifier(keys: source, policy: policy).verify(token).algorithm == algorithm)
    }
    let text = try #require(key.publicJWK)
    for member in ["d", "p", "q", "dp", "dq", "qi", "k"] { #expect(text[member] == nil) }
  }

  @Test func aPublishedSetContainsPublicKeysOnly() throws {
    let keys = [try JWK.generate(.es256, keyID: "a"), try JWK.generate(.hs256, keyID: "b")]
    let text = JWKSet(keys).publicJSON
    #expect(try JWKSet(json: text, form: .publicOnly).keys.map(\.keyID) == ["a"])
    #expect(try JSONValue(parsing: text).object?["keys"] == [.object(#require(keys[0].publicJWK))])
    #expect(JWKSet([]).publicJSON == #"{"keys":[]}"#)
  }

  @Test func generatedKeysDiffer() throws {
    let keys = try (0..<2).map { _ in try JWK.generate(.rs256) }
    for key in keys {
      #expect(key.bits == 2_048)
      #expect(key.publicJWK?["e"]?.string == "AQAB")
      #expect(try key.keyID == key.thumbprint())
    }
    #expect(keys[0].publicJWK?["n"] != keys[1].publicJWK?["n"])
  }

  @Test func generatesAsAsked() throws {
    let key = try JWK.generate(.ps256, keyID: "mine", rsaBits: 3072)
    #expect(key.keyID == "mine")
    #expect(key.bits == 3072)
    #expect(try JWK.generate(.es256).keyID == JWK.generate(.es256, keyID: nil).keyID ? false : true)
    #expect(throws: JOSEError.rsaModulusSize(bits: 1024, allowed: 2048...8192)) {
      try JWK.generate(.rs256, rsaBits: 1024)
    }
  }

  @Test func setsKeepWhatTheyUnderstand() throws {
    let good = try #require(try JWK.generate(.es256, keyID: "good").publicJWK)
    let set = try JWKSet(
      json: #"{"keys":[{"kty":"AKP","kid":"pq"},7,"#
        + JSONValue.object(good).description + #",{"kty":"RSA","n":"AQAB","e":"AQAB"}],"more":1}"#)
    #expect(set.keys.map(\.keyID) == ["good"])
    #expect(set.rejected.map(\.index) == [0, 1, 3])
    #expect(set.rejected.map(\.keyID) == ["pq", nil, nil])
    #expect(set.rejected.map(\.error.code) == [.keyTypeUnknown, .keySetInvalid, .rsaModulusSize])
  }

  @Test(arguments: [
    ("{}", "key_set_invalid"), (#"{"keys":{}}"#, "key_set_invalid"), ("[]", "key_set_invalid"),
    (#"{"keys":[],"keys":[]}"#, "json_duplicate_name"), (#"{"keys":[]} x"#, "json_trailing_data"),
    ("null", "key_set_invalid"),
  ])
  func setsRefused(text: String, code: String) {
    #expect { try JWKSet(json: text) } throws: { ($0 as? JOSEError)?.codeText == code }
  }

  @Test func warnings() throws {
    let first = try JWK.generate(.es256, keyID: "twin")
    let second = try JWK.generate(.es256, keyID: "twin").publicOnly
    let secret = try JWK.generate(.hs256, keyID: "secret")
    let set = JWKSet([first, try #require(second), secret])
    #expect(set.warnings.map(\.index) == [0, 0, 1, 2])
    #expect(set.warnings.map(\.keyID) == ["twin", "twin", "twin", "secret"])
    #expect(set.warnings.map(\.kind) == [.privateMembers, .duplicateKeyID, .duplicateKeyID, .sharedSecret])
  }
}

/// Keys of shared secrets.
@Suite struct SharedSecretTests {
  @Test func aSecretIsAKey() throws {
    let bytes = [UInt8](1...32)
    let key = try JWK(secret: SecretBytes(bytes), algorithm: .hs256, keyID: "1")
    let token = try TokenSigner(key: key).issue(TokenClaims(issuer: "i", audience: ["a"]))
    let same = try JWK(json: #"{"kty":"oct","alg":"HS256","k":"\#(Base64URL.string(bytes))"}"#)
    let verifier = try TokenVerifier(keys: JWKSet(same), policy: TokenPolicy(issuer: "i", audience: "a"))
    #expect(try verifier.verify(token).claims.issuer == "i")
    // An array is a list of accepted values, and one without any accepts nothing.
    let two = TokenPolicy(issuer: ["h", "i"], audience: "a")
    #expect(try TokenVerifier(keys: JWKSet(same), policy: two).verify(token).claims.scopes == [])
    let refused = #expect(throws: JOSEError.self) {
      try TokenVerifier(keys: JWKSet(same), policy: TokenPolicy(issuer: [], audience: "a"))
    }
    #expect(refused?.codeText == "policy_invalid")
    var claims = TokenClaims()
    claims["scope"] = " read  write "
    #expect(claims.scopes == ["read", "write"])
  }

  @Test(arguments: [
    (31, Algorithm.hs256), (47, .hs384), (63, .hs512), (64, .rs256), (64, .es256), (0, .hs256),
  ])
  func unfitSecrets(_ size: Int, _ algorithm: Algorithm) {
    let error = #expect(throws: JOSEError.self) {
      try JWK(secret: SecretBytes([UInt8](repeating: 7, count: size)), algorithm: algorithm)
    }
    #expect(error?.codeText == "key_type_mismatch")
  }
}
