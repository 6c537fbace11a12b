internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import Testing
internal import TokenSecurityVectorFiles

internal import SecureRemotePassword
@testable internal import CognitoSRP

/// Refused sign-ins, each with the code of its rule.
@Suite struct CognitoRefusalTests {
  @Test(
    arguments: [
      ("0", .publicKeyZero), ("00", .publicKeyZero), ("N", .publicKeyZero), ("2N", .publicKeyZero),
      ("1", .publicKeyTrivial), ("N-1", .publicKeyTrivial), ("larger", .publicKeyOutOfRange), ("", .empty),
      ("xyz", .hexadecimal), ("0x12", .hexadecimal), ("-1", .hexadecimal), ("12 ", .hexadecimal),
      ("１", .hexadecimal), ("megabyte", .publicKeyTooLong), ("long", .publicKeyTooLong),
    ] as [(String, SRPError.Code)])
  func publicKeys(_ name: String, _ code: SRPError.Code) async throws {
    let prime = try CognitoKeySchedule.group.modulus
    let text =
      switch name {
      case "N": Hex.string(prime)
      case "2N": "1" + Hex.string(prime.indices.map { prime[$0] << 1 | ($0 < 383 ? prime[$0 + 1] >> 7 : 0) })
      case "N-1": Hex.string(prime.dropLast() + [prime[383] - 1])
      case "larger": String(repeating: "f", count: 768)
      case "megabyte": String(repeating: "ab", count: 1 << 20)
      case "long": "1" + String(repeating: "0", count: 768)
      default: name
      }
    let app = try Material.app()
    let server = try Material.server()
    let request = CognitoAuthRequest(
      flow: "USER_SRP_AUTH", clientID: app.id, parameters: ["USERNAME": "alice", "SRP_A": text])
    #expect(
      await Material.code {
        _ = try await server.challenge(
          request, client: app, user: Material.user(), key: CognitoServerKey(), at: Material.now)
      } == code)
    #expect(
      await Material.code {
        _ = try await Material.answer(server) { $0.parameters["SRP_B"] = text }
      } == code)
  }

  @Test func oddDigitsAndCapitalsAreNumbers() throws {
    #expect(try CognitoNumber.bytes(hexadecimal: "aBc", .salt, limit: 16) == [0x0A, 0xBC])
    #expect(try CognitoNumber.bytes(hexadecimal: "0", .salt, limit: 16) == [0])
    #expect(try CognitoNumber.bytes(hexadecimal: "0000000000", .salt, limit: 1) == [0, 0, 0, 0, 0])
    #expect(CognitoNumber.hexadecimal([0, 0x0A, 0xBC]) == "abc")
    #expect(CognitoNumber.hexadecimal([0, 0]) == "0")
    #expect(CognitoNumber.hexadecimal([]) == "0")
  }

  @Test func challengesThatAreRefused() async throws {
    let server = try Material.server()
    func code(_ change: (inout CognitoChallenge) -> Void) async -> SRPError.Code? {
      await Material.code { _ = try await Material.answer(server, change: change) }
    }
    for name in ["SALT", "SRP_B", "SECRET_BLOCK", "USER_ID_FOR_SRP"] {
      #expect(await code { $0.parameters[name] = nil } == .parameterMissing)
      #expect(await code { $0.parameters[name] = "" } == .empty)
    }
    #expect(await code { $0.parameters["USERNAME"] = nil } == nil)
    #expect(await code { $0.name = "SMS_MFA" } == .challengeUnexpected)
    #expect(await code { $0.parameters["SALT"] = "not hex" } == .hexadecimal)
    #expect(await code { $0.parameters["SALT"] = String(repeating: "a", count: 1 << 20) } == .tooLong)
    #expect(await code { $0.parameters["SECRET_BLOCK"] = "a" } == .base64)
    #expect(
      await code { $0.parameters["SECRET_BLOCK"] = String(repeating: "AAAA", count: 1 << 18) } == .tooLong)
    #expect(
      await code { $0.parameters["USER_ID_FOR_SRP"] = String(repeating: "a", count: 2_049) } == .tooLong)
  }

  /// A wrong password, salt, identity, pool, block or timestamp, or a flipped bit in one of them.
  @Test func answersThatDoNotHold() async throws {
    let app = try Material.app()
    let server = try Material.server()
    func code(
      _ password: String = "Tr0ub4dor&3", _ change: (inout CognitoChallenge) -> Void = { _ in },
      response: (inout CognitoChallengeResponse) -> Void = { _ in }
    ) async throws -> SRPError.Code? {
      var answer = try await Material.answer(server, password: password, change: change)
      response(&answer)
      let sent = answer
      return await Material.code { _ = try await server.verify(sent, client: app, at: Material.now) }
    }
    #expect(try await code() == nil)
    #expect(try await code("tr0ub4dor&3") == .passwordMismatch)
    #expect(try await code("") == .passwordMismatch)
    #expect(try await code("Tr0ub4dor&3", { $0.parameters["SALT"] = "ab" }) == .passwordMismatch)
    #expect(try await code("Tr0ub4dor&3", { $0.parameters["SRP_B"] = "ab" }) == .passwordMismatch)
    #expect(
      try await code("Tr0ub4dor&3", { $0.parameters["USER_ID_FOR_SRP"] = "0d1c6e2b" }) == .passwordMismatch)
    #expect(try await code(response: { $0.responses["USERNAME"] = "0d1c6e2b" }) == .secretBlockForeign)
    #expect(
      try await code(response: { $0.responses["TIMESTAMP"] = "Sat Sep 5 09:03:08 UTC 2026" })
        == .passwordMismatch)
    for name in ["USERNAME", "TIMESTAMP", "PASSWORD_CLAIM_SECRET_BLOCK", "PASSWORD_CLAIM_SIGNATURE"] {
      #expect(try await code(response: { $0.responses[name] = nil }) == .parameterMissing)
    }
    #expect(try await code(response: { $0.responses["PASSWORD_CLAIM_SIGNATURE"] = "a" }) == .base64)
    #expect(try await code(response: { $0.responses["PASSWORD_CLAIM_SIGNATURE"] = "" }) == .passwordMismatch)
    #expect(
      try await code(response: { $0.responses["PASSWORD_CLAIM_SIGNATURE"] = "AAAA" }) == .passwordMismatch)
    #expect(
      try await code(response: { $0.responses["TIMESTAMP"] = String(repeating: "9", count: 129) })
        == .timestampMalformed)
    #expect(try await code(response: { $0.name = "SMS_MFA" }) == .challengeUnexpected)
    #expect(try await code(response: { $0.responses["SECRET_HASH"] = "AAAA" }) == .secretHashUnexpected)
  }

  @Test func everyBitOfSignatureAndBlock() async throws {
    let app = try Material.app()
    let memory = CognitoReplayCache()
    let server = try Material.server(Material.sealed(replayGuard: memory))
    let answer = try await Material.answer(server)
    let block = try Base64.decode(#require(answer.responses["PASSWORD_CLAIM_SECRET_BLOCK"]))
    for bit in 0..<(block.count * 8) {
      var changed = block
      changed[bit / 8] ^= 1 << (bit % 8)
      var other = answer
      other.responses["PASSWORD_CLAIM_SECRET_BLOCK"] = Base64.string(changed)
      let sent = other
      #expect(
        await Material.code { _ = try await server.verify(sent, client: app, at: Material.now) }
          == .secretBlockInvalid)
    }
    for bad in [[], [1], Array(block.dropLast()), block + [0]] as [[UInt8]] {
      var other = answer
      other.responses["PASSWORD_CLAIM_SECRET_BLOCK"] = Base64.string(bad)
      let sent = other
      #expect(
        await Material.code { _ = try await server.verify(sent, client: app, at: Material.now) }
          == (bad.isEmpty ? .empty : .secretBlockInvalid))
    }
    // None of these has redeemed the block.
    #expect(memory.count == 0)
    for bit in stride(from: 0, to: 256, by: 5) {
      var other = try await Material.answer(server)
      var changed = try Base64.decode(#require(other.responses["PASSWORD_CLAIM_SIGNATURE"]))
      changed[bit / 8] ^= 1 << (bit % 8)
      other.responses["PASSWORD_CLAIM_SIGNATURE"] = Base64.string(changed)
      let sent = other
      #expect(
        await Material.code { _ = try await server.verify(sent, client: app, at: Material.now) }
          == .passwordMismatch)
    }
  }

  @Test func timestampsAndTheirAge() async throws {
    let app = try Material.app()
    func code(_ difference: Duration) async throws -> SRPError.Code? {
      let server = try CognitoSignInServer(
        userPoolID: Material.poolID, simulatedUsers: Material.simulatedUsers(),
        secretBlocks: StoredSecretBlocks(),
        policy: {
          var policy = CognitoSignInServer.Policy()
          policy.challengeLifetime = 10_000
          return policy
        }())
      let client = try CognitoPasswordSignIn(userPoolID: server.userPoolID, client: app, username: "alice")
      let challenge = try await server.challenge(
        client.request, client: app, user: Material.user(), key: CognitoServerKey(), at: Material.now)
      let answer = try client.respond(
        to: challenge, password: Material.secret("Tr0ub4dor&3"),
        at: Material.now + difference)
      return await Material.code { _ = try await server.verify(answer, client: app, at: Material.now) }
    }
    #expect(try await code(-300) == nil)
    #expect(try await code(-301) == .timestampStale)
    #expect(try await code(60) == nil)
    #expect(try await code(61) == .timestampAhead)
    #expect(try await code(-1_788_598_987) == .timestampStale)
  }

  /// With any clock of the service.
  @Test func clocksAtTheEdges() async throws {
    let policy = CognitoSignInServer.Policy()
    #expect(policy.end(of: .latest) == .latest)
    #expect(Material.code { try policy.check(Material.now, at: .latest) } == .timestampStale)
    #expect(Material.code { try policy.check(Material.now, at: .earliest) } == .timestampAhead)
    #expect(Material.code { try policy.check(0, at: .earliest) } == .timestampAhead)
    for huge in [Duration(attoseconds: .min), Duration(attoseconds: .max)] {
      var policy = CognitoSignInServer.Policy()
      (policy.challengeLifetime, policy.timestampAge, policy.timestampLead) = (huge, huge, huge)
      #expect(policy.end(of: Material.now) == (huge > .zero ? .latest : .earliest))
      #expect(
        Material.code { try policy.check(Material.now, at: Material.now) }
          == (huge > .zero ? nil : .timestampStale))
    }
    let server = try Material.server()
    let app = try Material.app()
    for now in [Timestamp.earliest, .latest] {
      let answer = try await Material.answer(server, at: now)
      let code = await Material.code { _ = try await server.verify(answer, client: app, at: now) }
      #expect(code == (now == .latest ? nil : .timestampAhead))
    }
  }

  /// A timestamp in another form, with a valid and with a wrong signature. The block is not redeemed.
  @Test func timestampsOfOtherForms() async throws {
    let app = try Material.app()
    let server = try Material.server()
    let identity = try CognitoSRPIdentity.user(userPoolID: Material.poolID, userIDForSRP: "0d1c6e2a")
    for text in [
      "Sat Sep 05 09:03:07 UTC 2026", "sam. sept. 5 09:03:07 UTC 2026", "Sat Sep 5 9:03:07 AM UTC 2026", "",
    ] {
      let exchange = try CognitoExchange()
      let request = CognitoAuthRequest(
        flow: "USER_SRP_AUTH", clientID: app.id,
        parameters: ["USERNAME": "alice", "SRP_A": exchange.publicKey])
      let challenge = try await server.challenge(
        request, client: app, user: Material.user(), key: CognitoServerKey(), at: Material.now)
      let secrets = try exchange.secrets(
        identity, password: Material.secret("Tr0ub4dor&3"), salt: #require(challenge.parameters["SALT"]),
        serverPublicKey: #require(challenge.parameters["SRP_B"]))
      let block = try #require(challenge.parameters["SECRET_BLOCK"])
      let signature = try CognitoKeySchedule.signature(
        secrets.key, identity, secretBlock: Base64.decode(block), timestamp: text)
      func answer(_ timestamp: String, _ signature: [UInt8]) -> CognitoChallengeResponse {
        CognitoChallengeResponse(
          name: "PASSWORD_VERIFIER", clientID: app.id,
          responses: [
            "USERNAME": "0d1c6e2a", "TIMESTAMP": timestamp, "PASSWORD_CLAIM_SECRET_BLOCK": block,
            "PASSWORD_CLAIM_SIGNATURE": Base64.string(signature),
          ])
      }
      for claimed in [signature, [UInt8](repeating: 0, count: 32)] {
        do {
          _ = try await server.verify(answer(text, claimed), client: app, at: Material.now)
          Issue.record("\(text) was taken")
        } catch {
          #expect(error.code == .timestampMalformed)
          #expect(error.response == .timestampMalformed)
        }
      }
      let right = Material.now.cognitoText
      let valid = try CognitoKeySchedule.signature(
        secrets.key, identity, secretBlock: Base64.decode(block), timestamp: right)
      _ = try await server.verify(answer(right, valid), client: app, at: Material.now)
    }
  }
}
