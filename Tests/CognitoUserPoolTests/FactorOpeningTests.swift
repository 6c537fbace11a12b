internal import OneTimeCodes
internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// Events that reopen a second factor after 100 wrong answers, other events, and the operator's information.
@Suite struct FactorOpeningTests {
  private static func closed(
    _ factors: Set<SecondFactor>, _ factor: SecondFactor
  ) async throws -> SignInBench {
    let (bench, totp) = try await FactorBoundTests.bench(factors)
    try await FactorBoundTests.fill(bench, factor, 99)
    await #expect(throws: FactorBoundTests.mismatch(factor)) {
      try await FactorBoundTests.answer(bench, totp, factor, isRight: false)
    }
    await #expect(throws: UserPoolError.factorClosed(factor.name)) { try await bench.signIn() }
    return bench
  }

  private static func enable(_ factor: SecondFactor, _ bench: SignInBench) async throws {
    try await bench.service.factors.setFactors(
      [FactorPreference(factor, isEnabled: true, isPreferred: nil)],
      of: .named("alice", poolID: bench.pool.id),
      bench.context)
  }

  /// AdminSetUserMFAPreference opens what it enables, without a wait, and nothing else.
  @Test func byAnAdministrator() async throws {
    let bench = try await Self.closed([.sms], .sms)
    try await Self.enable(.email, bench)
    #expect(try await FactorBoundTests.count(bench, .sms) == 100)
    #expect(try await bench.signIn().challenge.name == .emailOTP)
    try await bench.service.factors.setFactors(
      [FactorPreference(.email, isEnabled: false, isPreferred: nil)],
      of: .named("alice", poolID: bench.pool.id), bench.context)
    try await Self.enable(.sms, bench)
    let challenge = try await bench.signIn().challenge
    let code = try await bench.sentCode(to: FactorBoundTests.phone)
    _ = try await bench.respond(
      .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code], session: challenge.session
    ).tokens
  }

  /// A removed token leaves no count to the next one.
  @Test func byRemovingTheToken() async throws {
    let bench = try await Self.closed([.softwareToken], .softwareToken)
    try await bench.service.factors.removeSoftwareToken(
      of: .named("alice", poolID: bench.pool.id), bench.context)
    #expect(try await FactorBoundTests.count(bench, .softwareToken) == 0)
    _ = try await bench.signIn().tokens
  }

  /// A new password, from an administrator or by a code, proves nothing about the second factor.
  @Test func notByAPassword() async throws {
    let bench = try await Self.closed([.sms], .sms)
    let next = "N3w-Passw0rd"
    try await bench.service.users.setPassword(
      SecretText(next), of: "alice", in: bench.pool.id, isPermanent: true, CallContext(at: bench.now))
    await #expect(throws: UserPoolError.factorClosed("SMS_MFA")) { try await bench.signIn("alice", next) }
    let call = NamedCall(clientID: bench.client.id, userName: "alice")
    let address = try await bench.service.passwordRecovery.forgotPassword(call, bench.context).address
    try await bench.service.passwordRecovery.confirmForgotPassword(
      call, code: bench.sentCode(to: address), password: SecretText("N3xt-Passw0rd"), bench.context)
    await #expect(throws: UserPoolError.factorClosed("SMS_MFA")) {
      try await bench.signIn("alice", "N3xt-Passw0rd")
    }
  }

  /// The subject of a call names the count, of which audit logs have a few.
  @Test func theOperatorLearns() async throws {
    let (bench, totp) = try await FactorBoundTests.bench([.softwareToken])
    for (before, isAudited) in [
      (Int64(0), false), (9, true), (10, false), (24, true), (49, true), (99, true),
    ] {
      try await FactorBoundTests.fill(bench, .softwareToken, before)
      let session = try await bench.signIn().challenge.session
      let context = bench.context
      let code = AccountsFixture.other(try totp.code(at: bench.now))
      await #expect(throws: UserPoolError.softwareTokenCodeMismatch) {
        try await bench.service.signIns.respond(
          ChallengeAnswer(
            clientID: bench.client.id, challenge: .softwareTokenMFA,
            responses: ["USERNAME": .init("alice"), "SOFTWARE_TOKEN_MFA_CODE": .init(code)],
            session: session), context)
      }
      let failures = try #require(context.subject.factorFailures)
      #expect(failures == FactorFailures("SOFTWARE_TOKEN_MFA", before + 1))
      #expect(failures.isAudited == isAudited && failures.closes == (before == 99))
      bench.advance(FactorBoundTests.quiet)
    }
    #expect(bench.context.subject.factorFailures == nil)
  }

  /// A device has its own count. Once it is closed, the sign-in goes on without it, and names a new one.
  @Test func devices() async throws {
    let bench = try await SignInDeviceTests.bench()
    let device = try await SignInDeviceTests.Device(bench)
    let (pool, key) = (bench.pool, device.key)
    let user = try #require(try await bench.user())
    func row() async throws -> UserDevice? {
      try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
        try rows.device(key, of: user)
      }
    }
    func fill(_ count: Int64) async throws {
      try await bench.service.store.write { rows throws(UserPoolError) in
        guard var row = try rows.device(key, of: user) else { return }
        row.failures = count
        try rows.put(row, in: UserPoolTables.devices)
      }
    }
    func prove(isRight: Bool) async throws -> SignInOutcome {
      let challenge = try await bench.signIn(device: key).challenge
      return try await SignInDeviceTests.prove(device, bench, challenge) {
        if !isRight { $0["PASSWORD_CLAIM_SIGNATURE"] = Base64.string([UInt8](repeating: 0, count: 32)) }
      }
    }
    try await fill(99)
    _ = try await prove(isRight: true).tokens
    #expect(try await row()?.failures == 0)
    try await fill(99)
    let earlier = try await bench.signIn(device: key).challenge
    await #expect(throws: UserPoolError.passwordWrong) { try await prove(isRight: false) }
    #expect(try await row()?.failures == 100)
    bench.advance(.seconds(60))
    await #expect(throws: UserPoolError.factorClosed("DEVICE")) {
      try await SignInDeviceTests.prove(device, bench, earlier)
    }
    // The second factor that the device replaced is asked for again.
    let challenge = try await bench.signIn(device: key).challenge
    #expect(challenge.name == .smsMFA)
    let code = try await bench.sentCode(to: FactorBoundTests.phone)
    let signedIn = try await bench.respond(
      .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code, "DEVICE_KEY": key], session: challenge.session
    ).tokens
    #expect(signedIn.newDevice != nil && signedIn.newDevice?.key != key)
    #expect(pool.devices != nil)
  }

  /// Wrong proofs of a device are no wrong codes of a second factor.
  @Test func devicesCountForNoFactor() async throws {
    let bench = try await SignInDeviceTests.bench()
    let device = try await SignInDeviceTests.Device(bench)
    for _ in 0..<5 {
      let challenge = try await bench.signIn(device: device.key).challenge
      await #expect(throws: UserPoolError.passwordWrong) {
        try await SignInDeviceTests.prove(device, bench, challenge) {
          $0["PASSWORD_CLAIM_SIGNATURE"] = Base64.string([UInt8](repeating: 0, count: 32))
        }
      }
    }
    // Further proofs wait, codes do not.
    let waiting = try await bench.signIn(device: device.key).challenge
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) {
      try await SignInDeviceTests.prove(device, bench, waiting)
    }
    let challenge = try await bench.signIn().challenge
    let code = AccountsFixture.other(try await bench.sentCode(to: FactorBoundTests.phone))
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await bench.respond(
        .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code], session: challenge.session)
    }
    #expect(try await FactorBoundTests.count(bench, .sms) == 1)
  }

  /// The count outlives the replacement of the master key.
  @Test func afterReseal() async throws {
    let (bench, _) = try await FactorBoundTests.bench([.sms])
    try await FactorBoundTests.fill(bench, .sms, 42)
    let old = bench.service.secrets
    let new = try UserPoolSecrets(master: SecretBytes([UInt8](repeating: 9, count: 32).span))
    try await bench.service.store.write(at: bench.now) { rows throws(UserPoolError) in
      _ = try rows.resealUserPools(from: old, to: new)
    }
    #expect(try await FactorBoundTests.count(bench, .sms) == 42)
  }
}
