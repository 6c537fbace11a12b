internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import Testing
internal import TokenSecurityVectorFiles

internal import SecureRemotePassword
@testable internal import CognitoSRP

/// Secret blocks are valid once, for a limited time, and for one user.
@Suite struct CognitoBlockTests {
  @Test(arguments: [true, false]) func onceAndInTime(_ isSealed: Bool) async throws {
    let app = try Material.app()
    let server = try Material.server(isSealed ? Material.sealed() : StoredSecretBlocks())
    let answer = try await Material.answer(server)
    _ = try await server.verify(answer, client: app, at: Material.now)
    #expect(
      await Material.code { _ = try await server.verify(answer, client: app, at: Material.now) }
        == (isSealed ? .secretBlockReplayed : .secretBlockInvalid))
    // A response with a wrong password redeems the block too.
    var wrong = try await Material.answer(server)
    let right = wrong.responses["PASSWORD_CLAIM_SIGNATURE"]
    wrong.responses["PASSWORD_CLAIM_SIGNATURE"] = Base64.string([UInt8](repeating: 0, count: 32))
    let first = wrong
    #expect(
      await Material.code { _ = try await server.verify(first, client: app, at: Material.now) }
        == .passwordMismatch)
    wrong.responses["PASSWORD_CLAIM_SIGNATURE"] = right
    let second = wrong
    #expect(
      await Material.code { _ = try await server.verify(second, client: app, at: Material.now) }
        == (isSealed ? .secretBlockReplayed : .secretBlockInvalid))

    let late = try await Material.answer(server)
    #expect(
      await Material.code { _ = try await server.verify(late, client: app, at: Material.now + 301) }
        == .secretBlockExpired)
    let inTime = try await Material.answer(server)
    _ = try await server.verify(inTime, client: app, at: Material.now + 300)
  }

  @Test func ofAnotherUserPoolClientOrKey() async throws {
    let app = try Material.app()
    let other = try CognitoAppClient(id: "another")
    let server = try Material.server()
    let otherPool = try Material.server(pool: "eu-west-1_Other")
    let otherKey = try Material.server(Material.sealed(2))
    let answer = try await Material.answer(server)
    #expect(
      await Material.code { _ = try await otherPool.verify(answer, client: app, at: Material.now) }
        == .secretBlockForeign)
    let second = try await Material.answer(server)
    #expect(
      await Material.code { _ = try await server.verify(second, client: other, at: Material.now) }
        == .secretBlockForeign)
    #expect(
      await Material.code { _ = try await otherKey.verify(second, client: app, at: Material.now) }
        == .secretBlockInvalid)
    let third = try await Material.answer(server)
    #expect(
      await Material.code {
        _ = try await server.verify(third, client: app, userIDForSRP: "another", at: Material.now)
      } == .secretBlockForeign)
  }

  @Test func keysChange() async throws {
    let app = try Material.app()
    let memory = CognitoReplayCache()
    let old = try Material.server(Material.sealed(1, replayGuard: memory))
    let new = try Material.server(
      SealedSecretBlocks(
        key: Material.secret([UInt8](repeating: 2, count: 32)),
        previous: Material.secret([UInt8](repeating: 1, count: 32)), replayGuard: memory))
    let answer = try await Material.answer(old)
    _ = try await new.verify(answer, client: app, at: Material.now)
    #expect(
      await Material.code { _ = try await old.verify(answer, client: app, at: Material.now) }
        == .secretBlockReplayed)
    let sealedAnew = try await Material.answer(new)
    #expect(
      await Material.code { _ = try await old.verify(sealedAnew, client: app, at: Material.now) }
        == .secretBlockInvalid)
    _ = try await new.verify(sealedAnew, client: app, at: Material.now)
    for count in [0, 31, 33] {
      #expect(
        Material.code {
          _ = try SealedSecretBlocks(
            key: Material.secret([UInt8](repeating: 1, count: count)), replayGuard: CognitoReplayCache())
        } == .keyTooShort)
    }
  }

  /// Of many concurrent responses, one is accepted.
  @Test(arguments: [true, false]) func manyAtOnce(_ isSealed: Bool) async throws {
    let app = try Material.app()
    let server = try Material.server(isSealed ? Material.sealed() : StoredSecretBlocks())
    let answer = try await Material.answer(server)
    let taken = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<64 {
        group.addTask { (try? await server.verify(answer, client: app, at: Material.now)) != nil }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(taken == 1)
  }

  @Test func pendingChallengesForAStoreOfOnesOwn() throws {
    let key = Material.secret([UInt8](0..<16))
    let pending = CognitoPendingChallenge(
      id: [UInt8](repeating: 9, count: 16), end: -1, context: [UInt8](repeating: 8, count: 32), key: key)
    let again = try CognitoPendingChallenge(pending.bytes())
    #expect(again.id == pending.id && again.end == -1 && again.context == pending.context)
    #expect(Material.bytes(again.key) == [UInt8](0..<16))
    #expect(Material.code { _ = try CognitoPendingChallenge(Material.secret([1])) } == .secretBlockInvalid)
    // The boundary between parts counts.
    #expect(
      try CognitoPendingChallenge.context(["ab", "c"]) != CognitoPendingChallenge.context(["a", "bc"]))
  }
}

@Suite struct CognitoNamesTests {
  @Test func secretHashes() throws {
    let app = try CognitoAppClient(id: "client", secret: Material.secret("secret"))
    let hash = try #require(try app.secretHash(username: "alice"))
    // python: base64.b64encode(hmac.digest(b"secret", b"aliceclient", "sha256"))
    #expect(hash == "RTsve+FQ659UKyESgvLg9GYmZEL+QjzQsW/OjL77/b0=")
    try app.check(secretHash: hash, username: "alice")
    #expect(Material.code { try app.check(secretHash: hash, username: "alicf") } == .secretHashMismatch)
    #expect(Material.code { try app.check(secretHash: "AAAA", username: "alice") } == .secretHashMismatch)
    #expect(Material.code { try app.check(secretHash: "?", username: "alice") } == .secretHashMismatch)
    #expect(Material.code { try app.check(secretHash: nil, username: "alice") } == .secretHashMissing)
    let open = try CognitoAppClient(id: "client")
    try open.check(secretHash: nil, username: "alice")
    #expect(try open.secretHash(username: "alice") == nil)
    #expect(Material.code { try open.check(secretHash: hash, username: "alice") } == .secretHashUnexpected)
    #expect(Material.code { _ = try CognitoAppClient(id: "client", secret: Material.secret("")) } == .empty)
    for id in ["", "a b", "a-b", "é", String(repeating: "a", count: 129)] {
      #expect(Material.code { _ = try CognitoAppClient(id: id) } == .clientIDMalformed)
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
    let identity = try CognitoSRPIdentity.user(userPoolID: Material.poolID, userIDForSRP: "alice")
    var first: Set<UInt8> = []
    for _ in 0..<300 {
      let verifier = try CognitoVerifier(identity: identity, password: Material.secret("secret"))
      #expect(verifier.salt.count == 16)
      first.insert(verifier.salt[0])
    }
    #expect(first.count > 120)
    #expect(first.contains { $0 >= 0x80 } && first.contains { $0 < 0x80 })
  }

  @Test func numbersOfDevices() throws {
    func code(_ salt: String, _ verifier: String = "Ag==") -> SRPError.Code? {
      Material.code { _ = try CognitoVerifier(deviceSalt: salt, passwordVerifier: verifier) }
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
      .secretBlockInvalid, .secretBlockForeign, .secretBlockReplayed,
      .secretBlockExpired(at: 0, now: 1), .secretHashMismatch,
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
