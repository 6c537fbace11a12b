internal import JOSE
internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// Sign-ins with remembered devices.
@Suite struct SignInDeviceTests {
  /// A device that the user has confirmed.
  final class Device: Sendable {
    let device: CognitoRememberedDevice

    init(_ bench: SignInBench, of name: String = "alice", isRemembered: Bool = true) async throws {
      let pool = bench.pool
      let user = try #require(try await bench.user(name))
      let given = try await bench.service.store.write { rows throws(UserPoolError) in
        try rows.addDevice(for: user, in: pool, address: nil)
      }
      var row = try #require(given)
      let confirmation = try CognitoDeviceConfirmation(groupKey: row.groupKey, deviceKey: row.key)
      device = try CognitoRememberedDevice(
        groupKey: row.groupKey, key: row.key, password: confirmation.device.password)
      let verifier = try CognitoVerifier(
        deviceSalt: confirmation.salt, passwordVerifier: confirmation.passwordVerifier)
      row.salt = verifier.salt
      row.sealed = try bench.service.secrets.seal(
        verifier.value, for: .verifier, name: "\(row.poolID)/\(row.sub)/\(row.key)")
      row.isRemembered = isRemembered
      row.end = nil
      let confirmed = row
      try await bench.service.store.write { rows throws(UserPoolError) in
        try rows.put(confirmed, in: UserPoolTables.devices)
      }
    }

    var key: String { device.key }
  }

  static func bench(
    replacesFactor: Bool = true, secret: String? = nil, pool: (inout UserPool) -> Void = { _ in }
  ) async throws -> SignInBench {
    let bench = try await SignInBench(
      secret: secret,
      pool: {
        var rule = DeviceRule()
        rule.challengesNewDevices = replacesFactor
        $0.devices = rule
        $0.mfa = .optional
        $0.hasSMSFactor = true
        pool(&$0)
      })
    try await bench.addUser("alice") {
      $0.attributes = ["phone_number": "+4915112345678", "phone_number_verified": "true"]
      $0.smsFactor = true
    }
    return bench
  }

  /// The answers to both device challenges.
  static func prove(
    _ device: Device, _ bench: SignInBench, _ challenge: SignInChallenge, sendsSession: Bool = true,
    change: (inout [ExactString: String]) -> Void = { _ in }
  ) async throws -> SignInOutcome {
    let client = try CognitoDeviceSignIn(device: device.device, client: bench.app, username: "alice")
    var begun = try client.begin(challenge.srp).responses.exact
    if !sendsSession { begun["SECRET_HASH"] = "-" }
    let second = try await bench.respond(
      .deviceSRPAuth, begun, session: sendsSession ? challenge.session : nil
    ).challenge
    #expect(second.name == .devicePasswordVerifier && second.parameters["DEVICE_KEY"] == device.key)
    var responses = try client.respond(to: second.srp, at: bench.now).responses.exact
    change(&responses)
    return try await bench.respond(.devicePasswordVerifier, responses)
  }

  @Test func aNewDevice() async throws {
    let bench = try await Self.bench()
    try await bench.change { $0.smsFactor = false }
    let device = try #require(try await bench.signIn().tokens.newDevice)
    #expect(device.key.hasPrefix("us-east-1_"))
    #expect(device.sealed == nil)
    let without = try await SignInBench()
    try await without.addUser()
    #expect(try await without.signIn(device: "us-east-1_0d1c").tokens.newDevice == nil)
  }

