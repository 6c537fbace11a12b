internal import CognitoUserPool
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Operations of users on their own accounts with an access token.
@Suite struct AccountsOwnTests {
  private func update(
    _ fixture: AccountsFixture, _ token: String, _ given: AttributeRules.Given,
    later: Duration = .zero
  ) async throws(UserPoolError) -> [Destination] {
    try await fixture.service.ownAccounts.updateAttributes(
      given, accessToken: token, metadata: [:], fixture.context(later))
  }

  private func verify(
    _ fixture: AccountsFixture, _ token: String, _ code: String, _ name: String = "email"
  ) async throws(UserPoolError) {
    try await fixture.service.ownAccounts.verifyAttribute(
      name, code: code, accessToken: token, fixture.context())
  }

  private func sendCode(
    _ fixture: AccountsFixture, _ token: String, _ name: String = "email", later: Duration = .zero
  ) async throws(UserPoolError) -> Destination {
    try await fixture.service.ownAccounts.sendVerificationCode(
      name, accessToken: token, metadata: [:], fixture.context(later))
  }

  private func changePassword(
    _ fixture: AccountsFixture, _ token: String, from previous: String?, to proposed: String
  ) async throws(UserPoolError) {
    try await fixture.service.ownAccounts.changePassword(
      token, previous: previous.map { SecretText($0) }, proposed: SecretText(proposed),
      fixture.context())
  }

  // MARK: Passwords

