internal import CognitoUserPool
internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityTesting

/// The work in the store is the same for all names, those of users and those of nobody, and strangers' calls are
/// counted.
@Suite struct EvenWorkTests {
  /// An operation that anyone may call is in the list of calls that the other tests make, or takes no name.
  @Test func allCallsAreListed() {
    // Key paths here end the compiler of Swift 6.3.1.
    var open: Set<String> = []
    for operation in userPools.operations where operation.declaration.access == .anyone {
      open.insert(operation.declaration.name.text)
    }
    var listed = StrangersCall.withoutName
    for call in StrangersCall.allCases { listed.insert(call.operation) }
    #expect(open == listed)
  }

  /// A name, and what it is. Names of the store's first and last rows have one neighbour alone.
  private struct Name {
    let label, text: String
    /// True for a user whose row the cache has.
    var isWarm = false
  }

  private static func names(_ kind: NamedPool, _ pool: TestPool) async throws -> [Name] {
    var names: [Name] = []
    for form in kind.typed(.init(first: "u", number: 100)).indices {
      for first in ["a", "u", "z"] {
        names.append(
          Name(
            label: "unknown \(first), form \(form)", text: try await kind.unknown(first, form: form, in: pool)
          ))
      }
      for isWarm in [false, true] {
        let person = NamedPool.Person(first: "u", number: 101 + 2 * form + (isWarm ? 1 : 0))
        try await kind.add(person, to: pool)
        names.append(
          Name(label: "known, form \(form), warm \(isWarm)", text: kind.typed(person)[form], isWarm: isWarm))
      }
    }
    return names
  }

  /// Each call's statements, and what they find, are those of an unknown name.
  @Test(arguments: StoreKind.allCases, NamedPool.allCases)
  func statements(_ store: StoreKind, _ kind: NamedPool) async throws {
    let recorded = try await store.recorded()
    let clock = SettableClock()
    // The outbox is counted by the first message alone.
    let pool = try await TestPool(
      kind.settings, client: ["PreventUserExistenceErrors": "ENABLED"],
      hooks: [.defineAuthChallenge, .createAuthChallenge, .verifyAuthChallengeResponse],
      over: recorded.store, outbox: OutboxCapacity(clock: { clock.instant }))
    let own = NamedPool.Person(first: "u", number: 100)
    try await kind.add(own, to: pool)
    let ownName = kind.typed(own)[0]
    _ = try await pool.make(.forgot, ownName, own: ownName)
    let names = try await Self.names(kind, pool)
    for call in StrangersCall.allCases where !StrangersCall.telling.contains(call) {
      var first: [String]?
      for name in names {
        if name.isWarm {
          for _ in 0..<2 { try await pool.admin("AdminGetUser", ["Username": .string(name.text)]) }
        }
        var seen: [String] = []
        // The second call finds the rows of the first one.
        for _ in 0..<2 {
          var answer = ""
          // Those of the pool and the client depend on no name.
          seen += try await recorded.statements.during {
            answer = try await pool.make(call, name.text, own: ownName)
          }.filter { !$0.contains(" user_pool ") && !$0.contains(" user_pool_client ") }
          seen.append(answer)
        }
        #expect(seen == first ?? seen, "\(call): \(name.label)")
        first = first ?? seen
      }
      // Limits and lockouts end.
      pool.clock.advance(by: .seconds(7_200))
    }
    try await recorded.store.close()
  }

  /// However often a stranger asks for a name, the answers end. Where a proof was wrong, or a message sent, they end
  /// for all addresses; where nothing was tried, for this one alone.
  @Test(arguments: StrangersCall.allCases, [true, false])
  func callsAreCounted(_ call: StrangersCall, _ isKnown: Bool) async throws {
    let kind = NamedPool.names
    var pool = try await TestPool(
      kind.settings, client: ["PreventUserExistenceErrors": "ENABLED"],
      hooks: [.defineAuthChallenge, .createAuthChallenge, .verifyAuthChallengeResponse], on: .memory)
    let (own, person) = (NamedPool.Person(first: "u", number: 100), NamedPool.Person(first: "u", number: 101))
    try await kind.add(own, to: pool)
    if isKnown { try await kind.add(person, to: pool) }
    var name = person.userName
    if !isKnown, call == .chosenCode { name = try await kind.unknown("u", form: 0, in: pool) }
    let refusals = ["attempt_limit_exceeded", "password_attempts_exceeded"]
    var answer = ""
    var count = 0
    while count <= 100, !refusals.contains(answer) {
      answer = try await pool.make(call, name, own: own.userName)
      count += 1
    }
    #expect(refusals.contains(answer), "\(answer) after \(count) calls")
    pool.caller = "192.0.2.8"
    let other = try await pool.make(call, name, own: own.userName)
    let ofOneAddress: [StrangersCall] = [
      .selectChallenge, .passwordSRP, .srp, .bareDevice, .otherSession, .wrongSelection, .signUp,
      .confirmForgot,
    ]
    #expect(refusals.contains(other) == !ofOneAddress.contains(call), "\(other)")
    // After an hour the answers go on, after a day those to codes of a new password.
    pool.clock.advance(by: .seconds(call == .confirmForgot ? 86_461 : 3_661))
    pool.caller = TestPool.address
    #expect(!refusals.contains(try await pool.make(call, name, own: own.userName)))
  }

  /// Sign-ins that lead to tokens do not count.
  @Test func signInsDoNotCount() async throws {
    let pool = try await TestPool()
    try await pool.addUser()
    for _ in 0..<99 { _ = try await pool.initiate("USER_AUTH", ["USERNAME": TestPool.user]) }
    for _ in 0..<3 { _ = try await pool.signIn() }
    _ = try await pool.initiate("USER_AUTH", ["USERNAME": TestPool.user])
    #expect(
      await errorCode { _ = try await pool.initiate("USER_AUTH", ["USERNAME": TestPool.user]) }
        == "password_attempts_exceeded")
  }
}
