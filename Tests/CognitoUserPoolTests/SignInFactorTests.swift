internal import OneTimeCodes
internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// Second factors: codes by SMS and e-mail, software tokens, their selection and set-up.
@Suite struct SignInFactorTests {
  static let phone = "+4915112345678"
  static let email = "alice@example.com"

  static func bench(
    mfa: MFAMode = .optional, secret: String? = nil, _ change: (inout User) throws -> Void = { _ in }
  ) async throws -> SignInBench {
    let bench = try await SignInBench(
      secret: secret,
      pool: {
        $0.mfa = mfa
        $0.hasSMSFactor = true
        $0.hasEmailFactor = true
        $0.hasSoftwareTokenFactor = true
      })
    try await bench.addUser("alice") {
      $0.attributes = [
        "phone_number": phone, "email": email, "email_verified": "true", "phone_number_verified": "true",
      ]
      try change(&$0)
    }
    return bench
  }

  /// A software token of the user, and its codes.
  static func addToken(_ bench: SignInBench) async throws -> TOTP {
    let user = try #require(try await bench.user())
    let (sealed, base32) = try SoftwareToken.make(for: user, bench.service.secrets)
    try await bench.change {
      $0.softwareToken = sealed
      $0.softwareTokenFactor = true
      $0.softwareTokenName = "phone"
    }
    var text = base32.withBytes { [UInt8](unwipedCopy: $0) }
    return try TOTP(secret: OTPSecret(base32: SecretBytes(wiping: &text)))
  }