  @Test func password() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.passwordPolicy.history = 1 }
    try await fixture.addConfirmed("jane")
    let token = try await fixture.token(of: "jane")
    await #expect(throws: UserPoolError.passwordWrong) {
      try await changePassword(fixture, token, from: "Passw0rd?", to: "N3w-Passw0rd")
    }
    await #expect(throws: UserPoolError.passwordWrong) {
      try await changePassword(fixture, token, from: nil, to: "N3w-Passw0rd")
    }
    await #expect(throws: UserPoolError.passwordRefused(rule: "Password not long enough")) {
      try await changePassword(fixture, token, from: AccountsFixture.password, to: "Aa1!")
    }
    await #expect(throws: UserPoolError.passwordUsedBefore) {
      try await changePassword(
        fixture, token, from: AccountsFixture.password, to: AccountsFixture.password)
    }
    try await changePassword(fixture, token, from: AccountsFixture.password, to: "N3w-Passw0rd")
    #expect(try await fixture.isPassword("N3w-Passw0rd", of: "jane"))
    // Five an hour.
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await changePassword(fixture, token, from: "N3w-Passw0rd", to: "N3wer-Passw0rd")
    }
  }

  @Test func firstPassword() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.firstFactors = [.password, .emailCode]
    }
    try await fixture.signUp("jane", password: nil)
    try await fixture.confirm("jane", fixture.code(for: "jane@example.com"))
    try await changePassword(fixture, fixture.token(of: "jane"), from: nil, to: "N3w-Passw0rd")
    #expect(try await fixture.isPassword("N3w-Passw0rd", of: "jane"))
  }

  /// A temporary password is replaced at a sign-in.
  @Test func aTemporaryPassword() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    let token = try await fixture.token(of: "jane")
    try await fixture.service.users.setPassword(
      SecretText("Temporary-1"), of: "jane", in: fixture.pool.id, isPermanent: false, CallContext(at: .now))
    let refused = UserPoolError.statusRefused("User password cannot be changed in the current state.")
    await #expect(throws: refused) {
      try await changePassword(fixture, token, from: "Temporary-1", to: "N3w-Passw0rd")
    }
    let user = try #require(try await fixture.user("jane"))
    #expect(user.status == .forceChangePassword && user.temporaryUntil != nil)
    #expect(try await fixture.isPassword("Temporary-1", of: "jane"))
  }

  @Test func manyTasksChangeThePassword() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    let token = try await fixture.token(of: "jane")
    let done = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<5 {
        group.addTask {
          (try? await changePassword(
            fixture, token, from: AccountsFixture.password, to: "N3w-Passw0rd\(index)")) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(done == 1)
  }

  // MARK: Attributes

  @Test func changes() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    let token = try await fixture.token(of: "jane")
    #expect(try await update(fixture, token, [("name", "Jane"), ("nickname", "J")]).isEmpty)
    #expect(try await update(fixture, token, [("nickname", "")]).isEmpty)
    var user = try #require(try await fixture.user("jane"))
    #expect(user.attribute("name") == "Jane")
    #expect(user.attribute("nickname") == nil)
    try await fixture.service.ownAccounts.deleteAttributes(["name"], accessToken: token, fixture.context())
    user = try #require(try await fixture.user("jane"))
    #expect(user.attribute("name") == nil)
    #expect(user.isVerified(.email))
    await #expect(throws: UserPoolError.attributeNotWritable) {
      try await update(fixture, token, [("custom:role", "admin")])
    }
    for name in ["sub", "email_verified"] {
      await #expect(
        throws: UserPoolError.attributesRefused(
          rule: "Cannot modify the non-mutable attribute \(name)")
      ) { try await update(fixture, token, [(name, "true")]) }
    }
    await #expect(
      throws: UserPoolError.attributesRefused(rule: "Cannot modify the non-mutable attribute sub")
    ) {
      try await fixture.service.ownAccounts.deleteAttributes(["sub"], accessToken: token, fixture.context())
    }
  }

  @Test func shownAttributes() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    try await fixture.change("jane") { $0.attributes["custom:role"] = "user" }
    let user = try #require(try await fixture.user("jane"))
    let shown = OwnAccounts.shownAttributes(of: user, in: fixture.pool, to: fixture.client)
    #expect(shown.map(\.name) == ["sub", "email", "email_verified"])
    #expect(shown.map(\.value) == [user.sub, "jane@example.com", "true"])
  }

  @Test func newAddressIsVerifiedByItsCode() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.aliasAttributes = [.email] }
    try await fixture.addConfirmed("jane")
    let token = try await fixture.token(of: "jane")
    let destinations = try await update(fixture, token, [("email", "new@example.com")])
    #expect(destinations.map(\.masked) == ["n***@e***"])
    #expect(try await fixture.user("jane")?.isVerified(.email) == false)
    // Neither the old nor the new address is an alias now.
    #expect(try await fixture.user("jane@example.com") == nil)
    #expect(try await fixture.user("new@example.com") == nil)
    let code = try await fixture.code(for: "new@example.com")
    await #expect(throws: UserPoolError.codeMismatch) {
      try await verify(fixture, token, AccountsFixture.other(code))
    }
    try await verify(fixture, token, code)
    #expect(try await fixture.user("new@example.com")?.name == "jane")
    // It serves once.
    await #expect(throws: UserPoolError.codeExpired) { try await verify(fixture, token, code) }
  }

  @Test func codeVerifiesNoOtherAddress() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    let token = try await fixture.token(of: "jane")
    _ = try await update(fixture, token, [("email", "own@example.com")])
    let code = try await fixture.code(for: "own@example.com")
    // An administrator's change, and one of the user.
    try await fixture.change("jane") { $0.attributes["email"] = "victim@example.com" }
    await #expect(throws: UserPoolError.codeExpired) { try await verify(fixture, token, code) }
    _ = try await update(fixture, token, [("email", "other@example.com")], later: .seconds(1))
    if try await fixture.code(for: "other@example.com") != code {
      await #expect(throws: UserPoolError.codeMismatch) { try await verify(fixture, token, code) }
    }
    #expect(try await fixture.user("jane")?.isVerified(.email) == false)
    await #expect(throws: UserPoolError.codeExpired) {
      try await verify(fixture, token, code, "phone_number")
    }
  }

  @Test func addressThatWaits() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.aliasAttributes = [.email]
      pool.verifiedBeforeUpdate = [.email]
    }
    try await fixture.addConfirmed("jane")
    let token = try await fixture.token(of: "jane")
    _ = try await update(fixture, token, [("email", "new@example.com")])
    var user = try #require(try await fixture.user("jane@example.com"))
    #expect(user.isVerified(.email))
    // Another code goes to the new address, too.
    #expect(
      try await sendCode(fixture, token, later: .seconds(1))
        == Destination(.email, "new@example.com"))
    try await verify(fixture, token, fixture.code(for: "new@example.com"))
    user = try #require(try await fixture.user("new@example.com"))
    #expect(user.isVerified(.email))
    #expect(user.pending.isEmpty)
    #expect(try await fixture.user("jane@example.com") == nil)
  }

  @Test func addressOfAnotherUser() async throws {
    for isPending in [false, true] {
      let fixture = try await AccountsFixture { pool, _ in
        pool.aliasAttributes = [.email]
        pool.verifiedBeforeUpdate = isPending ? [.email] : []
      }
      try await fixture.addConfirmed("jane")
      try await fixture.addConfirmed("eve", [("email", "eve@example.com")])
      let token = try await fixture.token(of: "eve")
      await #expect(throws: UserPoolError.aliasExists(attribute: "email")) {
        try await update(fixture, token, [("email", "jane@example.com")])
      }
      #expect(try await fixture.user("eve")?.isVerified(.email) == true)
    }
  }

  @Test func twoUsersVerifyOneAddress() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.aliasAttributes = [.email] }
    var tokens: [String] = []
    for name in ["jane", "eve"] {
      try await fixture.addConfirmed(name, [("email", "\(name)@example.com")])
      tokens.append(try await fixture.token(of: name))
      _ = try await update(fixture, tokens[tokens.count - 1], [("email", "new@example.com")])
    }
    let messages = try await fixture.messages().filter { $0.destination == "new@example.com" }
    let (jane, eve) = (
      try #require(messages.first { $0.userName == "jane" }).code,
      try #require(messages.first { $0.userName == "eve" }).code
    )
    try await verify(fixture, tokens[0], jane)
    await #expect(throws: UserPoolError.aliasExists(attribute: "email")) {
      try await verify(fixture, tokens[1], eve)
    }
    #expect(try await fixture.user("new@example.com")?.name == "jane")
    #expect(try await fixture.user("eve")?.isVerified(.email) == false)
  }

  @Test func codesForAddressesAreLimited() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    let token = try await fixture.token(of: "jane")
    for _ in 0..<5 { _ = try await sendCode(fixture, token, later: .seconds(1)) }
    await #expect(throws: UserPoolError.attemptLimitExceeded) { try await sendCode(fixture, token) }
    let wrong = AccountsFixture.other(try await fixture.code(for: "jane@example.com"))
    for _ in 0..<15 {
      await #expect(throws: UserPoolError.codeMismatch) { try await verify(fixture, token, wrong) }
    }
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await verify(fixture, token, wrong)
    }
  }

  @Test func attributesThatCannotBeVerified() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    let token = try await fixture.token(of: "jane")
    let error = UserPoolError.attributesRefused(
      rule: "Invalid attribute name. Only phone_number and email can be verified.")
    await #expect(throws: error) { try await sendCode(fixture, token, "name") }
    await #expect(throws: error) { try await verify(fixture, token, "123456", "name") }
    await #expect(
      throws: UserPoolError.attributesRefused(
        rule: "User does not have the attribute phone_number.")
    ) { try await sendCode(fixture, token, "phone_number") }
  }

  // MARK: Removal

  @Test func userDeletesHerself() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    let token = try await fixture.token(of: "jane")
    try await fixture.service.ownAccounts.deleteUser(accessToken: token, fixture.context())
    #expect(try await fixture.user("jane") == nil)
  }
}