  /// A remembered device replaces the second factor, or follows it.
  @Test(arguments: [nil, "a1b2c3d4e5f6g7h8i9j0k1l2m3"], [true, false])
  func aRememberedDevice(_ secret: String?, _ sendsSession: Bool) async throws {
    let bench = try await Self.bench(secret: secret)
    let device = try await Device(bench)
    let challenge = try await bench.signIn(device: device.key).challenge
    #expect(challenge.name == .deviceSRPAuth)
    let signedIn = try await Self.prove(device, bench, challenge, sendsSession: sendsSession).tokens
    #expect(signedIn.newDevice == nil)
    // A sign-in with a device that was begun once is not begun again.
    await #expect(throws: sendsSession ? UserPoolError.sessionUsed : .sessionInvalid) {
      _ = try await Self.prove(device, bench, challenge, sendsSession: sendsSession)
    }
  }

  @Test func theDeviceFollowsTheFactor() async throws {
    let bench = try await Self.bench(replacesFactor: false)
    let device = try await Device(bench)
    let first = try await bench.signIn(device: device.key).challenge
    #expect(first.name == .smsMFA)
    let code = try await bench.sentCode(to: "+4915112345678")
    let second = try await bench.respond(
      .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code, "DEVICE_KEY": device.key],
      session: first.session
    ).challenge
    #expect(second.name == .deviceSRPAuth)
    _ = try await Self.prove(device, bench, second).tokens
  }

  /// A sign-in that proved a device is not that of another one which the client names afterwards.
  @Test func anotherDeviceAfterTheProof() async throws {
    let bench = try await SignInCustomTests.bench(pool: {
      var rule = DeviceRule()
      rule.challengesNewDevices = true
      $0.devices = rule
    })
    let (device, other) = (try await Device(bench), try await Device(bench))
    let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: "alice")
    let key = try #require(client.request.parameters["SRP_A"])
    let begun = try await bench.initiate(
      .customAuth,
      ["USERNAME": "alice", "CHALLENGE_NAME": "SRP_A", "SRP_A": key, "DEVICE_KEY": device.key]
    ).challenge
    let proof = try bench.proof(client, begun, SignInBench.password)
    let challenge = try await bench.respond(.passwordVerifier, proof, session: begun.session).challenge
    #expect(challenge.name == .deviceSRPAuth)
    let question = try await Self.prove(device, bench, challenge).challenge
    #expect(question.name == .customChallenge)
    func answer(_ device: String?) async throws -> SignInOutcome {
      var responses: [ExactString: String] = ["USERNAME": "alice", "ANSWER": "42"]
      responses["DEVICE_KEY"] = device
      return try await bench.respond(.customChallenge, responses, session: question.session)
    }
    await #expect(
      throws: UserPoolError.parameterRefused(
        "DEVICE_KEY", rule: "it is not the device that this sign-in has proved")
    ) { try await answer(other.key) }
    let tokens = try await answer(device.key).tokens
    #expect(tokens.newDevice == nil)
    let claims = try UnverifiedToken(tokens.0.accessToken).claims
    #expect(claims["device_key"]?.string == device.key)
  }

  /// The proof is worth nothing once its device was forgotten.
  @Test func theProvedDeviceIsForgotten() async throws {
    let bench = try await SignInCustomTests.bench(pool: { $0.devices = DeviceRule() })
    let (device, other) = (try await Device(bench), try await Device(bench))
    var session = SignInSession()
    session.poolID = bench.pool.id
    session.deviceKey = device.key
    session.isDeviceProven = true
    let (proved, pool, user) = (session, bench.pool, FoundUser(try #require(try await bench.user())))
    func found() async throws -> UserDevice? {
      try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
        try rows.device(of: proved, user, named: nil, in: pool)
      }
    }
    #expect(try await found()?.key == device.key)
    #expect(other.key != device.key)
    let row = try #require(try await found())
    try await bench.service.store.write { rows throws(UserPoolError) in try rows.forget(row) }
    await #expect(throws: UserPoolError.deviceUnknown) { try await found() }
  }

  /// A device that is not remembered replaces nothing.
  @Test func aDeviceThatIsNotRemembered() async throws {
    let bench = try await Self.bench()
    let device = try await Device(bench, isRemembered: false)
    #expect(try await bench.signIn(device: device.key).challenge.name == .smsMFA)
  }

  /// An unknown device is reported before the block is redeemed: the same answer without it is accepted.
  @Test func anUnknownDevice() async throws {
    let bench = try await Self.bench()
    try await bench.change { $0.smsFactor = false }
    try await bench.addUser("bob")
    let foreign = try await Device(bench, of: "bob")
    for key in ["us-east-1_0d1c6e2a-5b7f-4c39-9a84-2f6be1d07c53", foreign.key, "x"] {
      var responses = try await bench.proof()
      responses["DEVICE_KEY"] = key
      let sent = responses
      await #expect(throws: UserPoolError.deviceUnknown) {
        try await bench.respond(.passwordVerifier, sent)
      }
      responses["DEVICE_KEY"] = nil
      _ = try await bench.respond(.passwordVerifier, responses).tokens
      await #expect(throws: UserPoolError.deviceUnknown) { try await bench.signIn(device: key) }
    }
    #expect(UserPoolError.deviceUnknown.description == "Device does not exist.")
  }

  /// A device's proof without a session needs a proved password that waits for this very device.
  @Test func withoutAPassword() async throws {
    let bench = try await Self.bench()
    let device = try await Device(bench)
    let other = try await Device(bench)
    let key = Hex.string([UInt8](repeating: 0x2F, count: 384))
    func begin(_ device: Device, _ name: String = "alice") async throws -> SignInOutcome {
      try await bench.respond(
        .deviceSRPAuth, ["USERNAME": name, "DEVICE_KEY": device.key, "SRP_A": key])
    }
    await #expect(throws: UserPoolError.sessionInvalid) { try await begin(device) }
    await #expect(throws: UserPoolError.sessionInvalid) { try await begin(device, "nobody") }
    _ = try await bench.signIn(device: device.key).challenge
    await #expect(throws: UserPoolError.sessionInvalid) { try await begin(other) }
    _ = try await begin(device).challenge
    await #expect(throws: UserPoolError.sessionInvalid) { try await begin(device) }
    _ = try await bench.signIn(device: device.key).challenge
    bench.advance(.seconds(181))
    await #expect(throws: UserPoolError.sessionInvalid) { try await begin(device) }
  }

  @Test func aWrongProofOfTheDevice() async throws {
    let bench = try await Self.bench()
    let device = try await Device(bench)
    let challenge = try await bench.signIn(device: device.key).challenge
    await #expect(throws: UserPoolError.passwordWrong) {
      try await Self.prove(device, bench, challenge) {
        $0["PASSWORD_CLAIM_SIGNATURE"] = Base64.string([UInt8](repeating: 1, count: 32))
      }
    }
    // Once more with the same session.
    _ = try await Self.prove(device, bench, challenge).tokens
    // The session is for this device alone.
    let other = try await Device(bench)
    let second = try await bench.signIn(device: device.key).challenge
    await #expect(throws: UserPoolError.deviceUnknown) { try await Self.prove(other, bench, second) }
  }
}
