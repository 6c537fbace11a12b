internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// Sign-ins with a password: plain, and by SRP.
@Suite struct SignInPasswordTests {
  @Test(arguments: [nil, "a1b2c3d4e5f6g7h8i9j0k1l2m3"]) func byPassword(_ secret: String?) async throws {
    let bench = try await SignInBench(secret: secret)
    try await bench.addUser()
    _ = try await bench.signIn().tokens
    _ = try await bench.initiate(
      .adminUserPasswordAuth, ["USERNAME": "alice", "PASSWORD": SignInBench.password], asAdministrator: true
    ).tokens
    _ = try await bench.initiate(
      .adminNoSRPAuth, ["USERNAME": "alice", "PASSWORD": SignInBench.password], asAdministrator: true
    ).tokens
    await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn("alice", "tr0ub4dor&3") }
    await #expect(throws: UserPoolError.userUnknown) { try await bench.signIn("bob") }
  }

  @Test(arguments: [nil, "a1b2c3d4e5f6g7h8i9j0k1l2m3"]) func bySRP(_ secret: String?) async throws {
    let bench = try await SignInBench(secret: secret)
    try await bench.addUser()
    let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: "alice")
    let challenge = try await bench.initiate(.userSRPAuth, client.request.parameters.exact).challenge
    #expect(challenge.name == .passwordVerifier)
    #expect(challenge.session == nil && challenge.changedNothing)
    #expect(challenge.parameters["USERNAME"] == "alice")
    #expect(challenge.parameters["USER_ID_FOR_SRP"] == "alice")
    let responses = try bench.proof(client, challenge, SignInBench.password)
    _ = try await bench.respond(.passwordVerifier, responses).tokens
    await #expect(throws: UserPoolError.sessionUsed) {
      try await bench.respond(.passwordVerifier, responses, on: bench.other)
    }
    let wrong = try await bench.proof("alice", "wrong")
    await #expect(throws: UserPoolError.passwordWrong) {
      try await bench.respond(.passwordVerifier, wrong)
    }
    // A wrong proof redeems the block too.
    await #expect(throws: UserPoolError.sessionUsed) {
      try await bench.respond(.passwordVerifier, wrong)
    }
  }

  @Test func secretHashes() async throws {
    let bench = try await SignInBench(secret: "a1b2c3d4e5f6g7h8i9j0k1l2m3")
    try await bench.addUser()
    let id = bench.client.id
    let parameters: [ExactString: String] = ["USERNAME": "alice", "PASSWORD": SignInBench.password]
    await #expect(throws: UserPoolError.secretHashMissing(clientID: id)) {
      try await bench.initiate(.userPasswordAuth, parameters.merging(["SECRET_HASH": "-"]) { $1 })
    }
    for hash in ["AAAA", try #require(try bench.app.secretHash(username: "bob"))] {
      await #expect(throws: UserPoolError.secretHashMismatch(clientID: id)) {
        try await bench.initiate(.userPasswordAuth, parameters.merging(["SECRET_HASH": hash]) { $1 })
      }
    }
    let open = try await SignInBench()
    try await open.addUser()
    await #expect(throws: UserPoolError.secretHashMismatch(clientID: id)) {
      try await open.initiate(.userPasswordAuth, parameters.merging(["SECRET_HASH": "AAAA"]) { $1 })
    }
  }

  /// A multiple of N signs nobody in.
  @Test func publicKeys() async throws {
    let bench = try await SignInBench()
    try await bench.addUser()
    let prime = Hex.string(ModularGroup.KnownPrime.bits3072.bytes)
    for key in ["0", "00", prime, "1"] {
      let error = await #expect(throws: UserPoolError.self) {
        try await bench.initiate(.userSRPAuth, ["USERNAME": "alice", "SRP_A": key])
      }
      #expect(error?.code == .parameterRefused)
    }
    await #expect(throws: UserPoolError.parameterMissing("SRP_A")) {
      try await bench.initiate(.userSRPAuth, ["USERNAME": "alice"])
    }
    await #expect(throws: UserPoolError.parameterMissing("USERNAME")) {
      try await bench.initiate(.userSRPAuth, ["SRP_A": "2f"])
    }
    await #expect(throws: UserPoolError.parameterMissing("PASSWORD")) {
      try await bench.initiate(.userPasswordAuth, ["USERNAME": "alice"])
    }
  }

  @Test func flowsThatAreNotEnabled() async throws {
    let bench = try await SignInBench(client: { $0.flows = nil })
    try await bench.addUser()
    let parameters: [ExactString: String] = [
      "USERNAME": "alice", "PASSWORD": SignInBench.password, "SRP_A": "2f",
    ]
    await #expect(
      throws: UserPoolError.flowNotEnabled("USER_PASSWORD_AUTH flow not enabled for this client")
    ) { try await bench.initiate(.userPasswordAuth, parameters) }
    await #expect(throws: UserPoolError.flowNotEnabled("Auth flow not enabled for this client")) {
      try await bench.initiate(.adminUserPasswordAuth, parameters, asAdministrator: true)
    }
    await #expect(throws: UserPoolError.flowNotEnabled("USER_AUTH is not enabled for the client.")) {
      try await bench.initiate(.userAuth, parameters)
    }
    await #expect(throws: UserPoolError.flowNotSupported) {
      try await bench.initiate(.adminUserPasswordAuth, parameters)
    }
    let none = try await SignInBench(client: { $0.flows = [.allowRefreshToken] })
    try await none.addUser()
    await #expect(throws: UserPoolError.flowNotEnabled("USER_SRP_AUTH is not enabled for the client.")) {
      try await none.initiate(.userSRPAuth, parameters)
    }
    await #expect(throws: UserPoolError.flowNotEnabled("CUSTOM_AUTH is not enabled for the client.")) {
      try await none.initiate(.customAuth, parameters)
    }
  }

  /// Wrong passwords lock a user out on all nodes, and 15 quiet minutes forget them.
  @Test(arguments: ["alice", "nobody"], StoreKind.allCases)
  func lockout(_ name: String, _ kind: StoreKind) async throws {
    let bench = try await SignInBench(on: kind, client: { $0.preventsExistenceErrors = true })
    try await bench.addUser()
    for _ in 0..<5 {
      await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn(name, "wrong") }
    }
    for _ in 0..<3 {
      await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await bench.signIn(name) }
    }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) {
      try await bench.initiate(
        .userPasswordAuth, ["USERNAME": name, "PASSWORD": SignInBench.password], on: bench.other)
    }
    bench.advance(.seconds(1))
    for wait in [2, 4, 8] as [Int64] {
      await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn(name, "wrong") }
      bench.advance(.seconds(wait - 1))
      await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await bench.signIn(name) }
      bench.advance(.seconds(1))
    }
    bench.advance(.seconds(900))
    for _ in 0..<4 {
      await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn(name, "wrong") }
    }
    await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn(name, "wrong") }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await bench.signIn(name, "wrong") }
    bench.advance(.seconds(1))
    guard name == "alice" else { return }
    _ = try await bench.signIn().tokens
    for _ in 0..<4 {
      await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn(name, "wrong") }
    }
    _ = try await bench.signIn().tokens
  }

  /// A user is told apart from an unknown one by nothing but the right password.
  @Test func unknownUsers() async throws {
    let bench = try await SignInBench(client: { $0.preventsExistenceErrors = true })
    try await bench.addUser("alice1")
    try await bench.addUser("alice2", password: nil)
    var lengths: [Set<Int>] = []
    for name in ["alice1", "alice2", "nobody"] {
      await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn(name, "wrong") }
      let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: name)
      let challenge = try await bench.initiate(.userSRPAuth, client.request.parameters.exact).challenge
      #expect(challenge.parameters["USERNAME"] == name)
      let again = try await bench.initiate(.userSRPAuth, client.request.parameters.exact).challenge
      #expect(challenge.parameters["SALT"] == again.parameters["SALT"])
      #expect(challenge.parameters["SRP_B"] != again.parameters["SRP_B"])
      lengths.append([
        challenge.parameters["SALT"]?.utf8.count ?? 0, challenge.parameters["SECRET_BLOCK"]?.utf8.count ?? 0,
      ])
      let responses = try bench.proof(client, challenge, "wrong")
      await #expect(throws: UserPoolError.passwordWrong) {
        try await bench.respond(.passwordVerifier, responses)
      }
      await #expect(throws: UserPoolError.sessionUsed) {
        try await bench.respond(.passwordVerifier, responses)
      }
    }
    #expect(lengths[0] == lengths[1] && lengths[1] == lengths[2])
  }

  /// With prevention of existence errors, a status is told after a right password only; without, before it.
  @Test func statuses() async throws {
    let cases: [(UserPoolError, @Sendable (inout User) -> Void)] = [
      (.userNotConfirmed, { $0.status = .unconfirmed }),
      (.passwordResetRequired, { $0.status = .resetRequired }),
      (.userDisabled, { $0.isEnabled = false }),
    ]
    for (error, change) in cases {
      for prevents in [true, false] {
        let bench = try await SignInBench(client: { $0.preventsExistenceErrors = prevents })
        try await bench.addUser("alice") { change(&$0) }
        await #expect(throws: error) { try await bench.signIn() }
        await #expect(throws: prevents ? .passwordWrong : error) { try await bench.signIn("alice", "wrong") }
        guard prevents else { continue }
        let proof = try await bench.proof()
        await #expect(throws: error) { try await bench.respond(.passwordVerifier, proof) }
      }
    }
  }

  /// An answer names the challenge's user: by user name, alias or sub. Another name is a wrong password.
  @Test func namesInAnswers() async throws {
    let bench = try await SignInBench(
      secret: "a1b2c3d4e5f6g7h8i9j0k1l2m3", pool: { $0.aliasAttributes = [.email] })
    let user = try await bench.addUser("alice") {
      $0.attributes = ["email": "alice@example.com", "email_verified": "true"]
    }
    try await bench.addUser("mallory")
    for name in ["alice", "alice@example.com", user.sub] {
      var responses = try await bench.proof("alice@example.com")
      responses["USERNAME"] = name
      responses["SECRET_HASH"] = try bench.app.secretHash(username: name)
      _ = try await bench.respond(.passwordVerifier, responses).tokens
    }
    for name in ["mallory", "nobody"] {
      var responses = try await bench.proof("alice@example.com")
      responses["USERNAME"] = name
      responses["SECRET_HASH"] = try bench.app.secretHash(username: name)
      let sent = responses
      await #expect(throws: UserPoolError.passwordWrong) {
        try await bench.respond(.passwordVerifier, sent)
      }
    }
    // The sub is no name to sign in with.
    await #expect(throws: UserPoolError.userUnknown) { try await bench.signIn(user.sub) }
  }

  /// Names are compared by case where the pool does, otherwise without that of ASCII letters, and never by Unicode's
  /// equivalence.
  @Test func variantsOfNames() async throws {
    for isCaseSensitive in [true, false] {
      let bench = try await SignInBench(pool: { $0.isCaseSensitive = isCaseSensitive })
      try await bench.addUser("ren\u{E9}e")
      if isCaseSensitive {
        await #expect(throws: UserPoolError.userUnknown) { try await bench.signIn("REN\u{E9}E") }
      } else {
        _ = try await bench.signIn("REN\u{E9}E").tokens
      }
      await #expect(throws: UserPoolError.userUnknown) { try await bench.signIn("REN\u{C9}E") }
      await #expect(throws: UserPoolError.userUnknown) { try await bench.signIn("rene\u{301}e") }
    }
  }

  /// A new password ends the sessions of sign-ins that have begun.
  @Test func anotherPasswordMeanwhile() async throws {
    let bench = try await SignInBench()
    let user = try await bench.addUser()
    let proof = try await bench.proof()
    let new = try await bench.service.passwords.verifier(
      of: SecretBytes("An0ther+one".utf8.span), for: user, in: bench.pool, from: nil)
    try await bench.change { $0.password = new }
    await #expect(throws: UserPoolError.sessionInvalid) { try await bench.respond(.passwordVerifier, proof) }
  }

  @Test func theBlockOfAnotherClientOrTime() async throws {
    let bench = try await SignInBench()
    try await bench.addUser()
    var second = UserPoolClient()
    second.id = "2second"
    second.poolID = bench.pool.id
    let stored = second
    try await bench.service.store.write { rows throws(UserPoolError) in
      try rows.put(stored, in: UserPoolTables.clients)
    }
    let proof = try await bench.proof()
    let answer = ChallengeAnswer(
      clientID: second.id, challenge: .passwordVerifier, responses: proof.mapValues { .init($0) },
      session: nil)
    await #expect(throws: UserPoolError.passwordWrong) {
      try await bench.service.signIns.respond(answer, bench.context)
    }
    bench.advance(.seconds(181))
    await #expect(throws: UserPoolError.sessionExpired) { try await bench.respond(.passwordVerifier, proof) }
    let fresh = try await bench.proof()
    for name in ["PASSWORD_CLAIM_SECRET_BLOCK", "PASSWORD_CLAIM_SIGNATURE"] as [ExactString] {
      var changed = fresh
      changed[name] = "AAAA" + (fresh[name] ?? "").dropFirst(4)
      let sent = changed
      await #expect(throws: UserPoolError.passwordWrong) {
        try await bench.respond(.passwordVerifier, sent)
      }
    }
    await #expect(throws: UserPoolError.clientUnknown("none")) {
      try await bench.service.signIns.initiate(
        SignInRequest(clientID: "none", flow: .userSRPAuth, parameters: [:]), bench.context)
    }
  }

  /// The history has the present password and those before it.
  @Test func passwordHistory() async throws {
    let bench = try await SignInBench(pool: { $0.passwordPolicy.history = 3 })
    var user = try await bench.addUser()
    for number in 1...4 {
      let new = try await bench.service.passwords.verifier(
        of: SecretBytes("Password+\(number)".utf8.span), for: user, in: bench.pool, from: nil)
      user.replacePassword(by: new, in: bench.pool)
    }
    for (password, isFound) in [
      ("Password+4", true), ("Password+3", true), ("Password+2", true), ("Password+1", false),
      (SignInBench.password, false),
    ] {
      #expect(
        try await bench.service.passwords.isInHistory(
          SecretBytes(password.utf8.span), of: user, in: bench.pool, from: nil)
          == isFound)
    }
  }

  @Test func preAndPostAuthentication() async throws {
    let bench = try await SignInBench(
      pool: { $0.hooks = ["PreAuthentication": "arn:pre", "PostAuthentication": "arn:post"] },
      client: { $0.preventsExistenceErrors = true })
    try await bench.addUser()
    _ = try await bench.initiate(
      .userPasswordAuth, ["USERNAME": "alice", "PASSWORD": SignInBench.password], metadata: ["a": "b"]
    ).tokens
    let request = try #require(bench.hooks.requests(.preAuthentication).first)
    #expect(request["validationData"]?.object?["a"]?.string == "b")
    #expect(request["userNotFound"]?.bool == false)
    #expect(bench.hooks.requests(.postAuthentication).count == 1)
    await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn("nobody") }
    #expect(bench.hooks.requests(.preAuthentication).last?["userNotFound"]?.bool == true)
    bench.hooks.on(.postAuthentication) { _ throws(HookError) in throw .refused("not today") }
    await #expect(throws: UserPoolError.hookRefused(trigger: "PostAuthentication", text: "not today")) {
      try await bench.signIn()
    }
    bench.hooks.on(.preAuthentication) { _ throws(HookError) in throw .refused("never") }
    await #expect(throws: UserPoolError.hookRefused(trigger: "PreAuthentication", text: "never")) {
      try await bench.signIn("alice", "wrong")
    }
  }

  /// Passwords of the other directory are guessed no faster than those of the pool.
  @Test(arguments: [false, true], [false, true]) func migrationLockout(
    _ hidesUsers: Bool, _ refuses: Bool
  ) async throws {
    let bench = try await SignInBench(
      pool: { $0.hooks = ["UserMigration": "arn:migration"] },
      client: { $0.preventsExistenceErrors = hidesUsers })
    bench.hooks.on(.userMigration) { _ throws(HookError) in
      if refuses { throw .refused("Bad password") }
      return "{}"
    }
    let expected: UserPoolError =
      refuses
      ? .hookRefused(trigger: "UserMigration", text: "Bad password")
      : hidesUsers ? .passwordWrong : .userUnknown
    for _ in 0..<5 {
      await #expect(throws: expected) { try await bench.signIn("olduser", "wrong") }
    }
    await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await bench.signIn("olduser") }
    #expect(bench.hooks.requests(.userMigration).count == 5)
  }

  /// The hook gets no password that the same call does not check.
  @Test func migrationByChoice() async throws {
    let bench = try await SignInBench(
      pool: { $0.hooks = ["UserMigration": "arn:migration"] },
      client: { $0.preventsExistenceErrors = true })
    bench.hooks.on(.userMigration) { _ throws(HookError) in "{}" }
    var parameters: [ExactString: String] = ["USERNAME": "olduser", "PASSWORD": "wrong"]
    _ = try await bench.initiate(.userAuth, parameters).challenge
    parameters["PREFERRED_CHALLENGE"] = "PASSWORD"
    await #expect(throws: UserPoolError.sessionInvalid) {
      try await bench.initiate(.userAuth, parameters, session: "none")
    }
    #expect(bench.hooks.requests(.userMigration).isEmpty)
    await #expect(throws: UserPoolError.passwordWrong) { try await bench.initiate(.userAuth, parameters) }
    #expect(bench.hooks.requests(.userMigration).count == 1)
    // Where passwords are no first factor, this flow checks none.
    let codes = try await SignInBench(
      pool: {
        $0.hooks = ["UserMigration": "arn:migration"]
        $0.firstFactors = [.emailCode]
        $0.aliasAttributes = [.email]
      }, client: { $0.preventsExistenceErrors = true })
    // An address that is an alias is verified: such a user has the code for certain.
    parameters["USERNAME"] = "old@example.com"
    let selection = try await codes.initiate(.userAuth, parameters).challenge
    #expect(selection.name == .selectChallenge && !selection.available.isEmpty)
    #expect(codes.hooks.requests(.userMigration).isEmpty)
  }

  @Test func userMigration() async throws {
    let bench = try await SignInBench(pool: { $0.hooks = ["UserMigration": "arn:migration"] })
    bench.hooks.on(.userMigration) { _ throws(HookError) in
      #"{"userAttributes":{"email":"old@example.com","email_verified":"true"},"finalUserStatus":"CONFIRMED","messageAction":"SUPPRESS"}"#
    }
    _ = try await bench.signIn("olduser").tokens
    let user = try #require(try await bench.user("olduser"))
    #expect(user.status == .confirmed && user.attribute("email") == "old@example.com")
    #expect(bench.hooks.requests(.userMigration).count == 1)
    // Known from now on, by this password alone.
    _ = try await bench.signIn("olduser").tokens
    await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn("olduser", "wrong") }
    #expect(bench.hooks.requests(.userMigration).count == 1)
    // Without a status the user must reset the password, which the function has checked.
    bench.hooks.on(.userMigration) { _ throws(HookError) in
      #"{"userAttributes":{"email":"reset@example.com","email_verified":"true"}}"#
    }
    await #expect(throws: UserPoolError.passwordResetRequired) { try await bench.signIn("resetuser") }
    bench.hooks.on(.userMigration) { _ throws(HookError) in throw .refused("Bad user") }
    await #expect(throws: UserPoolError.hookRefused(trigger: "UserMigration", text: "Bad user")) {
      try await bench.signIn("newuser")
    }
  }
}
