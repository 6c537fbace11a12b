internal import Records
internal import ServiceOperations
internal import Synchronization
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// A right answer is used up in the transaction that stores the sign-in.
@Suite struct SignInSettlementTests {
  /// Keeps the store that a bench was made over.
  private final class Watch: Sendable {
    private let made = Mutex<WatchedStore?>(nil)

    func over(_ store: any RecordStore) -> any RecordStore {
      let watched = WatchedStore(store)
      made.withLock { $0 = watched }
      return watched
    }

    var store: WatchedStore {
      get throws { try #require(made.withLock { $0 }) }
    }
  }

  private static func signIns(_ bench: SignInBench) async throws -> Int {
    try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.signIns, limit: 100)
    }
  }

  /// Refused for the session, and nothing else.
  private static func isUsed(
    _ bench: SignInBench, _ proof: [ExactString: String], on node: UserPoolService? = nil
  ) async -> Bool {
    do {
      _ = try await bench.respond(.passwordVerifier, proof, on: node)
      return false
    } catch { return error as? UserPoolError == .sessionUsed }
  }

  @Test func commits() async throws {
    let watch = Watch()
    let bench = try await SignInBench(watching: watch.over)
    try await bench.addUser()
    _ = try await bench.signIn().tokens
    let store = try watch.store
    var before = store.writes
    let proof = try await bench.proof()
    #expect(store.writes == before)
    _ = try await bench.respond(.passwordVerifier, proof).tokens
    #expect(store.writes == before + 1)
    #expect(await Self.isUsed(bench, proof))
    // It was refused before anything was signed.
    #expect(store.writes == before + 1)
    before = store.writes
    _ = try await bench.signIn().tokens
    #expect(store.writes == before + 1)
    // Earlier failures are forgotten with it.
    await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn("alice", "wrong") }
    before = store.writes
    _ = try await bench.signIn().tokens
    #expect(store.writes == before + 1)
    let failures = try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
      try rows.count(UserPoolTables.attempts, limit: 10)
    }
    #expect(failures == 0)
  }

  /// One right answer, sent many times at once to two nodes, signs in once.
  @Test(arguments: StoreKind.allCases) func oneAnswerManyTimes(_ kind: StoreKind) async throws {
    let bench = try await SignInBench(on: kind)
    try await bench.addUser()
    let proof = try await bench.proof()
    let session = try await bench.initiate(.userAuth, ["USERNAME": "alice"]).challenge.session
    let answers: [(ChallengeNameType, [ExactString: String], String?)] = [
      (.passwordVerifier, proof, nil),
      (
        .selectChallenge,
        ["USERNAME": "alice", "ANSWER": "PASSWORD", "PASSWORD": SignInBench.password], session
      ),
    ]
    for (challenge, responses, session) in answers {
      let before = try await Self.signIns(bench)
      let outcomes = await withTaskGroup(of: UserPoolError?.self) { group in
        for number in 0..<8 {
          group.addTask {
            do {
              _ = try await bench.respond(
                challenge, responses, session: session,
                on: number.isMultiple(of: 2) ? bench.service : bench.other
              ).tokens
              return nil
            } catch { return error as? UserPoolError ?? .challengeUnexpected }
          }
        }
        return await group.reduce(into: [UserPoolError?]()) { $0.append($1) }
      }
      #expect(outcomes.count { $0 == nil } == 1)
      #expect(outcomes.allSatisfy { $0 == nil || $0 == .sessionUsed })
      #expect(try await Self.signIns(bench) == before + 1)
    }
  }

  /// Counts so many wrong passwords that the user is locked out.
  private static func fail(
    _ store: any RecordStore, _ key: [UInt8], _ pool: String, at now: Timestamp
  ) async {
    for _ in 0..<5 {
      _ = try? await store.write(at: now) { rows throws(UserPoolError) in
        try rows.countFailure(.password, key, in: pool)
      }
    }
  }

  /// Passwords that were wrong while a right proof was under way refuse it, and its block is redeemed.
  @Test(arguments: StoreKind.allCases) func lockoutMeanwhile(_ kind: StoreKind) async throws {
    let watch = Watch()
    let bench = try await SignInBench(on: kind, watching: watch.over)
    let user = try await bench.addUser()
    let proof = try await bench.proof()
    let key = try LimitSubject.user(user.sub).key(in: user.poolID, bench.service.secrets)
    let now = bench.now
    try watch.store.beforeNextWrite { await Self.fail($0, key, user.poolID, at: now) }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) {
      try await bench.respond(.passwordVerifier, proof)
    }
    #expect(try await Self.signIns(bench) == 0)
    bench.advance(.seconds(2))
    #expect(await Self.isUsed(bench, proof, on: bench.other))
    // The same for a plain password.
    let later = bench.now
    try watch.store.beforeNextWrite { await Self.fail($0, key, user.poolID, at: later) }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await bench.signIn() }
    #expect(try await Self.signIns(bench) == 0)
  }

  /// A user who was deleted while a right proof was under way gets neither tokens nor rows.
  @Test(arguments: StoreKind.allCases) func aDeletedUser(_ kind: StoreKind) async throws {
    let watch = Watch()
    let bench = try await SignInBench(on: kind, watching: watch.over)
    let user = try await bench.addUser()
    let proof = try await bench.proof()
    try watch.store.beforeNextWrite { store in
      _ = try? await store.write { rows throws(UserPoolError) in try rows.remove(user, limit: 100) }
    }
    await #expect(throws: UserPoolError.userUnknown) { try await bench.respond(.passwordVerifier, proof) }
    #expect(try await Self.signIns(bench) == 0)
  }

  /// An answer that does not lead to tokens at once is settled before it goes on.
  @Test(arguments: [HookTrigger.postAuthentication, .preTokenGeneration])
  func functionsInBetween(_ trigger: HookTrigger) async throws {
    let watch = Watch()
    let bench = try await SignInBench(
      watching: watch.over, pool: { $0.hooks = [trigger.rawValue: "arn:hook"] })
    try await bench.addUser()
    // The pool's keys are made.
    _ = try await bench.signIn().tokens
    let proof = try await bench.proof()
    let store = try watch.store
    let before = store.writes
    bench.hooks.on(trigger) { _ throws(HookError) in throw .refused("not today") }
    let error = await #expect(throws: UserPoolError.self) {
      try await bench.respond(.passwordVerifier, proof)
    }
    #expect(error?.code == .hookRefused)
    #expect(store.writes == before + 1)
    #expect(await Self.isUsed(bench, proof))
  }
}
