internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

@testable internal import SecureRemotePassword

/// A pending challenge is for one identity in one context.
@Suite struct CognitoPendingChallengeTests {
  @Test func ofAnotherUserPoolClientOrKind() throws {
    let (challenge, response) = try CognitoMaterial.answer()
    #expect(challenge.code(response) == nil)
    for index in CognitoMaterial.context.indices {
      var other = CognitoMaterial.context
      other[index] += "x"
      #expect(challenge.code(response, context: other) == .secretBlockForeign)
    }
    for other in [[], CognitoMaterial.context + [""], Array(CognitoMaterial.context.dropLast())] {
      #expect(challenge.code(response, context: other) == .secretBlockForeign)
    }
    for other in [
      try CognitoSRPIdentity.user(userPoolID: CognitoMaterial.poolID, userIDForSRP: "another"),
      try CognitoSRPIdentity.user(userPoolID: "eu-west-1_Other", userIDForSRP: "0d1c6e2a"),
      // The signed bytes are the same.
      CognitoSRPIdentity(realm: "AbCdEfGhI0", name: "d1c6e2a"),
    ] { #expect(challenge.code(response, identity: other) == .secretBlockForeign) }
  }

  /// The key of another challenge.
  @Test func ofAnotherChallenge() throws {
    let (_, response) = try CognitoMaterial.answer()
    let (other, _) = try CognitoMaterial.answer()
    #expect(other.code(response) == .passwordMismatch)
  }

  @Test func bytes() throws {
    let pending = CognitoPendingChallenge(
      context: [UInt8](repeating: 8, count: 32), key: CognitoMaterial.secret([UInt8](0..<16)))
    #expect(
      CognitoMaterial.bytes(pending.bytes()) == [UInt8](repeating: 8, count: 32) + [UInt8](0..<16))
    #expect(CognitoPendingChallenge.size == 48)
    let again = try CognitoPendingChallenge(pending.bytes())
    #expect(again.context == pending.context)
    #expect(CognitoMaterial.bytes(again.key) == [UInt8](0..<16))
    for count in [0, 1, 47, 49] {
      #expect(
        CognitoMaterial.code {
          _ = try CognitoPendingChallenge(CognitoMaterial.secret([UInt8](repeating: 1, count: count)))
        } == .secretBlockInvalid)
    }
  }

  /// Each text counts, and the boundaries between them. The digest is that of earlier versions, whose blocks are read.
  @Test func digests() throws {
    let identity = try CognitoSRPIdentity.user(userPoolID: CognitoMaterial.poolID, userIDForSRP: "id")
    func digest(_ context: [String]) throws -> [UInt8] {
      try CognitoPendingChallenge.digest(context, identity)
    }
    #expect(try digest(["ab", "c"]) != digest(["a", "bc"]))
    #expect(try digest(["Karl"]) != digest(["\u{212A}arl"]))
    #expect(try digest(["ren\u{E9}"]) != digest(["rene\u{301}"]))
    // python: sha256(b"".join(len(p).to_bytes(8, "big") + p for p in [b"PASSWORD_VERIFIER", b"eu-west-1_AbCdEfGhI",
    // b"1h57kf5cpq17m0eml12EXAMPLE", b"0d1c6e2a", b"AbCdEfGhI", b"id"]))
    #expect(
      Hex.string(try digest(CognitoMaterial.context))
        == "e8a1300b3daa830641c1b109905e07ab95712ec3fb26479647d5b6103758951a")
  }
}

