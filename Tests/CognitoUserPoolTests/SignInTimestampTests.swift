internal import Records
@testable internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// `TIMESTAMP` of proofs by SRP in another form. AWS answers `InvalidParameterException` with this text
/// (amazon-cognito-identity-js, issue 683; pycognito, issue 122 has a client with another locale).
@Suite struct SignInTimestampTests {
  static let forms = [
    "2026-09-05T09:03:07Z", "Mon Feb 12 15:26:37 +05:30 2018", "Mon Feb 12 15:56:09 IST 2018",
    "Sa Sep. 5 09:03:07 UTC 2026", "Sam. sept. 5 09:03:07 UTC 2026", "土 9月 5 09:03:07 UTC 2026",
    "Sat Sep 05 09:03:07 UTC 2026", "Sun Sep 5 09:03:07 UTC 2026", "Sat Sep 5 9:03:07 AM UTC 2026",
    "Sat Sep 5 09:03:07 GMT 2026", "1788598987", String(repeating: "9", count: 131_072),
  ]

  /// A proof of the right or of a wrong password over any timestamp.
  private struct Proof {
    let name: String
    let block: String
    private let key: [UInt8]
    private let identity: CognitoSRPIdentity

    init(_ bench: SignInBench, _ name: String, _ password: String) async throws {
      let exchange = try CognitoExchange()
      let parameters = try await bench.initiate(
        .userSRPAuth, ["USERNAME": name, "SRP_A": exchange.publicKey]
      ).challenge.parameters
      identity = try .user(
        userPoolID: bench.pool.id, userIDForSRP: #require(parameters["USER_ID_FOR_SRP"]))
      let secrets = try exchange.secrets(
        identity, password: SecretBytes(password.utf8.span), salt: #require(parameters["SALT"]),
        serverPublicKey: #require(parameters["SRP_B"]))
      self.name = name
      block = try #require(parameters["SECRET_BLOCK"])
      key = secrets.key.withBytes { [UInt8](unwipedCopy: $0) }
    }

    func responses(at timestamp: String) throws -> [ExactString: String] {
      let signature = try CognitoKeySchedule.signature(
        SecretBytes(key.span), identity, secretBlock: Base64.decode(block), timestamp: timestamp)
      return [
        "USERNAME": name, "TIMESTAMP": timestamp, "PASSWORD_CLAIM_SECRET_BLOCK": block,
        "PASSWORD_CLAIM_SIGNATURE": Base64.string(signature),
      ]
    }
  }

  private static func rows(_ bench: SignInBench) async throws -> [Int] {
    try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
      [
        try rows.count(UserPoolTables.attempts, limit: 100),
        try rows.count(UserPoolTables.usedValues, limit: 100),
      ]
    }
  }

  @Test func text() {
    let error = UserPoolError.timestampMalformed
    #expect(error.type == "InvalidParameterException" && error.codeText == "user_pool_timestamp_malformed")
    #expect("\(error)" == "TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.")
  }

  /// Known and unknown names, right and wrong signatures are answered alike; nothing is counted, and the block still
  /// serves.
  @Test(arguments: [("alice", true), ("alice", false), ("nobody", false)])
  func otherForms(_ name: String, _ isRight: Bool) async throws {
    let bench = try await SignInBench(client: { $0.preventsExistenceErrors = true })
    try await bench.addUser()
    let proof = try await Proof(bench, name, isRight ? SignInBench.password : "wrong")
    for form in Self.forms {
      await #expect(throws: UserPoolError.timestampMalformed, "\(form.prefix(40))") {
        try await bench.respond(.passwordVerifier, proof.responses(at: form))
      }
    }
    #expect(try await Self.rows(bench) == [0, 0])
    let responses = try proof.responses(at: bench.now.cognitoText)
    if isRight {
      _ = try await bench.respond(.passwordVerifier, responses).tokens
    } else {
      await #expect(throws: UserPoolError.passwordWrong) {
        try await bench.respond(.passwordVerifier, responses)
      }
    }
    for missing in ["", "-"] {
      await #expect(throws: UserPoolError.parameterMissing("TIMESTAMP")) {
        var responses = try proof.responses(at: bench.now.cognitoText)
        responses["TIMESTAMP"] = missing
        return try await bench.respond(.passwordVerifier, responses)
      }
    }
  }

  /// The form comes before the secret hash, the block, and the lockout.
  @Test func beforeAllSecrets() async throws {
    let bench = try await SignInBench(secret: "s3cret", client: { $0.preventsExistenceErrors = true })
    try await bench.addUser()
    for name in ["alice", "nobody"] {
      for _ in 0..<6 { _ = try? await bench.signIn(name, "wrong") }
      await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await bench.signIn(name) }
      await #expect(throws: UserPoolError.timestampMalformed) {
        try await bench.respond(
          .passwordVerifier,
          [
            "USERNAME": name, "SECRET_HASH": "AAAA", "TIMESTAMP": Self.forms[0],
            "PASSWORD_CLAIM_SECRET_BLOCK": "AAAA", "PASSWORD_CLAIM_SIGNATURE": "AAAA",
          ])
      }
    }
  }

  /// Devices are proved alike.
  @Test func devices() async throws {
    let bench = try await SignInDeviceTests.bench()
    let device = try await SignInDeviceTests.Device(bench)
    let challenge = try await bench.signIn(device: device.key).challenge
    #expect(challenge.name == .deviceSRPAuth)
    await #expect(throws: UserPoolError.timestampMalformed) {
      try await SignInDeviceTests.prove(device, bench, challenge) { $0["TIMESTAMP"] = Self.forms[0] }
    }
    #expect(try await Self.rows(bench)[0] == 0)
    // The session of the first challenge still serves.
    _ = try await SignInDeviceTests.prove(device, bench, challenge).tokens
  }
}
