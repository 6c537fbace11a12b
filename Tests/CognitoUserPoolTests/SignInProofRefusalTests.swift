internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// Refusals of both halves of a proof by SRP: each input's error, byte for byte, and whether it counts as a guess.
@Suite struct SignInProofRefusalTests {
  private static let prime = Hex.string(ModularGroup.KnownPrime.bits3072.bytes)

  /// Texts that `SRP_A` may not be, and the rule in the error.
  private static let publicKeys: [(text: String, rule: String)] = [
    ("0", "A is a multiple of N, which would reveal the key (RFC 5054 section 2.5)"),
    (
      String(repeating: "0", count: 768),
      "A is a multiple of N, which would reveal the key (RFC 5054 section 2.5)"
    ),
    (prime, "A is a multiple of N, which would reveal the key (RFC 5054 section 2.5)"),
    ("1", "A is 1 or N - 1, which would reveal the key"),
    (prime.dropLast() + "e", "A is 1 or N - 1, which would reveal the key"),
    (String(repeating: "f", count: 768), "A is larger than N"),
    ("1" + String(repeating: "0", count: 768), "A has 385 bytes, more than the 384 of N"),
    (String(repeating: "ab", count: 1_000), "A has 1000 bytes, more than the 384 of N"),
    ("xyz", "the A has a character at 0 that is not a hexadecimal digit"),
    ("-1", "the A has a character at 0 that is not a hexadecimal digit"),
    ("2f ", "the A has a character at 2 that is not a hexadecimal digit"),
    ("\u{FF11}", "the A has a character at 0 that is not a hexadecimal digit"),
  ]

