internal import OneTimeCodes
internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// A second factor has at most 100 wrong answers in a row, however long they take.
@Suite struct FactorBoundTests {
  static let phone = "+4915112345678"
  static let email = "alice@example.com"

  /// A bench whose user has a software token and the given factors, and the token's codes.
  static func bench(
    _ factors: Set<SecondFactor>, on kind: StoreKind = .memory
  ) async throws -> (SignInBench, TOTP) {
    let bench = try await SignInBench(
      on: kind,
      pool: {
        $0.mfa = .optional
        $0.hasSMSFactor = true
        $0.hasEmailFactor = true
        $0.hasSoftwareTokenFactor = true
      })
    try await bench.addUser("alice") {
      $0.attributes = [
        "phone_number": phone, "email": email, "email_verified": "true", "phone_number_verified": "true",
      ]
    }
    let totp = try await SignInFactorTests.addToken(bench)
    try await bench.change {
      for factor in SecondFactor.allCases { $0.set(factor, factors.contains(factor)) }
    }
    return (bench, totp)
  }

  /// Signs in, and answers with a wrong or the right code.
  @discardableResult
  static func answer(
    _ bench: SignInBench, _ totp: TOTP, _ factor: SecondFactor, isRight: Bool
  ) async throws -> SignInOutcome {
    let name = try #require(ChallengeNameType(name: factor.name))
    let challenge = try await bench.signIn().challenge
    #expect(challenge.name == name)
    let code =
      switch factor {
      case .softwareToken: try totp.code(at: bench.now)
      case .sms: try await bench.sentCode(to: phone)
      case .email: try await bench.sentCode(to: email)
      }
    return try await bench.respond(
      name,
      [
        "USERNAME": "alice",
        ExactString("\(name.name)_CODE"): isRight ? code : AccountsFixture.other(code),
      ], session: challenge.session)
  }

  static func mismatch(_ factor: SecondFactor) -> UserPoolError {
    factor == .softwareToken ? .softwareTokenCodeMismatch : .mfaCodeMismatch
  }

  static func count(_ bench: SignInBench, _ factor: SecondFactor) async throws -> Int64? {
    try await bench.user()?.factorFailures[factor]
  }

  static func fill(_ bench: SignInBench, _ factor: SecondFactor, _ count: Int64) async throws {
    try await bench.change { $0.factorFailures[factor] = count }
  }

  /// Longer than all waits, and than failures are remembered for them.
  static let quiet = Duration.seconds(1_000)

