internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

@testable internal import CognitoUserPool

/// A call that has waited, for a function or for other calls, is judged at the time at which it goes on.
@Suite struct WaitingCallTests {
  private static func key(_ bench: SignInBench) async throws -> [UInt8] {
    let user = try #require(try await bench.user())
    return try LimitSubject.user(user.sub).key(in: bench.pool.id, bench.service.secrets)
  }

  /// Wrong passwords that were counted meanwhile lock the user: the earlier time would take them for those of a clock that
  /// was set back.
  @Test func lockouts() async throws {
    let bench = try await SignInBench(pool: { $0.hooks = ["PreAuthentication": "arn:pre"] })
    try await bench.addUser()
    let (key, pool) = (try await Self.key(bench), bench.pool.id)
    bench.hooks.meanwhile(.preAuthentication) {
      bench.advance(.seconds(90))
      try? await bench.service.store.write(at: bench.now) { rows throws(UserPoolError) in
        for _ in 0..<9 { try rows.countFailure(.password, key, in: pool) }
      }
    }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await bench.signIn() }
    #expect(bench.hooks.requests(.preAuthentication).count == 1)
  }

  /// A wait begins no new day of wrong codes, and no new hour of attempts.
  @Test func limits() async throws {
    let bench = try await SignInBench(pool: {
      $0.firstFactors = [.password, .emailCode]
      $0.hooks = ["PreAuthentication": "arn:pre"]
    })
    try await bench.addUser { $0.attributes = ["email": "alice@example.com", "email_verified": "true"] }
    let (key, pool) = (try await Self.key(bench), bench.pool.id)
    bench.hooks.meanwhile(.preAuthentication) {
      bench.advance(.seconds(90))
      try? await bench.service.store.write(at: bench.now) { rows throws(UserPoolError) in
        for _ in 0..<LimitKind.signInCode.limit { try rows.countAttempt(.signInCode, pool: pool, key: key) }
      }
    }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) {
      try await bench.initiate(.userAuth, ["USERNAME": "alice", "PREFERRED_CHALLENGE": "EMAIL_OTP"])
    }
  }

  /// A session and a secret block that have ended serve neither once nor twice, whatever the answer.
  @Test(arguments: StoreKind.allCases) func sessions(_ kind: StoreKind) async throws {
    let bench = try await SignInBench(on: kind)
    var session = SignInSession()
    session.id = [UInt8](repeating: 1, count: 16)
    (session.poolID, session.isIssued) = (bench.pool.id, true)
    session.attemptKey = [UInt8](repeating: 2, count: 32)
    session.end = bench.now + .seconds(180)
    let ended = session
    for isRight in [true, false] {
      await #expect(throws: UserPoolError.sessionExpired) {
        try await bench.service.store.write(at: ended.end + .seconds(2)) { rows throws(UserPoolError) in
          _ = try rows.settle(Settlement(.password, ended), isRight: isRight)
        }
      }
    }
    await #expect(throws: UserPoolError.sessionExpired) {
      try await bench.service.store.write(at: ended.end + .seconds(2)) { rows throws(UserPoolError) in
        try rows.use(ended)
      }
    }
    await #expect(throws: UserPoolError.sessionExpired) {
      try await bench.service.store.read(at: ended.end + .seconds(2), .fresh) { rows throws(UserPoolError) in
        try rows.checkUnused(ended)
      }
    }
    try await bench.service.store.write(at: ended.end) { rows throws(UserPoolError) in try rows.use(ended) }
  }

  /// A right code confirms a sign-up, whenever the session of the sign-up ends while the call waits.
  @Test func sessionsOfSignUps() async throws {
    let fixture = try await AccountsFixture { _, client in client.flows = [.allowUser] }
    for number in 0..<12 {
      let (name, address) = ("jane\(number)", "jane\(number)@example.com")
      let session = try #require(try await fixture.signUp(name, [("email", address)]).session)
      let (clock, end) = (SettableClock(), AccountsFixture.start + fixture.client.sessionLifetime)
      // Each look at the clock is a second later.
      let context = CallContext { end + clock.advance(by: .seconds(1)) - .seconds(Int64(number)) }
      let code = try await fixture.code(for: address)
      _ = try await fixture.service.signUps.confirmSignUp(
        fixture.call(name), code: code, session: session, context)
      #expect(try await fixture.user(name)?.status == .confirmed)
    }
  }

  /// Attributes are stored, and codes begin, at the time at which the function has returned.
  @Test func attributesByAdministrators() async throws {
    let pool = try await TestPool(["AutoVerifiedAttributes": ["email"]], hooks: [.customMessage])
    try await pool.addUser()
    let (clock, id) = (pool.clock, pool.id)
    pool.hooks.on(.customMessage) { _ throws(HookError) in
      clock.advance(by: .seconds(10))
      return [:]
    }
    let before = clock.time
    try await pool.admin(
      "AdminUpdateUserAttributes",
      [
        "Username": .string(TestPool.user),
        "UserAttributes": [["Name": "email", "Value": "june@example.com"]],
      ])
    let user = try await pool.store.read(at: clock.time, .fresh) { rows throws(UserPoolError) in
      try rows.existingUser(named: TestPool.user, in: rows.existingPool(id))
    }
    #expect(clock.time == before + .seconds(10) && user.modified == clock.time.wholeSecond)
  }

  /// The time of a context is that of its clock.
  @Test func contexts() {
    let clock = SettableClock()
    let context = CallContext { clock.time }
    let before = context.time
    clock.advance(by: .seconds(5))
    #expect(context.time == before + .seconds(5))
    #expect(CallContext(at: before).time == before)
  }
}
