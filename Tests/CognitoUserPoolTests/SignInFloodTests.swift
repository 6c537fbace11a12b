internal import Records
internal import ServiceOperations
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

@testable internal import CognitoUserPool

/// Many guesses at the same time, and many calls of hooks.
@Suite struct SignInFloodTests {
  /// Passwords of another directory are counted before its hook is asked: of many guesses on two nodes it sees
  /// no more than the lockout allows.
  @Test(arguments: StoreKind.allCases) func migration(_ kind: StoreKind) async throws {
    let pool = try await TestPool(
      client: ["PreventUserExistenceErrors": "ENABLED"], hooks: [.userMigration], on: kind)
    let nodes = [pool, try await pool.node()]
    for node in nodes {
      node.hooks.gate.close()
      node.hooks.on(.userMigration) { _ throws(HookError) in [:] }
    }
    let ended = Tally()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          _ = try? await nodes[number % 2].signInByPassword("olduser", "Wrong-\(number)")
          ended.add()
        }
      }
      // While the hook is asked about the first ones, the others are refused.
      try await eventually {
        let waiting = nodes.reduce(0) { $0 + $1.hooks.gate.waiting }
        return waiting > 5 || waiting + ended.value == 64
      }
      for node in nodes { node.hooks.gate.open() }
      try await group.waitForAll()
    }
    let asked = nodes.reduce(0) { $0 + $1.hooks.events(.userMigration).count }
    #expect((1...5).contains(asked))
  }

  /// Other spellings of a name have no guesses of their own, also where the pool does not ignore case.
  @Test func spellingsOfANameToMigrate() async throws {
    let bench = try await SignInBench(pool: { $0.hooks = ["UserMigration": "arn:migration"] })
    bench.hooks.on(.userMigration) { _ throws(HookError) in "{}" }
    for name in ["olduser", "Olduser", "OLDUSER", "oldUser", "oLduser"] {
      await #expect(throws: UserPoolError.userUnknown) { try await bench.signIn(name, "wrong") }
    }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await bench.signIn("olDuser") }
    #expect(bench.hooks.requests(.userMigration).count == 5)
    // Nor do they lock a user out.
    try await bench.addUser("OlduseR")
    _ = try await bench.signIn("OlduseR").tokens
  }

  /// A hook that could not be asked judged nothing; a user who was found was no failure.
  @Test func faultsOfTheMigrationAreNotCounted() async throws {
    let bench = try await SignInBench(pool: { $0.hooks = ["UserMigration": "arn:migration"] })
    bench.hooks.on(.userMigration) { _ throws(HookError) in throw .responseInvalid(rule: "no JSON") }
    for _ in 0..<8 {
      let error = await #expect(throws: UserPoolError.self) { try await bench.signIn("olduser") }
      #expect(error?.code == .hookResponseInvalid)
    }
    bench.hooks.on(.userMigration) { _ throws(HookError) in
      #"{"userAttributes":{"email":"old@example.com"},"finalUserStatus":"CONFIRMED"}"#
    }
    _ = try await bench.signIn("olduser").tokens
    let count = try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.attempts, .prefix(RecordKey("us-east-1_AbCdEfGhI")), limit: 10)
    }
    #expect(count == 0)
  }

  /// The checks that run now, the most at a time, and those that were refused.
  final class Counts: Sendable {
    let counts = Mutex<(now: Int, most: Int, refused: Int)>((0, 0, 0))
  }

  /// At most eight passwords of a user are checked at a time on a node.
  @Test func theGate() async throws {
    let gate = KeyedGate<[UInt8]>(running: 8, waiting: 64)
    let (state, checks) = (Counts(), Gate())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          guard await gate.enter([1]) else { return state.counts.withLock { $0.refused += 1 } }
          state.counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), $0.refused) }
          await checks.pass()
          state.counts.withLock { $0.now -= 1 }
          gate.leave([1])
        }
      }
      try await eventually { state.counts.withLock { $0.now >= 8 && $0.refused >= 28 } }
      checks.open()
      try await group.waitForAll()
    }
    let (now, most, refused) = state.counts.withLock { $0 }
    #expect(now == 0 && most == gate.running)
    #expect(refused == 100 - gate.running - gate.waiting)
    // Others do not wait for them.
    for _ in 0..<gate.running { #expect(await gate.enter([1])) }
    #expect(await gate.enter([2]))
  }

  /// An answer to a custom challenge reaches its hook once, however often it is sent.
  @Test func oneAnswerManyTimes() async throws {
    let bench = try await SignInCustomTests.bench()
    let session = try await bench.initiate(.customAuth, ["USERNAME": "alice"]).challenge.session
    bench.hooks.gate.close()
    let ended = Tally()
    let signedIn = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          let outcome = try? await bench.respond(
            .customChallenge, ["USERNAME": "alice", "ANSWER": "42"], session: session,
            on: number % 2 == 0 ? bench.service : bench.other)
          ended.add()
          if case .signedIn = outcome { return true }
          return false
        }
      }
      // While the hook is asked about the first one, the others are refused.
      try await eventually { bench.hooks.gate.waiting > 1 || bench.hooks.gate.waiting + ended.value == 8 }
      bench.hooks.gate.open()
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(signedIn == 1)
    #expect(bench.hooks.requests(.verifyAuthChallengeResponse).count == 1)
  }

  /// A bench whose hooks ask again without end, and sessions that wait for an answer.
  private static func patient(_ sessions: Int) async throws -> (SignInBench, [String?]) {
    let bench = try await SignInCustomTests.bench()
    bench.hooks.on(.defineAuthChallenge) { _ throws(HookError) in #"{"challengeName":"CUSTOM_CHALLENGE"}"# }
    var texts: [String?] = []
    for _ in 0..<sessions {
      texts.append(try await bench.initiate(.customAuth, ["USERNAME": "alice"]).challenge.session)
    }
    return (bench, texts)
  }

  /// Wrong answers count for the user, whatever DefineAuthChallenge says, and also those of many sessions at the
  /// same time.
  @Test func wrongAnswersCount() async throws {
    let (bench, sessions) = try await Self.patient(16)
    bench.hooks.gate.close()
    let ended = Tally()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, session) in sessions.enumerated() {
        group.addTask {
          _ = try? await bench.respond(
            .customChallenge, ["USERNAME": "alice", "ANSWER": "x"], session: session,
            on: number % 2 == 0 ? bench.service : bench.other)
          ended.add()
        }
      }
      try await eventually { bench.hooks.gate.waiting > 5 || bench.hooks.gate.waiting + ended.value == 16 }
      bench.hooks.gate.open()
      try await group.waitForAll()
    }
    #expect(bench.hooks.requests(.verifyAuthChallengeResponse).count == 5)
    let defined = bench.hooks.requests(.defineAuthChallenge).count
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) {
      try await bench.initiate(.customAuth, ["USERNAME": "alice"])
    }
    #expect(bench.hooks.requests(.defineAuthChallenge).count == defined)
    // The password is not locked.
    _ = try await bench.signIn().tokens
  }

  /// A right answer to one of several challenges forgets no wrong ones; tokens do.
  @Test func rightAnswersInBetween() async throws {
    let (bench, sessions) = try await Self.patient(7)
    func answer(_ number: Int, _ text: String) async throws -> SignInOutcome {
      try await bench.respond(
        .customChallenge, ["USERNAME": "alice", "ANSWER": text], session: sessions[number])
    }
    for number in 0..<4 { _ = try await answer(number, "x").challenge }
    _ = try await answer(4, "42").challenge
    _ = try await answer(5, "x").challenge
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await answer(6, "42") }
    bench.advance(.seconds(1))
    bench.hooks.on(.defineAuthChallenge) { _ throws(HookError) in #"{"issueTokens":true}"# }
    _ = try await answer(6, "42").tokens
    let count = try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.attempts, .prefix(RecordKey("us-east-1_AbCdEfGhI")), limit: 10)
    }
    #expect(count == 0)
  }

  /// A hook that fails judged nothing.
  @Test func faultsOfTheHookAreNotCounted() async throws {
    let (bench, sessions) = try await Self.patient(7)
    bench.hooks.on(.verifyAuthChallengeResponse) { _ throws(HookError) in
      throw .responseInvalid(rule: "no JSON")
    }
    for session in sessions {
      let error = await #expect(throws: UserPoolError.self) {
        try await bench.respond(
          .customChallenge, ["USERNAME": "alice", "ANSWER": "42"], session: session)
      }
      #expect(error?.code == .hookResponseInvalid)
    }
  }

  /// Sign-ins that are only begun call the hooks, which may send messages, a bounded number of times.
  @Test(arguments: ["alice", "nobody"]) func beginnings(_ name: String) async throws {
    let bench = try await SignInCustomTests.bench(prevents: true)
    for _ in 0..<100 { _ = try await bench.initiate(.customAuth, ["USERNAME": name]).challenge }
    let created = bench.hooks.requests(.createAuthChallenge).count
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) {
      try await bench.initiate(.customAuth, ["USERNAME": name])
    }
    #expect(bench.hooks.requests(.createAuthChallenge).count == created)
  }

  /// Those that lead to tokens do not count.
  @Test func beginningsWithTokens() async throws {
    let bench = try await SignInCustomTests.bench()
    for _ in 0..<99 { _ = try await bench.initiate(.customAuth, ["USERNAME": "alice"]).challenge }
    for _ in 0..<2 {
      let challenge = try await bench.initiate(.customAuth, ["USERNAME": "alice"]).challenge
      _ = try await bench.respond(
        .customChallenge, ["USERNAME": "alice", "ANSWER": "42"], session: challenge.session
      ).tokens
    }
  }
}
