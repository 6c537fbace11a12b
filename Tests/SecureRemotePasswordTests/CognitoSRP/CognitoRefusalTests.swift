internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

@testable internal import SecureRemotePassword

/// Refused sign-ins, each with the code of its rule.
@Suite struct CognitoRefusalTests {
  @Test(
    arguments: [
      ("0", .publicKeyZero), ("00", .publicKeyZero), ("N", .publicKeyZero), ("2N", .publicKeyZero),
      ("1", .publicKeyTrivial), ("N-1", .publicKeyTrivial), ("larger", .publicKeyOutOfRange), ("", .empty),
      ("xyz", .hexadecimal), ("0x12", .hexadecimal), ("-1", .hexadecimal), ("12 ", .hexadecimal),
      ("１", .hexadecimal), ("megabyte", .publicKeyTooLong), ("long", .publicKeyTooLong),
    ] as [(String, SRPError.Code)])
  func publicKeys(_ name: String, _ code: SRPError.Code) throws {
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
    #expect(
      CognitoMaterial.code { _ = try OpenChallenge(to: ["SRP_A": text], of: CognitoMaterial.user()) } == code)
    #expect(CognitoMaterial.code { _ = try CognitoMaterial.answer { $0.parameters["SRP_B"] = text } } == code)
  }

  /// The function over bytes refuses them too, whatever has read them.
  @Test func publicKeysInBytes() throws {
    let prime = try CognitoKeySchedule.group.modulus
    func code(_ bytes: [UInt8]) -> SRPError.Code? {
      CognitoMaterial.code {
        _ = try CognitoSRPServer.challenge(
          publicKey: bytes, record: CognitoMaterial.user(), key: CognitoServerKey(),
          context: CognitoMaterial.context)
      }
    }
    for bytes in [[], [0], [UInt8](repeating: 0, count: 1 << 20), prime] {
      #expect(code(bytes) == .publicKeyZero)
    }
    for bytes in [[1], [0, 1], Array(prime.dropLast()) + [prime[383] - 1]] {
      #expect(code(bytes) == .publicKeyTrivial)
    }
    #expect(code([UInt8](repeating: 0xFF, count: 384)) == .publicKeyOutOfRange)
    #expect(code([1] + [UInt8](repeating: 0, count: 384)) == .publicKeyTooLong)
    #expect(code([UInt8](repeating: 0xFF, count: 1 << 20)) == .publicKeyTooLong)
    #expect(code([0, 0, 2]) == nil)
  }

  @Test func oddDigitsAndCapitalsAreNumbers() throws {
    #expect(try CognitoNumber.bytes(hexadecimal: "aBc", .salt, limit: 16) == [0x0A, 0xBC])
    #expect(try CognitoNumber.bytes(hexadecimal: "0", .salt, limit: 16) == [0])
    #expect(try CognitoNumber.bytes(hexadecimal: "0000000000", .salt, limit: 1) == [0, 0, 0, 0, 0])
    #expect(CognitoNumber.hexadecimal([0, 0x0A, 0xBC]) == "abc")
    #expect(CognitoNumber.hexadecimal([0, 0]) == "0")
    #expect(CognitoNumber.hexadecimal([]) == "0")
  }

  @Test func challengesThatAreRefused() {
    func code(_ change: (inout CognitoChallenge) -> Void) -> SRPError.Code? {
      CognitoMaterial.code { _ = try CognitoMaterial.answer(change: change) }
    }
    for name in ["SALT", "SRP_B", "SECRET_BLOCK", "USER_ID_FOR_SRP"] {
      #expect(code { $0.parameters[name] = nil } == .parameterMissing)
      #expect(code { $0.parameters[name] = "" } == .empty)
    }
    #expect(code { $0.parameters["USERNAME"] = nil } == nil)
    #expect(code { $0.name = "SMS_MFA" } == .challengeUnexpected)
    #expect(code { $0.parameters["SALT"] = "not hex" } == .hexadecimal)
    #expect(code { $0.parameters["SALT"] = String(repeating: "a", count: 1 << 20) } == .tooLong)
    #expect(code { $0.parameters["SECRET_BLOCK"] = "a" } == .base64)
    #expect(code { $0.parameters["SECRET_BLOCK"] = String(repeating: "AAAA", count: 1 << 18) } == .tooLong)
    #expect(code { $0.parameters["USER_ID_FOR_SRP"] = String(repeating: "a", count: 2_049) } == .tooLong)
  }

  /// A wrong password, salt, identity, block or timestamp.
  @Test func answersThatDoNotHold() throws {
    func code(
      _ password: String = CognitoMaterial.password, _ change: (inout CognitoChallenge) -> Void = { _ in },
      response: (inout CognitoChallengeResponse) -> Void = { _ in }
    ) throws -> SRPError.Code? {
      var (challenge, answer) = try CognitoMaterial.answer(password: password, change: change)
      response(&answer)
      return challenge.code(answer)
    }
    #expect(try code() == nil)
    #expect(try code("tr0ub4dor&3") == .passwordMismatch)
    #expect(try code("") == .passwordMismatch)
    #expect(try code(CognitoMaterial.password, { $0.parameters["SALT"] = "ab" }) == .passwordMismatch)
    #expect(try code(CognitoMaterial.password, { $0.parameters["SRP_B"] = "ab" }) == .passwordMismatch)
    #expect(
      try code(CognitoMaterial.password, { $0.parameters["USER_ID_FOR_SRP"] = "0d1c6e2b" })
        == .passwordMismatch)
    #expect(
      try code(response: { $0.responses["TIMESTAMP"] = "Sat Sep 5 09:03:08 UTC 2026" }) == .passwordMismatch)
    for signature in ["", "AAAA"] {
      #expect(
        try code(response: { $0.responses["PASSWORD_CLAIM_SIGNATURE"] = signature }) == .passwordMismatch)
    }
    #expect(
      try code(response: { $0.responses["TIMESTAMP"] = String(repeating: "9", count: 129) })
        == .timestampMalformed)
  }

  @Test func everyBitOfSignatureAndBlock() throws {
    let (challenge, answer) = try CognitoMaterial.answer()
    for name in ["PASSWORD_CLAIM_SECRET_BLOCK", "PASSWORD_CLAIM_SIGNATURE"] {
      let right = try Base64.decode(#require(answer.responses[name]))
      func code(_ bytes: [UInt8]) -> SRPError.Code? {
        var other = answer
        other.responses[name] = Base64.string(bytes)
        return challenge.code(other)
      }
      #expect(code(right) == nil)
      for bit in 0..<(right.count * 8) {
        var changed = right
        changed[bit / 8] ^= 1 << (bit % 8)
        #expect(code(changed) == .passwordMismatch)
      }
      for bad in [[], [1], Array(right.dropLast()), right + [0]] { #expect(code(bad) == .passwordMismatch) }
    }
  }

  @Test func timestampsAndTheirAge() throws {
    func code(_ difference: Duration) throws -> SRPError.Code? {
      let (challenge, answer) = try CognitoMaterial.answer(at: CognitoMaterial.now + difference)
      return challenge.code(answer)
    }
    #expect(try code(-300) == nil)
    #expect(try code(-301) == .timestampStale)
    #expect(try code(60) == nil)
    #expect(try code(61) == .timestampAhead)
    #expect(try code(-1_788_598_987) == .timestampStale)
  }

  /// With any clock of the service.
  @Test func clocksAtTheEdges() throws {
    let (challenge, answer) = try CognitoMaterial.answer()
    #expect(challenge.code(answer, at: .latest) == .timestampStale)
    #expect(challenge.code(answer, at: .earliest) == .timestampAhead)
    let (first, earliest) = try CognitoMaterial.answer(at: .earliest)
    #expect(first.code(earliest, at: .earliest) == .timestampAhead)
    let (last, latest) = try CognitoMaterial.answer(at: .latest)
    #expect(last.code(latest, at: .latest) == nil)
    let claim = try CognitoPasswordClaim(
      signature: Base64.decode(#require(answer.responses["PASSWORD_CLAIM_SIGNATURE"])),
      secretBlock: Base64.decode(#require(answer.responses["PASSWORD_CLAIM_SECRET_BLOCK"])),
      timestamp: #require(answer.responses["TIMESTAMP"]))
    for huge in [Duration(attoseconds: .min), Duration(attoseconds: .max)] {
      #expect(
        CognitoMaterial.code {
          try CognitoSRPServer.verify(
            claim, pending: CognitoPendingChallenge(CognitoMaterial.secret(challenge.pending)),
            identity: challenge.identity, context: challenge.context, maximumAge: huge, maximumLead: huge,
            at: CognitoMaterial.now)
        } == (huge > .zero ? nil : .timestampStale))
    }
  }

  /// A timestamp in another form, with a valid and with a wrong signature, before the block is redeemed.
  @Test func timestampsOfOtherForms() throws {
    let exchange = try CognitoExchange()
    let challenge = try OpenChallenge(to: ["SRP_A": exchange.publicKey], of: CognitoMaterial.user())
    let secrets = try exchange.secrets(
      challenge.identity, password: CognitoMaterial.secret(CognitoMaterial.password),
      salt: #require(challenge.message.parameters["SALT"]),
      serverPublicKey: #require(challenge.message.parameters["SRP_B"]))
    let block = try #require(challenge.message.parameters["SECRET_BLOCK"])
    func response(_ timestamp: String, isRight: Bool = true) throws -> CognitoChallengeResponse {
      let signature = try CognitoKeySchedule.signature(
        secrets.key, challenge.identity, secretBlock: Base64.decode(block), timestamp: timestamp)
      return CognitoChallengeResponse(
        name: "PASSWORD_VERIFIER", clientID: CognitoMaterial.clientID,
        responses: [
          "TIMESTAMP": timestamp, "PASSWORD_CLAIM_SECRET_BLOCK": block,
          "PASSWORD_CLAIM_SIGNATURE": Base64.string(isRight ? signature : [UInt8](repeating: 0, count: 32)),
        ])
    }
    for text in [
      "Sat Sep 05 09:03:07 UTC 2026", "sam. sept. 5 09:03:07 UTC 2026", "Sat Sep 5 9:03:07 AM UTC 2026", "",
    ] {
      for isRight in [true, false] {
        let sent = try response(text, isRight: isRight)
        #expect(throws: SRPError.timestampMalformed(text)) { try challenge.verify(sent) }
      }
    }
    #expect(challenge.code(try response(CognitoMaterial.now.cognitoText)) == nil)
    #expect(SRPError.timestampMalformed("").response == .timestampMalformed)
  }
}
