internal import CognitoUserPool
internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase

/// Where the calls are counted by which anyone asks for a name. Each is counted twice: in memory, by the name as it was
/// typed and the address, before a user is read; and in the store, by user or unknown name, where something is guessed
/// or sent.
@Suite struct StrangersCountTests {
  /// The kinds of rows in which the store counts a call.
  private static func rows(_ call: StrangersCall) -> [ExactString] {
    switch call {
    // Nothing is guessed, and nothing is sent.
    case .selectChallenge, .passwordSRP, .srp, .bareDevice, .signUp: []
    // The session is another user's, and the name is not looked up.
    case .otherSession: ["session"]
    case .password, .chosenPassword, .selectedPassword, .provePassword: ["password"]
    case .wrongSelection: ["session"]
    case .chosenCode: ["signInCode"]
    case .custom: ["customSignIn"]
    case .confirmSignUp: ["confirm"]
    // The address is that of the name, which is not verified.
    case .resend: ["message", "resend"]
    case .forgot: ["resetCode"]
    case .confirmForgot: ["guessReset"]
    }
  }

  /// The statements that read users and aliases.
  private static func reads(_ statements: [String]) -> [String] {
    statements.filter { $0.contains(" pool_user ") || $0.contains(" user_alias ") }
  }

  @Test(arguments: StrangersCall.allCases, [true, false])
  func whereCallsAreCounted(_ call: StrangersCall, _ isKnown: Bool) async throws {
    let kind = NamedPool.aliasEmails
    let recorded = try await StoreKind.memory.recorded()
    let pool = try await TestPool(
      kind.settings, client: ["PreventUserExistenceErrors": "ENABLED"],
      hooks: [.defineAuthChallenge, .createAuthChallenge, .verifyAuthChallengeResponse],
      over: recorded.store)
    let (own, person) = (NamedPool.Person(first: "u", number: 100), NamedPool.Person(first: "u", number: 101))
    try await kind.add(own, to: pool)
    if isKnown { try await kind.add(person, to: pool) }
    var name = person.userName
    if !isKnown, call == .chosenCode { name = try await kind.unknown("u", form: 0, in: pool) }
    let first = try await recorded.statements.during {
      _ = try await pool.make(call, name, own: own.userName)
    }
    #expect(!Self.reads(first).isEmpty)
    let counted = try await pool.store.read(at: pool.clock.time, .fresh) { rows throws(UserPoolError) in
      try rows.scan(UserPoolTables.attempts, limit: 10)
    }
    #expect(counted.map { ExactString($0.kind) } == Self.rows(call))
    // Calls that the store refuses are counted in memory, too.
    for _ in 0..<100 { _ = try await pool.make(call, name, own: own.userName) }
    var answer = ""
    let refused = try await recorded.statements.during {
      answer = try await pool.make(call, name, own: own.userName)
    }
    #expect(["attempt_limit_exceeded", "password_attempts_exceeded"].contains(answer), "\(answer)")
    #expect(Self.reads(refused) == [])
  }

  /// An address and the id that is shown for it have a count each, for users and for nobody.
  @Test(arguments: [NamedPool.emails, .phones, .aliasEmails, .aliasPhones], [true, false])
  func shownNames(_ kind: NamedPool, _ isKnown: Bool) async throws {
    let pool = try await TestPool(kind.settings, client: ["PreventUserExistenceErrors": "ENABLED"])
    let person = NamedPool.Person(first: "u", number: 101)
    if isKnown { try await kind.add(person, to: pool) }
    let address = try #require(kind.typed(person).last)
    let shown = try #require(try await pool.beginSRP(address).parameter("USERNAME"))
    func begin(_ name: String) async -> String {
      await errorCode { _ = try await pool.initiate("USER_AUTH", ["USERNAME": name]) }
    }
    for _ in 1..<100 { #expect(await begin(address) == "") }
    #expect(await begin(address) == "password_attempts_exceeded")
    for _ in 0..<100 { #expect(await begin(shown) == "") }
    #expect(await begin(shown) == "password_attempts_exceeded")
  }

  /// A sign-in of a user whose name was shown for an address gives back no call for the address.
  @Test func signInsWithAShownName() async throws {
    let pool = try await TestPool(
      NamedPool.aliasEmails.settings, client: ["PreventUserExistenceErrors": "ENABLED"])
    let address = "u-101@example.com"
    let shown = try #require(try await pool.beginSRP(address).parameter("USERNAME"))
    try await pool.addUser(shown)
    for _ in 1..<100 { _ = try await pool.initiate("USER_AUTH", ["USERNAME": address]) }
    _ = try await pool.signIn(shown)
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) {
      try await pool.initiate("USER_AUTH", ["USERNAME": address])
    }
  }

  /// A request that the public rules of `SignUp` refuse costs nothing, and is not counted.
  @Test func refusedSignUps() async throws {
    let pool = try await TestPool()
    for _ in 0..<101 {
      let refused = await #expect(throws: UserPoolError.self) {
        try await pool.call(
          "SignUp", ["ClientId": .string(pool.client.id), "Username": "joe", "Password": "x"])
      }
      #expect(refused?.type == "InvalidPasswordException")
    }
  }

  /// The fifth wrong selection ends the session; a wrong password counts for the user instead.
  @Test func wrongSelections() async throws {
    let pool = try await TestPool(client: ["PreventUserExistenceErrors": "ENABLED"])
    try await pool.addUser()
    for name in [TestPool.user, "nobody"] {
      let answer = try await pool.initiate("USER_AUTH", ["USERNAME": name])
      func select(_ responses: [String: String]) async -> String {
        await errorCode {
          _ = try await pool.respond(answer, responses.merging(["USERNAME": name]) { first, _ in first })
        }
      }
      #expect(await select(["ANSWER": "PASSWORD", "PASSWORD": "Wrong-horse-7"]) == "password_wrong")
      #expect(await select(["ANSWER": "EMAIL_OTP"]) == "user_pool_parameter_refused")
      #expect(await select(["ANSWER": "NONE"]) == "user_pool_parameter_refused")
      // A request that lacks a member reads no user, and does not count.
      for responses in [[:], ["ANSWER": "PASSWORD"], ["ANSWER": "PASSWORD_SRP"]] {
        #expect(await select(responses) == "user_pool_parameter_missing")
      }
      for _ in 0..<3 { #expect(await select(["ANSWER": "NONE"]) == "user_pool_parameter_refused") }
      let right = ["ANSWER": "PASSWORD", "PASSWORD": TestPool.password]
      #expect(await select(right) == "sign_in_session_invalid")
    }
  }
}