  /// The hundredth wrong code closes the factor, and no time opens it.
  @Test(arguments: SecondFactor.allCases, [StoreKind.memory, .sqlite])
  func aHundredInARow(_ factor: SecondFactor, _ kind: StoreKind) async throws {
    let (bench, totp) = try await Self.bench([factor], on: kind)
    try await Self.fill(bench, factor, 97)
    for count in Int64(98)...100 {
      await #expect(throws: Self.mismatch(factor)) {
        try await Self.answer(bench, totp, factor, isRight: false)
      }
      #expect(try await Self.count(bench, factor) == count)
      bench.advance(Self.quiet)
    }
    let error = await #expect(throws: UserPoolError.factorClosed(factor.name)) { try await bench.signIn() }
    #expect(error?.codeText == "factor_closed" && error?.type == "NotAuthorizedException")
    bench.advance(.seconds(400 * 86_400))
    await #expect(throws: UserPoolError.factorClosed(factor.name)) { try await bench.signIn() }
    // Without the password nobody learns of it.
    await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn("alice", "wrong") }
    #expect(try await Self.count(bench, factor) == 100)
  }

  /// A challenge that was sent before the factor was closed takes no right code any more.
  @Test func theRightCodeIsRefused() async throws {
    let (bench, _) = try await Self.bench([.sms])
    let challenge = try await bench.signIn().challenge
    let code = try await bench.sentCode(to: Self.phone)
    try await Self.fill(bench, .sms, 100)
    for _ in 0..<2 {
      await #expect(throws: UserPoolError.factorClosed("SMS_MFA")) {
        try await bench.respond(
          .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code], session: challenge.session)
      }
    }
  }

  @Test(arguments: SecondFactor.allCases) func aRightCodeForgetsAll(_ factor: SecondFactor) async throws {
    let (bench, totp) = try await Self.bench([factor])
    try await Self.fill(bench, factor, 99)
    _ = try await Self.answer(bench, totp, factor, isRight: true).tokens
    #expect(try await Self.count(bench, factor) == 0)
    bench.advance(Self.quiet)
    await #expect(throws: Self.mismatch(factor)) {
      try await Self.answer(bench, totp, factor, isRight: false)
    }
    #expect(try await Self.count(bench, factor) == 1)
  }

  /// The success of one factor says nothing about another one, which stays closed while the user signs in.
  @Test func otherFactorsForgetNothing() async throws {
    let (bench, totp) = try await Self.bench([.sms, .softwareToken])
    try await bench.change { $0.preferredFactor = .sms }
    try await Self.fill(bench, .sms, 99)
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await Self.answer(bench, totp, .sms, isRight: false)
    }
    bench.advance(Self.quiet)
    _ = try await Self.answer(bench, totp, .softwareToken, isRight: true).tokens
    #expect(try await Self.count(bench, .sms) == 100)
    // Its wrong codes do not count for the other one.
    #expect(try await Self.count(bench, .softwareToken) ?? 0 == 0)
  }

  /// A choice that was offered before is no way around.
  @Test func aClosedFactorIsNotChosen() async throws {
    let (bench, _) = try await Self.bench([.sms, .email])
    let challenge = try await bench.signIn().challenge
    #expect(challenge.name == .selectMFAType)
    try await Self.fill(bench, .sms, 100)
    await #expect(throws: UserPoolError.factorClosed("SMS_MFA")) {
      try await bench.respond(
        .selectMFAType, ["USERNAME": "alice", "ANSWER": "SMS_MFA"], session: challenge.session)
    }
    let memory = MessageMemory()
    _ = try await MessageDelivery(bench.service, sender: memory).sendDue(at: bench.now)
    #expect(memory.messages.isEmpty)
    #expect(try await bench.signIn().challenge.name == .emailOTP)
  }

  /// Wrong codes at the same time are all counted, and no more than one hundred.
  @Test(arguments: [StoreKind.memory, .sqlite]) func atTheSameTime(_ kind: StoreKind) async throws {
    let (bench, _) = try await Self.bench([.softwareToken], on: kind)
    let challenge = try await bench.signIn().challenge
    let pool = bench.pool
    let session = try SignInSession(
      opening: #require(challenge.session), client: bench.client, challenge: "SOFTWARE_TOKEN_MFA",
      at: bench.now,
      bench.service.secrets)
    func countAll() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<100 {
          let node = number % 2 == 0 ? bench.service : bench.other
          group.addTask {
            try await node.store.write(at: bench.now) { rows throws(UserPoolError) in
              _ = try rows.countWrongCode(of: .softwareToken, session, in: pool)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    try await countAll()
    #expect(try await Self.count(bench, .softwareToken) == 100)
    try await countAll()
    #expect(try await Self.count(bench, .softwareToken) == 100)
  }

  /// Of many answers at the same time, with sessions of their own, those are judged that the waits allow.
  @Test(arguments: [StoreKind.memory, .sqlite]) func answersAtTheSameTime(_ kind: StoreKind) async throws {
    let (bench, totp) = try await Self.bench([.softwareToken], on: kind)
    let challenge = try await bench.signIn().challenge
    let session = try SignInSession(
      opening: #require(challenge.session), client: bench.client, challenge: "SOFTWARE_TOKEN_MFA",
      at: bench.now,
      bench.service.secrets)
    let wrong = AccountsFixture.other(try totp.code(at: bench.now))
    let judged = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        let text = try session.issued(
          for: "SOFTWARE_TOKEN_MFA", bench.client, at: bench.now, bench.service.secrets
        ).text
        group.addTask {
          let error = await #expect(throws: UserPoolError.self) {
            try await bench.respond(
              .softwareTokenMFA, ["USERNAME": "alice", "SOFTWARE_TOKEN_MFA_CODE": wrong], session: text,
              on: number % 2 == 0 ? bench.service : bench.other)
          }
          #expect(error == .softwareTokenCodeMismatch || error == .passwordAttemptsExceeded)
          return error == .softwareTokenCodeMismatch
        }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(judged == 5)
    #expect(try await Self.count(bench, .softwareToken) == 5)
  }

  /// A clock that is set back forgets nothing.
  @Test func aClockThatWasSetBack() async throws {
    let (bench, totp) = try await Self.bench([.sms])
    try await Self.fill(bench, .sms, 98)
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await Self.answer(bench, totp, .sms, isRight: false)
    }
    bench.advance(.seconds(-40 * 86_400))
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await Self.answer(bench, totp, .sms, isRight: false)
    }
    await #expect(throws: UserPoolError.factorClosed("SMS_MFA")) { try await bench.signIn() }
  }

  /// Versions up to 0.2.0 counted in a row that a quiet quarter of an hour forgot: the count begins with what it has.
  @Test func countsOfAnEarlierVersion() async throws {
    let (bench, totp) = try await Self.bench([.sms])
    let (user, pool) = (try #require(try await bench.user()), bench.pool)
    let key = try LimitSubject.user(user.sub).key(in: pool.id, bench.service.secrets)
    #expect(user.factorFailures.isEmpty)
    try await bench.service.store.write(at: bench.now) { rows throws(UserPoolError) in
      for _ in 0..<7 { try rows.countFailure(.factor, key, in: pool.id) }
    }
    bench.advance(.seconds(10))
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await Self.answer(bench, totp, .sms, isRight: false)
    }
    #expect(try await Self.count(bench, .sms) == 8)
    // Only once: the row also counts for other factors.
    bench.advance(.seconds(10))
    try await bench.change {
      $0.set(.sms, false)
      $0.set(.email, true)
    }
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await Self.answer(bench, totp, .email, isRight: false)
    }
    #expect(try await Self.count(bench, .email) == 1)
  }
}
