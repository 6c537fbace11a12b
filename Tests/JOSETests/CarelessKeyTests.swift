internal import JOSE
internal import SigningKeyTesting
internal import Testing
internal import TokenSecurityVectorFiles

/// Key sets with common deviations: read with a warning, or refused by the strict form.
@Suite struct CarelessKeyTests {
  private static let key = Result { try VectorKeys.rsa(keyID: "r") }

  private static func object() throws -> JSONObject { try #require(try key.get().publicJWK) }

  private static func text(_ object: JSONObject) -> String { JSONValue.object(object).description }

  private static func shapes() throws -> [(JSONObject, JWKSet.Warning.Kind, JOSEError.Code)] {
    let good = try object()
    func with(_ name: String, _ value: JSONValue) -> JSONObject {
      var object = good
      object[name] = .some(value)
      return object
    }
    let modulus = try Base64URL.decode(good["n"]?.string ?? "")
    let zeros = Base64URL.string([0] + modulus)
    let padded = (good["n"]?.string ?? "") + "=="
    // RFC 2045's lines in base64 and base64 of a PEM text, as servers publish them (jwkset 55, fusionauth-issues 2995).
    let lines = "MIIB\r\nAAAA"
    let pem = Base64.string(Array(try key.get().publicPEM().utf8))
    return [
      (with("x5c", [.string(lines)]), .malformedCertificates, .certificateMismatch),
      (with("x5c", [.string(pem)]), .malformedCertificates, .certificateMismatch),
      (with("x5c", [.string("AAAA")]), .malformedCertificates, .certificateMismatch),
      (with("x5c", ["-----BEGIN CERTIFICATE-----"]), .malformedCertificates, .certificateMismatch),
      (with("x5c", "AAAA"), .malformedCertificates, .keyMemberInvalid),
      (with("x5c", [7]), .malformedCertificates, .keyMemberInvalid),
      (with("x5c", [nil]), .malformedCertificates, .keyMemberInvalid),
      (with("x5c", [:]), .malformedCertificates, .keyMemberInvalid),
      (with("x5t#S256", 7), .certificateThumbprint, .keyMemberInvalid),
      (with("n", .string(zeros)), .leadingZero, .keyMemberInvalid),
      (with("e", "AAEAAQ"), .leadingZero, .keyMemberInvalid),
      (with("n", .string(padded)), .padding, .keyMemberInvalid),
      (with("x5c", []), .emptyArray, .certificateMismatch),
      (with("x5c", .null), .nullMember, .keyMemberInvalid),
      (with("alg", .null), .nullMember, .keyMemberInvalid),
      (with("use", .null), .nullMember, .keyMemberInvalid),
      (with("key_ops", .null), .nullMember, .keyMemberInvalid),
      (with("kid", .null), .nullMember, .keyMemberInvalid),
      (with("d", .null), .nullMember, .keyMemberInvalid),
      (with("x5t#S256", .null), .nullMember, .keyMemberInvalid),
      (with("x5t#S256", "AQAB"), .certificateThumbprint, .certificateThumbprintMismatch),
      (with("x5t#S256", "*"), .certificateThumbprint, .keyMemberInvalid),
      (with("x5t#S256", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), .padding, .keyMemberInvalid),
      (with("kid", 7), .numericKeyID, .keyMemberInvalid),
    ]
  }

  @Test func carelessKeysAreReadWithAWarning() throws {
    let name = try Self.key.get().thumbprint()
    for (object, warning, code) in try Self.shapes() {
      let text = Self.text(object)
      let set = try JWKSet(json: #"{"keys":[\#(text)]}"#)
      #expect(try set.keys.map { try $0.thumbprint() } == [name], "\(text)")
      #expect(set.warnings.map(\.kind).contains(warning), "\(text)")
      // The other keys of the set remain usable, in the strict form too.
      let good = try JWK.generate(.es256, keyID: "e").publicJWK.map { Self.text($0) } ?? ""
      let strict = try JWKSet(json: #"{"keys":[\#(text),\#(good)]}"#, form: .strict)
      #expect(strict.keys.map(\.keyID) == ["e"], "\(text)")
      #expect(strict.rejected.map(\.error.code) == [code], "\(text)")
    }
  }

  @Test func whatIsReadIsWhatIsMeant() throws {
    var object = try Self.object()
    object["kid"] = 7
    object["alg"] = .some(.null)
    object["x5c"] = []
    let key = try JWK(json: Self.text(object))
    #expect(key.keyID == "7")
    #expect(key.algorithmName == nil)
    #expect(key.certificates.isEmpty)
    #expect(key.algorithms.contains(.ps512))
  }

  /// .NET's `JsonWebKey` writes unset arrays as empty ones.
  @Test func emptyArraysCountAsAbsent() throws {
    var object = try Self.object()
    for name in ["key_ops", "oth", "x5c"] { object[name] = [] }
    object["use"] = "sig"
    object["alg"] = .some(.null)
    for form in [KeyForm.standard, .publicOnly] {
      let set = try JWKSet(json: #"{"keys":[\#(Self.text(object))]}"#, form: form)
      #expect(set.keys.map(\.operations) == [nil])
      #expect(set.warnings.map(\.kind) == [.noAlgorithm, .nullMember, .emptyArray])
      #expect(set.keys.first?.algorithms.contains(.rs256) == true)
      let token = try TokenSigner(key: Self.key.get(), algorithm: .rs256).issue(
        TokenClaims(issuer: "i", audience: ["a"]))
      _ = try TokenVerifier(keys: set, policy: TokenPolicy(issuer: "i", audience: "a")).verify(token)
    }
    var secret = try Self.key.get().privateJWK().withBytes { bytes in
      try #require(try JSONValue(parsing: bytes.indices.map { bytes[$0] }).object)
    }
    secret["oth"] = []
    #expect(try JWK(json: Self.text(secret)).isPrivate)
    for form in [KeyForm.strict, .publicRequired] {
      #expect(throws: JOSEError.self) { try JWK(json: Self.text(object), form: form) }
    }
    // Other arrays are read as usual.
    secret["oth"] = [[:]]
    #expect(throws: JOSEError.keyMemberInvalid(name: "oth")) { try JWK(json: Self.text(secret)) }
    object["key_ops"] = ["encrypt"]
    #expect(throws: JOSEError.keyOperationsInvalid(rule: "they contradict \"use\"")) {
      try JWK(json: Self.text(object))
    }
  }

  /// A wrong digest is dropped, so that it cannot be mistaken for the certificate's.
  @Test func aWrongThumbprintIsLeftOut() throws {
    let vectors = try JWKTests.examples.get()
    let vector = try #require(vectors.first { $0.id == "b wrong x5t" })
    let text = try #require(vector.input["key"]).description
    let key = try JWK(json: text)
    #expect(key.certificateThumbprint == nil)
    #expect(key.certificates.count == 1)
    #expect(try JWKSet(json: #"{"keys":[\#(text)]}"#).warnings.map(\.kind).contains(.certificateThumbprint))
  }

  /// A certificate of another key costs the key, whatever follows it; malformed others cost the member.
  @Test func certificatesOfOtherKeysAreRefused() throws {
    let vectors = try JWKTests.examples.get()
    var object = try #require(vectors.first { $0.id == "b other key" }?.input["key"]?.object)
    let certificate = try #require(object["x5c"]?.array?.first)
    for others: [JSONValue] in [[], ["AAAA"], [7]] {
      object["x5c"] = .array([certificate] + others)
      #expect(throws: JOSEError.certificateMismatch) { try JWK(json: Self.text(object)) }
    }
    var own = try #require(vectors.first { $0.id == "b" }?.input["key"]?.object)
    own["x5c"] = .array([certificate, "*"])
    #expect(try JWK(json: Self.text(own)).certificates.isEmpty)
  }

  /// Members that are not read cost nothing.
  @Test func unreadMembersAreIgnored() throws {
    for name in ["x5t", "x5u"] {
      for value: JSONValue in ["2c8b", 7, [], [:], nil, true] {
        var object = try Self.object()
        object[name] = .some(value)
        #expect(try JWK(json: Self.text(object), form: .strict).keyID == "r", "\(name)")
      }
    }
  }

  @Test func requiredMembersAreNotNull() {
    for text in [#"{"kty":null}"#, #"{"kty":"RSA","n":null,"e":"AQAB"}"#, #"{"kty":"oct","k":null}"#] {
      #expect {
        try JWK(json: text)
      } throws: { ($0 as? JOSEError)?.code == .keyMemberMissing }
    }
  }

  /// With an `alg` for another curve or type no algorithm is left.
  @Test(arguments: [
    (Algorithm.ed25519, "Ed448"), (.ed448, "Ed25519"), (.ed25519, "ES256"), (.es256, "ES384"),
    (.es256, "HS256"),
    (.rs256, "ES256"), (.hs256, "RS256"),
  ])
  func algorithmsThatContradictTheKey(algorithm: Algorithm, name: String) throws {
    let original = try VectorKeys.key(for: algorithm, keyID: "k")
    var object = try original.privateJWK().withBytes { bytes in
      try #require(try JSONValue(parsing: bytes.indices.map { bytes[$0] }).object)
    }
    object["alg"] = .string(name)
    let set = try JWKSet(json: #"{"keys":[\#(Self.text(object))]}"#)
    #expect(set.keys.map(\.algorithms) == [[]])
    #expect(set.warnings.map(\.kind).contains(.algorithmContradiction))
    let verifier = try TokenVerifier(keys: set, policy: TokenPolicy(issuer: "i", audience: "a"))
    for other in Algorithm.allCases where original.algorithms.contains(other) {
      let token = try TokenSigner(key: original, algorithm: other).issue(
        TokenClaims(issuer: "i", audience: ["a"]))
      #expect {
        try verifier.verify(token)
      } throws: { ($0 as? JOSEError)?.code == .keyAlgorithmMismatch }
    }
  }
}
