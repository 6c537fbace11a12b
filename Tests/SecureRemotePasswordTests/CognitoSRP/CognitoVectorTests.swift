internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityVectorFiles

@testable internal import SecureRemotePassword

/// Every number of Cognito's variant on both sides, compared with test vectors.
@Suite struct CognitoVectorTests {
  static let cases = (try? VectorFile.load("cognito-srp").cases) ?? []

  @Test func theFileIsThere() { #expect(Self.cases.count == 26) }

  @Test(arguments: cases) func bothSides(_ vector: VectorFile.Case) throws {
    try VectorFile.Case.check(
      vector.input,
      knows: [
        "userPoolID", "deviceGroupKey", "identity", "password", "salt", "a", "b", "secretBlock", "timestamp",
      ])
    let expect = try #require(vector.expect)
    try VectorFile.Case.check(expect, knows: ["A", "B", "u", "x", "v", "S", "key", "signature"])
    try check(vector.input, expect)
  }

  /// The same with the vectors beside the project, if they exist.
  @Test func theSuiteBesideTheProject() throws {
    guard let folder = VectorFile.extra else { return }
    let value = try JSONValue(parsing: VectorFile.bytes("\(folder)/cognito-srp.json"))
    let suite = try #require(value.object)
    let k = try CognitoKeySchedule.withMultiplier { (_, k) throws(CryptoError) in try k.publicBytes(count: 32)
    }
    #expect(Hex.string(k) == suite["k"]?.string)
    let cases = try #require(suite["cases"]?.array)
    #expect(cases.count == 15)
    for member in cases {
      let input = try #require(member.object)
      try VectorFile.Case.check(
        input,
        knows: [
          "id", "comment", "kind", "userPoolID", "deviceGroupKey", "deviceKey", "identity", "password",
          "salt", "a",
          "b", "secretBlock", "timestamp", "A", "B", "u", "x", "v", "S", "key", "signature",
        ])
      try check(input, input)
    }
  }

  private func check(_ input: JSONObject, _ expect: JSONObject) throws {
    func text(_ name: String) throws -> String { try #require(input[name]?.string) }
    func want(_ name: String) throws -> String { try #require(expect[name]?.string) }
    func secret(_ name: String) throws -> SecretBytes {
      CognitoMaterial.secret(try CognitoNumber.bytes(hexadecimal: text(name), .salt, limit: 1_024))
    }
    let identity =
      if let pool = input["userPoolID"]?.string {
        try CognitoSRPIdentity.user(userPoolID: pool, userIDForSRP: text("identity"))
      } else {
        try CognitoSRPIdentity.device(groupKey: text("deviceGroupKey"), deviceKey: text("identity"))
      }
    let password = CognitoMaterial.secret(try text("password"))
    let salt = try CognitoNumber.bytes(hexadecimal: text("salt"), .salt, limit: 1_024)

    let x = try CognitoKeySchedule.passwordExponent(identity, password: password, salt: salt)
    #expect(CognitoNumber.hexadecimal(try x.publicBytes(count: 32)) == (try want("x")))
    let verifier = try CognitoVerifier(identity: identity, password: password, salt: salt)
    #expect(CognitoNumber.hexadecimal(CognitoMaterial.bytes(verifier.value)) == (try want("v")))

    let client = try CognitoExchange(privateKey: Number(secret("a")))
    #expect(client.publicKey == (try want("A")))
    let a = try CognitoNumber.bytes(hexadecimal: want("A"), .clientPublicKey, limit: 384)
    let server = try ServerSecrets(verifier, a, CognitoServerKey(privateKey: Number(secret("b"))))
    #expect(CognitoNumber.hexadecimal(server.publicKey) == (try want("B")))
    #expect(CognitoNumber.hexadecimal(server.scramblingParameter) == (try want("u")))
    #expect(CognitoNumber.hexadecimal(CognitoMaterial.bytes(server.secret)) == (try want("S")))
    #expect(Hex.string(CognitoMaterial.bytes(server.key)) == (try want("key")))

    let mine = try client.secrets(
      identity, password: password, salt: text("salt"), serverPublicKey: want("B"))
    #expect(CognitoNumber.hexadecimal(mine.scramblingParameter) == (try want("u")))
    #expect(CognitoNumber.hexadecimal(CognitoMaterial.bytes(mine.secret)) == (try want("S")))
    #expect(Hex.string(CognitoMaterial.bytes(mine.key)) == (try want("key")))

    let stamp = try Timestamp(cognitoText: text("timestamp"))
    #expect(stamp.cognitoText == (try text("timestamp")))
    let challenge = CognitoChallenge(
      name: "",
      parameters: [
        "SALT": try text("salt"), "SRP_B": try want("B"), "SECRET_BLOCK": try text("secretBlock"),
      ])
    let responses = try client.responses(to: challenge, identity, password: password, at: stamp)
    #expect(responses["PASSWORD_CLAIM_SIGNATURE"] == (try want("signature")))
    #expect(responses["TIMESTAMP"] == stamp.cognitoText)
    #expect(responses["PASSWORD_CLAIM_SECRET_BLOCK"] == challenge.parameters["SECRET_BLOCK"])

    // The same by the server's two functions.
    let context = ["PASSWORD_VERIFIER"]
    let record = CognitoSRPRecord(identity: identity, verifier: verifier)
    let made = try CognitoSRPServer.challenge(
      publicKey: CognitoNumber.publicKey(hexadecimal: want("A")), record: record,
      key: CognitoServerKey(privateKey: Number(secret("b"))), context: context)
    #expect(CognitoNumber.hexadecimal(made.publicKey) == (try want("B")))
    let claim = try CognitoPasswordClaim(
      signature: Base64.decode(want("signature")), secretBlock: Base64.decode(text("secretBlock")),
      timestamp: text("timestamp"))
    try CognitoSRPServer.verify(
      claim, pending: CognitoPendingChallenge(made.pending.bytes()), identity: identity, context: context,
      at: stamp)
  }

  /// k, which is the same in all sign-ins.
  @Test func theMultiplier() throws {
    let k = try CognitoKeySchedule.withMultiplier { (_, k) throws(CryptoError) in try k.publicBytes(count: 32)
    }
    #expect(Hex.string(k) == "538282c4354742d7cbbde2359fcf67f9f5b3a6b08791e5011b43b8a5b66d9ee6")
  }

  @Test(
    arguments: [
      ([], [0]), ([0], [0]), ([0, 0], [0]), ([0x7F], [0x7F]), ([0x80], [0, 0x80]), ([0, 0x80], [0, 0x80]),
      ([0, 0, 0x7F, 0], [0x7F, 0]), ([0xFF, 1], [0, 0xFF, 1]),
    ] as [([UInt8], [UInt8])])
  func signedNumbers(_ number: [UInt8], _ bytes: [UInt8]) throws {
    #expect(CognitoNumber.signed(number) == bytes)
    // The same without a branch, for secret numbers.
    let padded = SecretBytes(([0] + number).span)
    #expect(
      Array(([0] + number)[padded.numberStart(signed: true)...])
        == (number.allSatisfy { $0 == 0 } ? [] : bytes))
  }
}