  /// In every flow, for known and unknown names. Nothing is counted.
  @Test(arguments: ["alice", "nobody"]) func publicKeys(_ name: String) async throws {
    let bench = try await SignInBench(client: { $0.preventsExistenceErrors = true })
    try await bench.addUser()
    func refused(_ key: ExactString, _ text: String, _ error: UserPoolError) async throws {
      await #expect(throws: error, "\(text.prefix(40))") {
        try await bench.initiate(.userSRPAuth, ["USERNAME": name, key: text])
      }
      await #expect(throws: error, "\(text.prefix(40))") {
        try await bench.initiate(
          .userAuth, ["USERNAME": name, "PREFERRED_CHALLENGE": "PASSWORD_SRP", key: text])
      }
      let selection = try await bench.initiate(.userAuth, ["USERNAME": name]).challenge
      await #expect(throws: error, "\(text.prefix(40))") {
        try await bench.respond(
          .selectChallenge, ["USERNAME": name, "ANSWER": "PASSWORD_SRP", key: text],
          session: selection.session)
      }
    }
    for (text, rule) in Self.publicKeys {
      try await refused("SRP_A", text, .parameterRefused("SRP_A", rule: rule))
    }
    #expect(try await Self.failures(bench) == 0)
    for flow in [["SRP_A": ""], ["SRP_A": "-"]] as [[ExactString: String]] {
      await #expect(throws: UserPoolError.parameterMissing("SRP_A")) {
        try await bench.initiate(.userSRPAuth, flow.merging(["USERNAME": name]) { $1 })
      }
    }
    let error = UserPoolError.parameterRefused("SRP_A", rule: "A is larger than N")
    #expect(error.type == "InvalidParameterException" && "\(error)" == "SRP_A: A is larger than N")
  }

  @Test func publicKeysOfDevices() async throws {
    let bench = try await SignInDeviceTests.bench()
    let device = try await SignInDeviceTests.Device(bench)
    let challenge = try await bench.signIn(device: device.key).challenge
    func begin(_ text: String) async throws -> SignInOutcome {
      try await bench.respond(
        .deviceSRPAuth, ["USERNAME": "alice", "DEVICE_KEY": device.key, "SRP_A": text],
        session: challenge.session)
    }
    for (text, rule) in Self.publicKeys {
      await #expect(throws: UserPoolError.parameterRefused("SRP_A", rule: rule), "\(text.prefix(40))") {
        try await begin(text)
      }
    }
    for text in ["", "-"] {
      await #expect(throws: UserPoolError.parameterMissing("SRP_A")) { try await begin(text) }
    }
    // The session still serves.
    _ = try await SignInDeviceTests.prove(device, bench, challenge).tokens
  }

  /// A change of the second half of a right proof.
  struct Change: Sendable, CustomTestStringConvertible {
    let name: ExactString
    let value: String
    let error: UserPoolError
    /// Whether the secret block is used up and a failure is counted.
    let counts: Bool

    init(_ name: ExactString, _ value: String, _ error: UserPoolError, counts: Bool) {
      self.name = name
      self.value = value
      self.error = error
      self.counts = counts
    }

    var testDescription: String { "\(name.text): \(value.prefix(40))" }
  }

  static let changes = [
    Change(
      "PASSWORD_CLAIM_SIGNATURE", "-", .parameterMissing("PASSWORD_CLAIM_SIGNATURE"), counts: false),
    Change("PASSWORD_CLAIM_SIGNATURE", "", .passwordWrong, counts: true),
    Change("PASSWORD_CLAIM_SIGNATURE", "AAAA", .passwordWrong, counts: true),
    Change("PASSWORD_CLAIM_SIGNATURE", "a", .passwordWrong, counts: true),
    Change("PASSWORD_CLAIM_SIGNATURE", "????", .passwordWrong, counts: true),
    Change(
      "PASSWORD_CLAIM_SIGNATURE", String(repeating: "A", count: 43) + "=", .passwordWrong, counts: true),
    Change("PASSWORD_CLAIM_SIGNATURE", String(repeating: "A", count: 68), .passwordWrong, counts: true),
    Change("PASSWORD_CLAIM_SIGNATURE", String(repeating: "A", count: 1 << 16), .passwordWrong, counts: true),
    Change(
      "PASSWORD_CLAIM_SECRET_BLOCK", "-", .parameterMissing("PASSWORD_CLAIM_SECRET_BLOCK"), counts: false),
    Change(
      "PASSWORD_CLAIM_SECRET_BLOCK", "", .parameterMissing("PASSWORD_CLAIM_SECRET_BLOCK"), counts: false),
    Change("PASSWORD_CLAIM_SECRET_BLOCK", "a", .passwordWrong, counts: false),
    Change("PASSWORD_CLAIM_SECRET_BLOCK", "AAAA", .passwordWrong, counts: false),
    Change(
      "PASSWORD_CLAIM_SECRET_BLOCK", String(repeating: "A", count: 1 << 16), .passwordWrong, counts: false),
    Change("USERNAME", "bob", .passwordWrong, counts: false),
  ]

  @Test(arguments: changes) func proofs(_ change: Change) async throws {
    let bench = try await SignInBench(client: { $0.preventsExistenceErrors = true })
    try await bench.addUser()
    try await bench.addUser("bob")
    let right = try await bench.proof()
    await #expect(throws: change.error) {
      try await bench.respond(.passwordVerifier, right.merging([change.name: change.value]) { $1 })
    }
    // Another name counts for the session of the block alone.
    #expect(try await Self.failures(bench) == (change.counts || change.name == "USERNAME" ? 1 : 0))
    if change.counts {
      await #expect(throws: UserPoolError.sessionUsed) {
        try await bench.respond(.passwordVerifier, right)
      }
    } else {
      _ = try await bench.respond(.passwordVerifier, right).tokens
    }
  }

  @Test(arguments: changes.filter { $0.name.text.hasSuffix("SIGNATURE") })
  func proofsOfDevices(_ change: Change) async throws {
    let bench = try await SignInDeviceTests.bench()
    let device = try await SignInDeviceTests.Device(bench)
    let challenge = try await bench.signIn(device: device.key).challenge
    await #expect(throws: change.error) {
      try await SignInDeviceTests.prove(device, bench, challenge) { $0[change.name] = change.value }
    }
    #expect(try await Self.failures(bench) == (change.counts ? 1 : 0))
    _ = try await SignInDeviceTests.prove(device, bench, challenge).tokens
  }

  /// A signed timestamp of another time is a wrong password, and counts.
  @Test(arguments: [(-300, true), (-301, false), (60, true), (61, false)] as [(Int64, Bool)])
  func timestamps(_ difference: Int64, _ isRight: Bool) async throws {
    let bench = try await SignInBench()
    try await bench.addUser()
    let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: "alice")
    let challenge = try await bench.initiate(.userSRPAuth, client.request.parameters.exact).challenge
    let responses = try client.respond(
      to: challenge.srp, password: SecretBytes(SignInBench.password.utf8.span),
      at: bench.now + .seconds(difference)
    ).responses.exact
    if isRight {
      _ = try await bench.respond(.passwordVerifier, responses).tokens
    } else {
      await #expect(throws: UserPoolError.passwordWrong) {
        try await bench.respond(.passwordVerifier, responses)
      }
    }
    #expect(try await Self.failures(bench) == (isRight ? 0 : 1))
  }

  private static func failures(_ bench: SignInBench) async throws -> Int {
    try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.attempts, limit: 100)
    }
  }
}
