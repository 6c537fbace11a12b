internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import SigningKeyTesting
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// The flow USER_AUTH, whose first factor the user selects.
@Suite struct SignInChoiceTests {
  static let email = "alice@example.com"

  static func bench(
    prevents: Bool = true, pool: (inout UserPool) -> Void = { _ in }
  ) async throws -> SignInBench {
    let bench = try await SignInBench(
      pool: {
        $0.firstFactors = [.password, .emailCode, .smsCode]
        pool(&$0)
      }, client: { $0.preventsExistenceErrors = prevents })
    try await bench.addUser("alice") { $0.attributes = ["email": email, "email_verified": "true"] }
    return bench
  }

  @Test func selection() async throws {
    let bench = try await Self.bench()
    let challenge = try await bench.initiate(.userAuth, ["USERNAME": "alice"]).challenge
    #expect(challenge.name == .selectChallenge)
    #expect(challenge.available == [.passwordSRP, .password, .emailOTP])
    func select(_ responses: [ExactString: String]) async throws -> SignInOutcome {
      try await bench.respond(
        .selectChallenge, responses.merging(["USERNAME": "alice"]) { old, _ in old },
        session: challenge.session)
    }
    for answer in ["SMS_OTP", "x"] {
      let error = await #expect(throws: UserPoolError.self) { try await select(["ANSWER": answer]) }
      #expect(error?.code == .parameterRefused)
    }
    await #expect(throws: UserPoolError.parameterMissing("ANSWER")) { try await select([:]) }
    await #expect(throws: UserPoolError.parameterMissing("PASSWORD")) {
      try await select(["ANSWER": "PASSWORD"])
    }
    await #expect(throws: UserPoolError.passwordWrong) {
      try await select(["ANSWER": "PASSWORD", "PASSWORD": "wrong"])
    }
    _ = try await select(["ANSWER": "PASSWORD", "PASSWORD": SignInBench.password]).tokens
    await #expect(throws: UserPoolError.sessionUsed) {
      try await select(["ANSWER": "PASSWORD", "PASSWORD": SignInBench.password])
    }
  }

  @Test(arguments: [true, false]) func aPasswordBySRP(_ isPreferred: Bool) async throws {
    let bench = try await Self.bench()
    let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: "alice")
    let key = try #require(client.request.parameters["SRP_A"])
    let challenge: SignInChallenge
    if isPreferred {
      challenge = try await bench.initiate(
        .userAuth, ["USERNAME": "alice", "SRP_A": key, "PREFERRED_CHALLENGE": "PASSWORD_SRP"]
      ).challenge
    } else {
      let selection = try await bench.initiate(.userAuth, ["USERNAME": "alice"]).challenge
      challenge = try await bench.respond(
        .selectChallenge, ["USERNAME": "alice", "ANSWER": "PASSWORD_SRP", "SRP_A": key],
        session: selection.session
      ).challenge
    }
    #expect(challenge.name == .passwordVerifier)
    let responses = try bench.proof(client, challenge, SignInBench.password)
    // The session beside the block must be the block's.
    let other = try await bench.initiate(.userAuth, ["USERNAME": "alice"]).challenge.session
    await #expect(throws: UserPoolError.sessionInvalid) {
      try await bench.respond(.passwordVerifier, responses, session: other)
    }
    _ = try await bench.respond(.passwordVerifier, responses, session: challenge.session).tokens
    await #expect(throws: UserPoolError.sessionUsed) {
      try await bench.respond(.passwordVerifier, responses, session: challenge.session)
    }
  }

  @Test func challengesThatAreAskedFor() async throws {
    let bench = try await Self.bench()
    func begin(_ preferred: String, _ more: [ExactString: String] = [:]) async throws -> SignInOutcome {
      try await bench.initiate(
        .userAuth,
        more.merging(["USERNAME": "alice", "PREFERRED_CHALLENGE": preferred]) { old, _ in old })
    }
    let password = try await begin("PASSWORD").challenge
    #expect(password.name == .password)
    _ = try await bench.respond(
      .password, ["USERNAME": "alice", "PASSWORD": SignInBench.password], session: password.session
    ).tokens
    _ = try await begin("PASSWORD", ["PASSWORD": SignInBench.password]).tokens
    let srp = try await begin("PASSWORD_SRP").challenge
    #expect(srp.name == .passwordSRP)
    let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: "alice")
    let key = try #require(client.request.parameters["SRP_A"])
    let challenge = try await bench.respond(
      .passwordSRP, ["USERNAME": "alice", "SRP_A": key], session: srp.session
    ).challenge
    #expect(challenge.name == .passwordVerifier)
    let responses = try bench.proof(client, challenge, SignInBench.password)
    _ = try await bench.respond(.passwordVerifier, responses, session: challenge.session).tokens
    // A factor that the user does not have leads to the selection.
    #expect(try await begin("SMS_OTP").challenge.name == .selectChallenge)
  }

  @Test func aCodeByEmail() async throws {
    let bench = try await Self.bench()
    let challenge = try await bench.initiate(
      .userAuth, ["USERNAME": "alice", "PREFERRED_CHALLENGE": "EMAIL_OTP"]
    ).challenge
    #expect(challenge.name == .emailOTP)
    #expect(challenge.parameters["CODE_DELIVERY_DESTINATION"] == "a***@e***")
    let code = try await bench.sentCode(to: Self.email)
    #expect(code.utf8.count == 8)
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await bench.respond(
        .emailOTP, ["USERNAME": "alice", "EMAIL_OTP_CODE": "x"], session: challenge.session)
    }
    _ = try await bench.respond(
      .emailOTP, ["USERNAME": "alice", "EMAIL_OTP_CODE": code], session: challenge.session
    ).tokens
  }

  /// A code does not replace a second factor or of a new password.
  @Test func whoNeedsThePassword() async throws {
    let bench = try await Self.bench(pool: {
      $0.mfa = .optional
      $0.hasSMSFactor = true
    })
    try await bench.addUser("bob") {
      $0.attributes = [
        "email": "bob@example.com", "email_verified": "true", "phone_number": "+4915112345678",
      ]
      $0.smsFactor = true
    }
    try await bench.addUser("carol") {
      $0.attributes = ["email": "carol@example.com", "email_verified": "true"]
      $0.status = .forceChangePassword
    }
    for name in ["bob", "carol"] {
      let challenge = try await bench.initiate(
        .userAuth, ["USERNAME": name, "PREFERRED_CHALLENGE": "EMAIL_OTP"]
      ).challenge
      #expect(challenge.name == .selectChallenge)
      #expect(challenge.available == [.passwordSRP, .password])
    }
  }

  /// An address that no user has, and which is offered a code by e-mail.
  static func unknown(_ bench: SignInBench) async throws -> String {
    for number in 0..<100 {
      let name = "nobody\(number)@example.org"
      let challenge = try await bench.initiate(.userAuth, ["USERNAME": name]).challenge
      if challenge.available.contains(.emailOTP) { return name }
    }
    Issue.record("no unknown name is offered a code")
    return ""
  }

  /// Unknown names are offered what users of the pool are: some the password alone, others codes too, and each
  /// the same again. An answer is no proof of either.
  @Test func offersToUnknownUsers() async throws {
    for mfa in [MFAMode.off, .optional, .on] {
      let bench = try await Self.bench(pool: { $0.mfa = mfa })
      var offers: Set<[ChallengeNameType]> = []
      for number in 0..<64 {
        let answer = try await bench.initiate(.userAuth, ["USERNAME": "nobody\(number)"]).challenge
        let again = try await bench.initiate(
          .userAuth, ["USERNAME": "nobody\(number)"], on: bench.other
        ).challenge
        #expect(answer.available == again.available)
        offers.insert(answer.available)
      }
      let password: [ChallengeNameType] = [.passwordSRP, .password]
      #expect(offers.contains(password))
      #expect(offers.contains(password + [.emailOTP]) == (mfa != .on))
      #expect(offers.contains(password + [.smsOTP]) == (mfa != .on))
      #expect(offers.contains(password + [.emailOTP, .smsOTP]) == (mfa != .on))
    }
    // An address that a user signs in with as an alias is verified.
    let bench = try await Self.bench(pool: { $0.aliasAttributes = [.email] })
    for number in 0..<32 {
      let answer = try await bench.initiate(.userAuth, ["USERNAME": "\(number)@example.org"]).challenge
      #expect(answer.available.contains(.emailOTP))
    }
  }

  /// An unknown user gets likely challenges, an address masked from what was typed, and no tokens.
  @Test func unknownUsers() async throws {
    let bench = try await Self.bench(pool: { $0.usernameAttributes = [.email] })
    let nobody = try await Self.unknown(bench)
    var answers: [SignInChallenge] = []
    for name in [Self.email, nobody] {
      let challenge = try await bench.initiate(
        .userAuth, ["USERNAME": name, "PREFERRED_CHALLENGE": "EMAIL_OTP"]
      ).challenge
      answers.append(challenge)
      for _ in 0..<5 {
        await #expect(throws: UserPoolError.mfaCodeMismatch) {
          try await bench.respond(
            .emailOTP, ["USERNAME": name, "EMAIL_OTP_CODE": "x"], session: challenge.session)
        }
      }
      await #expect(throws: UserPoolError.sessionInvalid) {
        try await bench.respond(
          .emailOTP, ["USERNAME": name, "EMAIL_OTP_CODE": "x"], session: challenge.session)
      }
    }
    #expect(answers.map { $0.name } == [.emailOTP, .emailOTP])
    #expect(answers[0].session?.utf8.count == answers[1].session?.utf8.count)
    #expect(Set(answers[0].parameters.keys) == Set(answers[1].parameters.keys))
    #expect(answers[1].parameters["CODE_DELIVERY_DESTINATION"] == "n***@e***")
    let selection = try await bench.initiate(.userAuth, ["USERNAME": nobody]).challenge
    #expect(selection.available.contains(.password))
    await #expect(throws: UserPoolError.passwordWrong) {
      try await bench.respond(
        .selectChallenge,
        ["USERNAME": nobody, "ANSWER": "PASSWORD", "PASSWORD": SignInBench.password],
        session: selection.session)
    }
  }

  /// The session of ConfirmSignUp signs in at once, once, and its own user alone.
  @Test func afterConfirmation() async throws {
    let bench = try await Self.bench(prevents: false)
    try await bench.addUser("bob")
    let user = try #require(try await bench.user())
    var session = SignInSession()
    session.poolID = bench.pool.id
    session.clientID = bench.client.id
    session.sub = user.sub
    session.passwordDigest = user.passwordDigest
    let text = try session.issued(
      for: SignInSession.afterConfirmation, bench.client, at: bench.now, bench.service.secrets
    ).text
    await #expect(throws: UserPoolError.sessionInvalid) {
      try await bench.initiate(.userAuth, ["USERNAME": "bob"], session: text)
    }
    _ = try await bench.initiate(.userAuth, ["USERNAME": "alice"], session: text).tokens
    await #expect(throws: UserPoolError.sessionUsed) {
      try await bench.initiate(.userAuth, ["USERNAME": "alice"], session: text, on: bench.other)
    }
  }

  /// The same is stored and looked up for an unknown user, so that it takes as long; the message is not sent.
  @Test func codesOfUnknownUsers() async throws {
    let bench = try await Self.bench()
    let name = try await Self.unknown(bench)
    let challenge = try await bench.initiate(
      .userAuth, ["USERNAME": name, "PREFERRED_CHALLENGE": "EMAIL_OTP"]
    ).challenge
    await #expect(throws: UserPoolError.mfaCodeMismatch) {
      try await bench.respond(
        .emailOTP, ["USERNAME": name, "EMAIL_OTP_CODE": "00000000"], session: challenge.session)
    }
    let (pool, user) = (bench.pool.id, try bench.service.secrets.simulatedUser(named: name, in: bench.pool))
    let (codes, messages) = try await bench.service.store.read(at: .now) { rows throws(UserPoolError) in
      (
        try rows.scan(UserPoolTables.codes, .prefix(RecordKey(pool, user.sub)), limit: 9),
        try rows.scan(UserPoolTables.outbox, .prefix(RecordKey(pool)), limit: 9)
      )
    }
    #expect(codes.map(\.failures) == [1])
    #expect(messages.map(\.isSimulated) == [true])
    // A node of a version that does not know such messages sees one as any other, and cannot open it.
    var older = try #require(messages.first)
    #expect(try older.message(bench.service.secrets) != nil)
    older.isSimulated = false
    #expect(try older.message(bench.service.secrets) == nil)
    let sender = Sender()
    let delivery = MessageDelivery(bench.service, sender: sender) { _ in sender.report() }
    #expect(try await delivery.sendDue(at: bench.now) == 0)
    #expect(sender.count == 0)
    let left = try await bench.service.store.read(at: .now) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.outbox, limit: 9)
    }
    #expect(left == 0)
  }

  /// Counts messages, and reports of them.
  private final class Sender: MessageSender {
    private let calls = Atomic<Int>(0)
    var count: Int { calls.load(ordering: .relaxed) }

    func report() { calls.add(1, ordering: .relaxed) }
    func send(_ message: OutgoingMessage) async throws(MessageError) { report() }
  }

  /// Codes to a user, known or unknown, are limited.
  @Test(arguments: [true, false]) func manyCodes(_ isKnown: Bool) async throws {
    let bench = try await Self.bench()
    let name = isKnown ? "alice" : try await Self.unknown(bench)
    let parameters: [ExactString: String] = ["USERNAME": name, "PREFERRED_CHALLENGE": "EMAIL_OTP"]
    for _ in 0..<20 { _ = try await bench.initiate(.userAuth, parameters).challenge }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) {
      try await bench.initiate(.userAuth, parameters)
    }
  }

  /// Whether CustomMessage fails, or the outbox is full, does not show who exists.
  @Test func messagesThatFail() async throws {
    let bench = try await Self.bench(pool: { $0.hooks = ["CustomMessage": "arn:message"] })
    bench.hooks.on(.customMessage) { _ throws(HookError) in throw .refused("no text") }
    let names = ["alice", try await Self.unknown(bench)]
    for name in names {
      let parameters: [ExactString: String] = ["USERNAME": name, "PREFERRED_CHALLENGE": "EMAIL_OTP"]
      let challenge = try await bench.initiate(.userAuth, parameters).challenge
      #expect(challenge.name == .emailOTP)
      await #expect(throws: UserPoolError.mfaCodeMismatch) {
        try await bench.respond(
          .emailOTP, ["USERNAME": name, "EMAIL_OTP_CODE": "00000000"], session: challenge.session)
      }
    }
    var limits = OutboxCapacity.Limits()
    limits.rows = 0
    let service = UserPoolService(
      store: bench.service.store, secrets: bench.service.secrets, hooks: HookRunner(bench.hooks),
      outbox: OutboxCapacity(limits: limits), keyMaker: .vectors(from: 24))
    for name in names {
      await #expect(throws: UserPoolError.requestLimitExceeded) {
        try await bench.initiate(
          .userAuth, ["USERNAME": name, "PREFERRED_CHALLENGE": "EMAIL_OTP"], on: service)
      }
    }
  }
}
