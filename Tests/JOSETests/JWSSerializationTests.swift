internal import JOSE
internal import SigningKeyTesting
internal import Testing

@Suite struct JWSSerializationTests {
  static let payload = Array("It was a bright cold day in April".utf8)

  static let keys = Result {
    try [Algorithm.rs256, .es256, .ed25519].map { try VectorKeys.key(for: $0, keyID: $0.name) }
  }

  private func code(_ body: () throws -> Void) -> JOSEError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? JOSEError)?.code
    }
  }

  @Test func compactAndDetached() throws {
    let key = try Self.keys.get()[1]
    let signer = try JWSSigner(key: key)
    let verifier = try JWSVerifier(keys: JWKSet([key]))
    let compact = try signer.sign(Self.payload, header: ["cty": "text/plain"])
    let verified = try verifier.verify(compact: compact)
    #expect(verified.payload == Self.payload)
    #expect(verified.signatures.first?.protectedHeader?.contentType == "text/plain")
    let detached = try signer.signDetached(Self.payload)
    let unencoded = try signer.signDetached(Self.payload, encoded: false)
    for text in [detached, unencoded] {
      #expect(text.contains(".."))
      #expect(try verifier.verify(compact: text, detachedPayload: Self.payload).payload == Self.payload)
      #expect(
        code { _ = try verifier.verify(compact: text, detachedPayload: Self.payload + [0]) }
          == .signatureInvalid)
    }
    #expect(code { _ = try verifier.verify(compact: detached) } == .signatureInvalid)
    #expect(code { _ = try verifier.verify(compact: unencoded) } == .unencodedPayload)
    #expect(
      code { _ = try verifier.verify(compact: compact, detachedPayload: Self.payload) } == .payloadPlacement)
    #expect(code { _ = try signer.sign([], header: ["alg": "none"]) } == .policyInvalid)
  }

  @Test func unencodedInCompactForm() throws {
    let key = try Self.keys.get()[1]
    let signer = try JWSSigner(key: key)
    let verifier = try JWSVerifier(keys: JWKSet([key]))
    let text = try signer.signUnencoded(Self.payload)
    #expect(text.contains(".It was a bright cold day in April."))
    #expect(try verifier.verify(unencodedCompact: text).payload == Self.payload)
    #expect(code { _ = try verifier.verify(compact: text) } == .whiteSpace)
    #expect(code { _ = try verifier.verify(unencodedCompact: signer.sign(Self.payload)) } == .payloadEncoded)
    for bad in ["a.b", "line\nbreak", "\u{e9}", "\u{7f}"] {
      #expect(code { _ = try signer.signUnencoded(Array(bad.utf8)) } == .alphabet)
    }
    let changed = text.replacing("April", with: "Apral")
    #expect(code { _ = try verifier.verify(unencodedCompact: changed) } == .signatureInvalid)
    let smuggled = text.replacing("April", with: "Apr\u{ef}l")
    #expect(code { _ = try verifier.verify(unencodedCompact: smuggled) } == .alphabet)
  }

  @Test func severalSigners() throws {
    let keys = try Self.keys.get()
    let signers = try keys.map { JWSJSONSigner(try JWSSigner(key: $0), unprotected: ["note": "x"]) }
    let verifier = try JWSVerifier(keys: JWKSet(keys))
    for form in [JWSJSONSigner.PayloadForm.encoded, .unencoded, .detached] {
      let json = try JWSJSONSigner.general(Self.payload, by: signers, form: form)
      let detached = form == .detached ? Self.payload : nil
      let verified = try verifier.verify(json: json, detachedPayload: detached)
      #expect(verified.payload == Self.payload)
      #expect(verified.signatures.map(\.keyID) == ["RS256", "ES256", "Ed25519"])
      #expect(verified.signatures.first?.unprotectedHeader?["note"] == "x")
      let flat = try signers[0].flattened(Self.payload, form: form)
      #expect(try verifier.verify(json: flat, detachedPayload: detached).payload == Self.payload)
    }
  }

  @Test func demands() throws {
    let keys = try Self.keys.get()
    let json = try JWSJSONSigner.general(
      Self.payload, by: keys.map { JWSJSONSigner(try JWSSigner(key: $0)) })
    let two = try JWSVerifier(keys: JWKSet([keys[0], keys[2]]))
    #expect(code { _ = try two.verify(json: json) } == .keyNotFound)
    #expect(try two.verify(json: json, required: .atLeast(2)).signatures.count == 2)
    #expect(throws: JOSEError.signaturesMissing(valid: 2, expected: 3)) {
      try two.verify(json: json, required: .atLeast(3))
    }
    let none = try JWSVerifier(keys: JWKSet([try VectorKeys.rsa(1)]))
    #expect(throws: JOSEError.signaturesMissing(valid: 0, expected: 1)) {
      try none.verify(json: json, required: .atLeast(0))
    }
  }

  /// The same signer counts once.
  @Test func oneSignerDoesNotCountTwice() throws {
    let key = try Self.keys.get()[1]
    let signer = JWSJSONSigner(try JWSSigner(key: key))
    let json = try JWSJSONSigner.general(Self.payload, by: [signer, signer])
    let verifier = try JWSVerifier(keys: JWKSet([key]))
    #expect(throws: JOSEError.signaturesMissing(valid: 1, expected: 2)) {
      try verifier.verify(json: json, required: .atLeast(2))
    }
  }

  @Test(arguments: [
    ("{}", JOSEError.Code.serialization), ("[]", .serialization),
    (#"{"payload":"","signature":""}"#, .serialization),
    (#"{"payload":"","signatures":[]}"#, .serialization),
    (#"{"payload":"","signatures":{}}"#, .serialization),
    (#"{"payload":"","signatures":[7]}"#, .serialization),
    (#"{"payload":7,"protected":"e30","signature":""}"#, .serialization),
    (#"{"payload":"","protected":"","signature":""}"#, .serialization),
    (#"{"payload":"","protected":"e30","signature":"","signatures":[]}"#, .serialization),
    (#"{"payload":"","protected":"e30","header":[],"signature":""}"#, .serialization),
    (#"{"payload":"","protected":"e30","signature":""}"#, .algorithmMissing),
    (#"{"payload":"","protected":"e30=","signature":""}"#, .padding),
    (#"{"payload":"","header":{"alg":"ES256"},"signature":""}"#, .algorithmUnprotected),
    (
      #"{"payload":"","protected":"eyJhbGciOiJFUzI1NiJ9","header":{"alg":"ES256"},"signature":""}"#,
      .serialization
    ),
    (
      #"{"payload":"","protected":"eyJhbGciOiJFUzI1NiJ9","header":{"crit":["x"],"x":1},"signature":""}"#,
      .criticalUnprotected
    ),
    (
      #"{"payload":"","protected":"eyJhbGciOiJFUzI1NiJ9","header":{"b64":false},"signature":""}"#,
      .unencodedNotCritical
    ),
    (#"{"payload":"","protected":"eyJhbGciOiJFUzI1NiJ9","signature":""}"#, .signatureLength),
    (#"{"protected":"eyJhbGciOiJFUzI1NiJ9","signature":""}"#, .payloadPlacement),
    (#"{"payload":"","protected":"eyJhbGciOiJub25lIn0","signature":""}"#, .algorithmNone),
  ])
  func refuses(json: String, expected: JOSEError.Code) throws {
    let verifier = try JWSVerifier(keys: JWKSet([try Self.keys.get()[1]]))
    #expect(code { _ = try verifier.verify(json: json) } == expected)
  }

  @Test(arguments: [
    ("x", "json_syntax"),
    (#"{"payload":"","protected":"e30","protected":"e30","signature":""}"#, "json_duplicate_name"),
  ])
  func refusesBrokenJSON(json: String, expected: String) throws {
    let verifier = try JWSVerifier(keys: JWKSet([try Self.keys.get()[1]]))
    #expect { try verifier.verify(json: json) } throws: { ($0 as? JOSEError)?.codeText == expected }
  }

  @Test func boundsSignatures() throws {
    let key = try JWK.generate(.hs256)
    let signer = JWSJSONSigner(try JWSSigner(key: key))
    let verifier = try JWSVerifier(keys: JWKSet([key]))
    let sixteen = try JWSJSONSigner.general([1], by: Array(repeating: signer, count: 16))
    #expect(try verifier.verify(json: sixteen).signatures.count == 16)
    let seventeen = try JWSJSONSigner.general([1], by: Array(repeating: signer, count: 17))
    #expect(code { _ = try verifier.verify(json: seventeen) } == .serialization)
  }
}