  @Test(arguments: [SecondFactor.sms, .email]) func codesThatAreSent(_ factor: SecondFactor) async throws {
    let bench = try await Self.bench {
      $0.smsFactor = factor == .sms
      $0.emailFactor = factor == .email
    }
    let (name, address): (ChallengeNameType, String) =
      factor == .sms ? (.smsMFA, Self.phone) : (.emailOTP, Self.email)
    let parameter = ExactString("\(name.name)_CODE")
    let challenge = try await bench.signIn().challenge
    #expect(challenge.name == name)
    #expect(
      challenge.parameters["CODE_DELIVERY_DESTINATION"] == (factor == .sms ? "+*********5678" : "a***@e***"))
    #expect(challenge.parameters["CODE_DELIVERY_DELIVERY_MEDIUM"] == (factor == .sms ? "SMS" : "EMAIL"))
    #expect(challenge.parameters["USER_ID_FOR_SRP"] == "alice")
    let code = try await bench.sentCode(to: address)
    #expect(code.utf8.count == 6)
    let wrong = AccountsFixture.other(code)
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await bench.respond(name, ["USERNAME": "alice", parameter: wrong], session: challenge.session)
    }
    // A wrong code does not use the session up; a right one does, on all nodes.
    _ = try await bench.respond(name, ["USERNAME": "alice", parameter: code], session: challenge.session)
      .tokens
    await #expect(throws: UserPoolError.sessionUsed) {
      try await bench.respond(
        name, ["USERNAME": "alice", parameter: code], session: challenge.session, on: bench.other)
    }
  }

  @Test func aCodeOfAnotherSession() async throws {
    let bench = try await Self.bench { $0.smsFactor = true }
    let first = try await bench.signIn().challenge
    let code = try await bench.sentCode(to: Self.phone)
    // Codes are random: until one differs.
    var (second, other): (SignInChallenge, String)
    repeat {
      second = try await bench.signIn().challenge
      other = try await bench.sentCode(to: Self.phone)
    } while other == code
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await bench.respond(
        .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code], session: second.session)
    }
    _ = try await bench.respond(
      .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code], session: first.session
    ).tokens
  }

  /// A code proves the address to which it was sent.
  @Test func aCodeVerifiesTheAddress() async throws {
    let bench = try await Self.bench {
      $0.smsFactor = true
      $0.attributes["phone_number_verified"] = "false"
    }
    let challenge = try await bench.signIn().challenge
    let code = try await bench.sentCode(to: Self.phone)
    _ = try await bench.respond(
      .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code], session: challenge.session
    ).tokens
    #expect(try await bench.user()?.isVerified(.phoneNumber) == true)
    let next = try await bench.signIn().challenge
    let second = try await bench.sentCode(to: Self.phone)
    try await bench.change { $0.attributes["phone_number"] = "+4915199999999" }
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await bench.respond(
        .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": second], session: next.session)
    }
  }

  /// Five wrong codes end a session; the sixth attempt is refused even if it is right.
  @Test func guessingOfCodes() async throws {
    let bench = try await Self.bench { $0.smsFactor = true }
    let challenge = try await bench.signIn().challenge
    let code = try await bench.sentCode(to: Self.phone)
    let wrong = AccountsFixture.other(code)
    func answer(_ code: String, _ session: String?) async throws -> SignInOutcome {
      try await bench.respond(.smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code], session: session)
    }
    for _ in 0..<5 {
      await #expect(throws: UserPoolError.mfaCodeMismatch) { try await answer(wrong, challenge.session) }
    }
    await #expect(throws: UserPoolError.sessionInvalid) { try await answer(code, challenge.session) }
    // The user is locked out too, with another session, until the wait is over.
    let second = try await bench.signIn().challenge
    let next = try await bench.sentCode(to: Self.phone)
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await answer(next, second.session) }
    bench.advance(.seconds(1))
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await answer(AccountsFixture.other(next), second.session)
    }
    bench.advance(.seconds(1))
    // A right password forgets no wrong codes.
    _ = try await bench.signIn().challenge
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await answer(next, second.session) }
    bench.advance(.seconds(1))
    _ = try await answer(next, second.session).tokens
  }

  /// A password that is reset by a code proves nothing about the second factor.
  @Test func aResetForgetsNoWrongCodes() async throws {
    let bench = try await Self.bench { $0.smsFactor = true }
    let challenge = try await bench.signIn().challenge
    let code = try await bench.sentCode(to: Self.phone)
    let wrong = AccountsFixture.other(code)
    for _ in 0..<5 {
      await #expect(throws: UserPoolError.mfaCodeMismatch) {
        try await bench.respond(
          .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": wrong], session: challenge.session)
      }
    }
    let call = NamedCall(clientID: bench.client.id, userName: "alice")
    let address = try await bench.service.passwordRecovery.forgotPassword(call, bench.context).address
    try await bench.service.passwordRecovery.confirmForgotPassword(
      call, code: bench.sentCode(to: address), password: SecretText("N3w-Passw0rd"), bench.context)
    let second = try await bench.signIn("alice", "N3w-Passw0rd").challenge
    let next = try await bench.sentCode(to: Self.phone)
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) {
      try await bench.respond(
        .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": next], session: second.session)
    }
  }

  @Test func softwareTokens() async throws {
    let bench = try await Self.bench()
    let totp = try await Self.addToken(bench)
    let challenge = try await bench.signIn().challenge
    #expect(challenge.name == .softwareTokenMFA)
    #expect(challenge.parameters["FRIENDLY_DEVICE_NAME"] == "phone")
    let code = try totp.code(at: bench.now)
    let wrong = AccountsFixture.other(code)
    await #expect(throws: UserPoolError.softwareTokenCodeMismatch) {
      try await bench.respond(
        .softwareTokenMFA, ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": wrong],
        session: challenge.session)
    }
    // Other clients send a code of another name beside it.
    _ = try await bench.respond(
      .softwareTokenMFA, ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": code, "SMS_MFA_CODE": code],
      session: challenge.session
    ).tokens
    // Its step serves once, on all nodes.
    let second = try await bench.signIn().challenge
    await #expect(throws: UserPoolError.softwareTokenCodeUsed) {
      try await bench.respond(
        .softwareTokenMFA, ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": code],
        session: second.session, on: bench.other)
    }
    bench.advance(.seconds(60))
    _ = try await bench.respond(
      .softwareTokenMFA,
      ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": totp.code(at: bench.now)], session: second.session
    ).tokens
  }

  @Test func selection() async throws {
    let bench = try await Self.bench { $0.smsFactor = true }
    _ = try await Self.addToken(bench)
    let challenge = try await bench.signIn().challenge
    #expect(challenge.name == .selectMFAType)
    #expect(challenge.parameters["MFAS_CAN_CHOOSE"] == #"["SMS_MFA","SOFTWARE_TOKEN_MFA"]"#)
    let error = await #expect(throws: UserPoolError.self) {
      try await bench.respond(
        .selectMFAType, ["USERNAME": "alice", "ANSWER": "EMAIL_OTP"], session: challenge.session)
    }
    #expect(error?.code == .parameterRefused)
    let next = try await bench.respond(
      .selectMFAType, ["USERNAME": "alice", "ANSWER": "SMS_MFA"], session: challenge.session
    ).challenge
    #expect(next.name == .smsMFA)
    await #expect(throws: UserPoolError.sessionUsed) {
      try await bench.respond(
        .selectMFAType, ["USERNAME": "alice", "ANSWER": "SMS_MFA"], session: challenge.session)
    }
    try await bench.change { $0.preferredFactor = .softwareToken }
    #expect(try await bench.signIn().challenge.name == .softwareTokenMFA)
  }

  /// Answers that select nothing are counted for the session, which the fifth one ends.
  @Test func selectionsOfNothing() async throws {
    let bench = try await Self.bench { $0.smsFactor = true }
    _ = try await Self.addToken(bench)
    let challenge = try await bench.signIn().challenge
    for attempt in 1...6 {
      let error = await #expect(throws: UserPoolError.self) {
        try await bench.respond(
          .selectMFAType, ["USERNAME": "alice", "ANSWER": "EMAIL_OTP"], session: challenge.session)
      }
      #expect(error?.code == (attempt <= 5 ? .parameterRefused : .sessionInvalid))
    }
    await #expect(throws: UserPoolError.sessionInvalid) {
      try await bench.respond(
        .selectMFAType, ["USERNAME": "alice", "ANSWER": "SMS_MFA"], session: challenge.session)
    }
  }

  @Test func setUp() async throws {
    let bench = try await SignInBench(pool: {
      $0.mfa = .on
      $0.hasSoftwareTokenFactor = true
    })
    try await bench.addUser()
    let challenge = try await bench.signIn().challenge
    #expect(challenge.name == .mfaSetup)
    #expect(challenge.parameters["MFAS_CAN_SETUP"] == #"["SOFTWARE_TOKEN_MFA"]"#)
    await #expect(throws: UserPoolError.sessionInvalid) {
      try await bench.respond(.mfaSetup, ["USERNAME": "alice"], session: challenge.session)
    }
    _ = try await Self.addToken(bench)
    var session = try SignInSession(
      opening: #require(challenge.session), client: nil, challenge: "MFA_SETUP", at: bench.now,
      bench.service.secrets)
    session.isFactorSetUp = true
    let verified = try session.issued(
      for: "MFA_SETUP", bench.client, at: bench.now, bench.service.secrets
    ).text
    _ = try await bench.respond(.mfaSetup, ["USERNAME": "alice"], session: verified).tokens
    await #expect(throws: UserPoolError.sessionUsed) {
      try await bench.respond(.mfaSetup, ["USERNAME": "alice"], session: verified)
    }
  }

  /// A session is that of one pool, client, user and challenge, for a time.
  @Test func sessionsOfOthers() async throws {
    let bench = try await Self.bench { $0.smsFactor = true }
    try await bench.addUser("mallory")
    let challenge = try await bench.signIn().challenge
    let code = try await bench.sentCode(to: Self.phone)
    let session = challenge.session
    for name in ["mallory", "nobody"] {
      await #expect(throws: UserPoolError.sessionInvalid) {
        try await bench.respond(.smsMFA, ["USERNAME": name, "SMS_MFA_CODE": code], session: session)
      }
    }
    for other in [ChallengeNameType.emailOTP, .softwareTokenMFA, .newPasswordRequired, .customChallenge] {
      await #expect(throws: UserPoolError.sessionInvalid) {
        try await bench.respond(other, ["USERNAME": "alice"], session: session)
      }
    }
    for text in ["", String(repeating: "A", count: 5_000), String(try #require(session).dropLast(4))] {
      await #expect(throws: UserPoolError.sessionInvalid) {
        try await bench.respond(.smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code], session: text)
      }
    }
    await #expect(throws: UserPoolError.parameterMissing("Session")) {
      try await bench.respond(.smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code])
    }
    await #expect(throws: UserPoolError.parameterMissing("SMS_MFA_CODE")) {
      try await bench.respond(.smsMFA, ["USERNAME": "alice"], session: session)
    }
    // Of another client, and of another pool's client.
    for poolID in [bench.pool.id, "us-east-1_Other"] {
      var pool = bench.pool
      pool.id = poolID
      var client = bench.client
      client.poolID = poolID
      client.id = "2second"
      let (storedPool, storedClient) = (pool, client)
      try await bench.service.store.write { rows throws(UserPoolError) in
        try rows.put(storedPool, in: UserPoolTables.pools)
        try rows.put(storedClient, in: UserPoolTables.clients)
      }
      let answer = ChallengeAnswer(
        clientID: client.id, challenge: .smsMFA,
        responses: ["USERNAME": .init("alice"), "SMS_MFA_CODE": .init(code)], session: session)
      await #expect(throws: UserPoolError.sessionInvalid) {
        try await bench.service.signIns.respond(answer, bench.context)
      }
    }
    bench.advance(.seconds(181))
    await #expect(throws: UserPoolError.sessionExpired) {
      try await bench.respond(.smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code], session: session)
    }
  }

  /// A user who was disabled after the password gets no tokens.
  @Test func disabledMeanwhile() async throws {
    let bench = try await Self.bench()
    let totp = try await Self.addToken(bench)
    let challenge = try await bench.signIn().challenge
    try await bench.change { $0.isEnabled = false }
    await #expect(throws: UserPoolError.userDisabled) {
      try await bench.respond(
        .softwareTokenMFA,
        ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": totp.code(at: bench.now)],
        session: challenge.session)
    }
  }

  /// A second factor follows SRP as it follows a plain password.
  @Test func afterSRP() async throws {
    let bench = try await Self.bench(secret: "a1b2c3d4e5f6g7h8i9j0k1l2m3")
    let totp = try await Self.addToken(bench)
    let challenge = try await bench.respond(.passwordVerifier, bench.proof()).challenge
    #expect(challenge.name == .softwareTokenMFA)
    _ = try await bench.respond(
      .softwareTokenMFA,
      ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": totp.code(at: bench.now)],
      session: challenge.session
    ).tokens
  }
}