@Suite struct CognitoNamesTests {
  @Test func secretHashes() throws {
    let app = try CognitoAppClient(id: "client", secret: CognitoMaterial.secret("secret"))
    let hash = try #require(try app.secretHash(username: "alice"))
    // python: base64.b64encode(hmac.digest(b"secret", b"aliceclient", "sha256"))
    #expect(hash == "RTsve+FQ659UKyESgvLg9GYmZEL+QjzQsW/OjL77/b0=")
    try app.check(secretHash: hash, username: "alice")
    #expect(
      CognitoMaterial.code { try app.check(secretHash: hash, username: "alicf") } == .secretHashMismatch)
    #expect(
      CognitoMaterial.code { try app.check(secretHash: "AAAA", username: "alice") } == .secretHashMismatch)
    #expect(CognitoMaterial.code { try app.check(secretHash: "?", username: "alice") } == .secretHashMismatch)
    for count in [43, 45, 1 << 20] {
      let long = String(repeating: "A", count: count)
      #expect(
        CognitoMaterial.code { try app.check(secretHash: long, username: "alice") } == .secretHashMismatch)
    }
    #expect(CognitoMaterial.code { try app.check(secretHash: nil, username: "alice") } == .secretHashMissing)
    let open = try CognitoAppClient(id: "client")
    try open.check(secretHash: nil, username: "alice")
    #expect(try open.secretHash(username: "alice") == nil)
    #expect(
      CognitoMaterial.code { try open.check(secretHash: hash, username: "alice") } == .secretHashUnexpected)
    #expect(
      CognitoMaterial.code { _ = try CognitoAppClient(id: "client", secret: CognitoMaterial.secret("")) }
        == .empty)
    for id in ["", "a b", "a-b", "é", String(repeating: "a", count: 129)] {
      #expect(CognitoMaterial.code { _ = try CognitoAppClient(id: id) } == .clientIDMalformed)
    }
  }

  @Test(
    arguments: [
      "", "eu-west-1", "eu-west-1_", "_abc", "eu_west_abc", "eu-west-1_ab-c", "eu-west-1_é", "eu west_abc",
      "eu-west-1_" + String(repeating: "a", count: 46),
    ])
  func poolIDs(_ id: String) {
    #expect(throws: SRPError.userPoolIDMalformed(id)) {
      try CognitoSRPIdentity.user(userPoolID: id, userIDForSRP: "a")
    }
  }

  @Test(
    arguments: [
      "", "abc", "eu-west-1_", "_abc", "eu-west-1_ABC", "eu-west-1_xyz", "eu west_abc", "é_abc",
      "eu-west-1_" + String(repeating: "a", count: 46),
    ])
  func deviceKeys(_ key: String) {
    #expect(throws: SRPError.deviceKeyMalformed(key)) {
      try CognitoSRPIdentity.device(groupKey: "g", deviceKey: key)
    }
  }

  /// The first byte of a salt is random too.
  @Test func salts() throws {
    let identity = try CognitoSRPIdentity.user(userPoolID: CognitoMaterial.poolID, userIDForSRP: "alice")
    var first: Set<UInt8> = []
    for _ in 0..<300 {
      let verifier = try CognitoVerifier(identity: identity, password: CognitoMaterial.secret("secret"))
      #expect(verifier.salt.count == 16)
      first.insert(verifier.salt[0])
    }
    #expect(first.count > 120)
    #expect(first.contains { $0 >= 0x80 } && first.contains { $0 < 0x80 })
  }

  @Test func numbersOfDevices() throws {
    func code(_ salt: String, _ verifier: String = "Ag==") -> SRPError.Code? {
      CognitoMaterial.code { _ = try CognitoVerifier(deviceSalt: salt, passwordVerifier: verifier) }
    }
    #expect(code("AQ==") == nil)
    #expect(code("AA==") == nil)
    #expect(code("AP8=") == nil)
    #expect(code("/w==") == .numberNegative)
    #expect(code("") == .empty)
    #expect(code("AQ") == .base64)
    #expect(code(String(repeating: "AAAA", count: 1 << 18)) == .tooLong)
    #expect(code("AQ==", "") == .empty)
    #expect(code("AQ==", "AQ==") == .verifierOutOfRange)
    #expect(code("AQ==", "/w==") == .numberNegative)
    #expect(code("AQ==", Base64.string([0] + (try CognitoKeySchedule.group.modulus))) == .verifierOutOfRange)
    #expect(code("AQ==", Base64.string([UInt8](repeating: 1, count: 500))) == .tooLong)
  }

  /// Responses do not show why a sign-in failed.
  @Test func callersAreToldNothing() {
    for error in [
      .passwordMismatch, .proofMismatch, .timestampStale(age: 1, limit: 0), .timestampAhead(by: 1, limit: 0),
      .secretBlockInvalid, .secretBlockForeign, .secretHashMissing, .secretHashUnexpected,
      .secretHashMismatch,
    ] as [SRPError] {
      #expect(error.response == .notAuthorized)
      #expect(error.response.exception == "NotAuthorizedException")
      #expect(error.response.rawValue == "Incorrect username or password.")
    }
    #expect(SRPError.lockedOut(remaining: 1).response == .attemptsExceeded)
    #expect(SRPError.publicKeyZero(.client).response == .invalidParameter)
    let timestamp = SRPError.timestampMalformed("x").response
    #expect(timestamp.exception == "InvalidParameterException")
    #expect(timestamp.rawValue == "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.")
    #expect(SRPError.randomUnavailable.response == .internalError)
  }
}
