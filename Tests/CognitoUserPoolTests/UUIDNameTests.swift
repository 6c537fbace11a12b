internal import Records
internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPool

/// User names in the form of a UUID: those of pools whose users sign in with addresses, where the name is the `sub`, and
/// those that applications make (floci, issues 1849 and 220; ministack, issue 647).
@Suite struct UUIDNameTests {
  static let name = "ed9ab6aa-98b9-4a5b-a9a3-4d28cb7b3a4e"

  /// All operations find the user by the name that AdminGetUser shows.
  @Test func theNameOfAnAddress() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.usernameAttributes = [.email] }
    let user = try await fixture.signUp("jane@example.com", []).user
    #expect(user.name == user.sub)
    _ = try await fixture.resend(user.name)
    try await fixture.confirm(user.name, fixture.code(for: "jane@example.com"))
    _ = try await fixture.forget(user.name, later: .seconds(1))
    try await fixture.reset(user.name, fixture.code(for: "jane@example.com"), later: .seconds(1))
    #expect(try await fixture.isPassword("N3w-Passw0rd", of: user.name))
  }

  @Test(arguments: [false, true]) func signIns(_ isAdministrator: Bool) async throws {
    let bench = try await SignInBench(pool: { $0.usernameAttributes = [.email] })
    let user = try await bench.addUser("x") { user in
      (user.name, user.canonicalName) = (user.sub, user.sub)
      user.attributes = ["email": "alice@example.com"]
      user.password = try password(of: user, bench)
    }
    for name in [user.name, "alice@example.com"] {
      let flow = isAdministrator ? AuthFlowType.adminUserPasswordAuth : .userPasswordAuth
      _ = try await bench.initiate(
        flow, ["USERNAME": name, "PASSWORD": SignInBench.password], asAdministrator: isAdministrator
      ).tokens
      let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: name)
      let challenge = try await bench.initiate(
        .userSRPAuth, client.request.parameters.exact, asAdministrator: isAdministrator
      ).challenge
      #expect(challenge.parameters["USERNAME"] == user.name)
      _ = try await bench.respond(
        .passwordVerifier, bench.proof(client, challenge, SignInBench.password)
      ).tokens
    }
  }

  /// The verifier of a user, computed without the threads of the service.
  private func password(of user: User, _ bench: SignInBench) throws -> StoredPassword {
    let verifier = try CognitoVerifier(
      identity: .user(userPoolID: bench.pool.id, userIDForSRP: user.name),
      password: SecretBytes(SignInBench.password.utf8.span))
    return try StoredPassword(
      verifier, poolID: bench.pool.id, sub: user.sub, userIDForSRP: user.name, bench.service.secrets)
  }

  /// Applications with e-mail aliases make names of this form. Names are looked up before subs.
  @Test func namesOfApplications() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.aliasAttributes = [.email, .preferredUsername]
    }
    let other = try await fixture.signUp("other", [("email", "other@example.com")]).user
    let signedUp = try await fixture.signUp(Self.name).user
    #expect(signedUp.name == Self.name && signedUp.sub != Self.name)
    try await fixture.confirm(Self.name, fixture.code(for: "jane@example.com"))
    #expect(try await fixture.user(Self.name)?.sub == signedUp.sub)
    await #expect(throws: UserPoolError.userExists) { try await fixture.signUp(Self.name) }
    // Only another user's sub is refused, as name and as preferred user name.
    await #expect(
      throws: UserPoolError.userNameRefused(rule: "Username cannot be the sub of another user.")
    ) { try await fixture.signUp(other.sub) }
    await #expect(throws: UserPoolError.aliasExists(attribute: "preferred_username")) {
      try await fixture.change(Self.name) { $0.attributes["preferred_username"] = other.sub }
    }
    try await fixture.change(Self.name) { $0.attributes["preferred_username"] = signedUp.sub }
    #expect(try await fixture.user(signedUp.sub)?.sub == signedUp.sub)
  }

  /// In a pool that ignores case, capitals make no other name of a `sub`.
  @Test func capitals() async throws {
    let place = try await AdminUsersPlace { $0.isCaseSensitive = false }
    let jane = try await place.add("jane")
    await #expect(
      throws: UserPoolError.userNameRefused(rule: "Username cannot be the sub of another user.")
    ) { try await place.add(jane.sub.uppercased()) }
    let named = try await place.add(Self.name.uppercased())
    #expect(named.canonicalName == Self.name)
  }

  /// A new `sub` is never a name or a preferred user name that a user has.
  @Test(arguments: [false, true]) func newSubs(_ isAlias: Bool) async throws {
    let place = try await AdminUsersPlace { $0.aliasAttributes = [.preferredUsername] }
    try await place.add(isAlias ? "jane" : Self.name, isAlias ? [("preferred_username", Self.name)] : [])
    if isAlias {
      let pool = place.pool
      try await place.service.store.write(at: AdminUsersPlace.start) { rows throws(UserPoolError) in
        let before = try rows.existingUser(named: "jane", in: pool)
        var user = before
        user.status = .confirmed
        try rows.store(user, replacing: before, in: pool)
      }
    }
    let pool = place.pool
    await #expect(throws: UserPoolError.storeFailed("the new user's sub is a name already")) {
      try await place.service.store.write(at: AdminUsersPlace.start) { rows throws(UserPoolError) in
        var user = try User(.name("joe"), attributes: [:], in: pool, at: AdminUsersPlace.start)
        user.sub = Self.name
        try rows.add(user, to: pool)
      }
    }
  }

  /// The id that is shown for an unknown address is a name like that of a user: salt, id and lockout are those of the
  /// address.
  @Test(arguments: [true, false]) func theIDOfAnUnknownAddress(_ replacesNames: Bool) async throws {
    let bench = try await SignInBench(
      pool: {
        if replacesNames { $0.usernameAttributes = [.email] } else { $0.aliasAttributes = [.email] }
      }, client: { $0.preventsExistenceErrors = true })
    func begin(_ name: String) async throws -> [ExactString: String] {
      let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: name)
      return try await bench.initiate(.userSRPAuth, client.request.parameters.exact).challenge.parameters
    }
    let first = try await begin("nobody@example.com")
    let id = try #require(first["USER_ID_FOR_SRP"])
    #expect(UUIDText.isUUID(id))
    let second = try await begin(id)
    #expect(second["USER_ID_FOR_SRP"] == id && second["SALT"] == first["SALT"])
    for _ in 0..<6 { _ = try? await bench.signIn("nobody@example.com", "wrong") }
    for name in [id, "nobody@example.com"] {
      await #expect(throws: UserPoolError.passwordAttemptsExceeded) { try await bench.signIn(name) }
    }
  }

  /// Tries of codes for an unknown address are tries for its id.
  @Test func theCodesOfAnUnknownAddress() async throws {
    let fixture = try await AccountsFixture { pool, client in
      pool.usernameAttributes = [.email]
      client.preventsExistenceErrors = true
    }
    let id = try fixture.secrets.simulatedUserName(of: "nobody@example.com", in: fixture.pool)
    for _ in 0..<20 {
      await #expect(throws: UserPoolError.codeMismatch) { try await fixture.reset(id, "123456") }
    }
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await fixture.reset("nobody@example.com", "123456")
    }
  }
}
