internal import CognitoUserPool
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// `ForgotPassword` and `ConfirmForgotPassword`.
@Suite struct AccountsRecoveryTests {
  @Test func codeSetsAPassword() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    #expect(
      try await fixture.forget("jane", later: .seconds(1))
        == Destination(.email, "jane@example.com"))
    let code = try await fixture.code(for: "jane@example.com")
    await #expect(throws: UserPoolError.codeMismatch) {
      try await fixture.reset("jane", AccountsFixture.other(code))
    }
    try await fixture.reset("jane", code)
    #expect(try await fixture.isPassword("N3w-Passw0rd", of: "jane"))
    #expect(try await !fixture.isPassword(AccountsFixture.password, of: "jane"))
    // It serves once.
    await #expect(throws: UserPoolError.codeExpired) { try await fixture.reset("jane", code) }
  }

  @Test func refusedPasswordLeavesTheCode() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.passwordPolicy.history = 2 }
    try await fixture.addConfirmed("jane")
    _ = try await fixture.forget("jane", later: .seconds(1))
    let code = try await fixture.code(for: "jane@example.com")
    for _ in 0..<30 {
      await #expect(throws: UserPoolError.passwordRefused(rule: "Password not long enough")) {
        try await fixture.reset("jane", code, password: "short")
      }
    }
    await #expect(throws: UserPoolError.passwordUsedBefore) {
      try await fixture.reset("jane", code, password: AccountsFixture.password)
    }
    // Nobody learns about earlier passwords without the code.
    await #expect(throws: UserPoolError.codeMismatch) {
      try await fixture.reset(
        "jane", AccountsFixture.other(code), password: AccountsFixture.password)
    }
    try await fixture.reset("jane", code)
    #expect(try await fixture.user("jane")?.earlierPasswords.count == 1)
  }

  @Test func statuses() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.hooks = RecordingHooks.arns(.postConfirmation)
    }
    try await fixture.addConfirmed("jane")
    try await fixture.change("jane") { $0.status = .forceChangePassword }
    await #expect(
      throws: UserPoolError.statusRefused("User password cannot be reset in the current state.")
    ) { try await fixture.forget("jane") }
    try await fixture.change("jane") { $0.status = .resetRequired }
    _ = try await fixture.forget("jane", later: .seconds(1))
    try await fixture.reset("jane", fixture.code(for: "jane@example.com"))
    #expect(try await fixture.user("jane")?.status == .confirmed)
    #expect(fixture.hooks.sources.last == "PostConfirmation_ConfirmForgotPassword")
    try await fixture.change("jane") { $0.isEnabled = false }
    await #expect(throws: UserPoolError.userDisabled) { try await fixture.forget("jane") }
    await #expect(throws: UserPoolError.userDisabled) { try await fixture.reset("jane", "x") }
  }

  @Test func noVerifiedAddress() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.signUp("jane")
    await #expect(throws: UserPoolError.noVerifiedAddress) { try await fixture.forget("jane") }
    let error = UserPoolError.noVerifiedAddress
    #expect(error.type == "InvalidParameterException")
    #expect(
      error.publicMessage
        == "Cannot reset password for the user as there is no registered/verified email or phone_number"
    )
  }

  @Test func administratorsOnly() async throws {
    let fixture = try await AccountsFixture { pool, client in
      pool.recovery = [.administratorOnly]
      client.preventsExistenceErrors = true
    }
    try await fixture.addConfirmed("jane")
    for name in ["jane", "nobody"] {
      await #expect(throws: UserPoolError.resetByAdministratorOnly) {
        try await fixture.forget(name)
      }
    }
  }

  @Test func codeForAnEarlierAddress() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    _ = try await fixture.forget("jane", later: .seconds(1))
    let code = try await fixture.code(for: "jane@example.com")
    try await fixture.change("jane") { $0.attributes["email"] = "new@example.com" }
    await #expect(throws: UserPoolError.codeExpired) { try await fixture.reset("jane", code) }
    #expect(try await fixture.isPassword(AccountsFixture.password, of: "jane"))
  }

  @Test func codesEndAndAreLimited() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    _ = try await fixture.forget("jane", later: .seconds(1))
    let code = try await fixture.code(for: "jane@example.com")
    await #expect(throws: UserPoolError.codeExpired) {
      try await fixture.reset("jane", code, later: .seconds(3_601))
    }
    for _ in 0..<19 { _ = try await fixture.forget("jane", later: .seconds(2)) }
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await fixture.forget("jane", later: .seconds(3))
    }
  }

  @Test func signUpCodeSetsNoPassword() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    let code = try await fixture.code(for: "jane@example.com")
    await #expect(throws: UserPoolError.codeExpired) { try await fixture.reset("jane", code) }
  }

  @Test func unknownUser() async throws {
    let fixture = try await AccountsFixture()
    await #expect(throws: UserPoolError.userUnknown) { try await fixture.forget("nobody") }
    await #expect(throws: UserPoolError.userUnknown) { try await fixture.reset("nobody", "123456") }
  }

  /// Users who do not exist, who are disabled and who have no address look alike.
  @Test func hiddenUsers() async throws {
    let fixture = try await AccountsFixture { _, client in client.preventsExistenceErrors = true }
    try await fixture.addConfirmed("disabled")
    try await fixture.change("disabled") { $0.isEnabled = false }
    try await fixture.signUp("unconfirmed", [])
    try await fixture.addConfirmed("forced", [("email", "forced@example.com")])
    try await fixture.change("forced") { $0.status = .forceChangePassword }
    let sent = try await fixture.messages().count
    for name in ["nobody", "disabled", "unconfirmed", "forced"] {
      await #expect(throws: UserPoolError.codeMismatch) { try await fixture.reset(name, "123456") }
      let destination = try await fixture.forget(name)
      #expect(destination.medium == .email)
      #expect(destination.masked.utf8.count == 9)
      #expect(try await fixture.forget(name) == destination)
      await #expect(throws: UserPoolError.codeMismatch) { try await fixture.reset(name, "123456") }
      await #expect(throws: UserPoolError.passwordRefused(rule: "Password not long enough")) {
        try await fixture.reset(name, "123456", password: "short")
      }
      for _ in 0..<18 { _ = try await fixture.forget(name) }
      await #expect(throws: UserPoolError.attemptLimitExceeded) { try await fixture.forget(name) }
    }
    #expect(try await fixture.messages().count == sent)
  }

  /// Names of nobody find the row of the only user, whose limits they leave alone.
  @Test func limitsOfNobodyAreNoUsers() async throws {
    let fixture = try await AccountsFixture { _, client in client.preventsExistenceErrors = true }
    try await fixture.addConfirmed("jane")
    for name in ["aaron", "zoe"] {
      for _ in 0..<20 { _ = try await fixture.forget(name) }
      await #expect(throws: UserPoolError.attemptLimitExceeded) { try await fixture.forget(name) }
      for _ in 0..<20 {
        await #expect(throws: UserPoolError.codeMismatch) { try await fixture.reset(name, "123456") }
      }
    }
    for _ in 0..<20 { _ = try await fixture.forget("jane", later: .seconds(1)) }
    try await fixture.reset("jane", try await fixture.code(for: "jane@example.com"), later: .seconds(1))
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await fixture.forget("jane", later: .seconds(1))
    }
  }

  @Test func unknownAddressIsMaskedAsTyped() async throws {
    let fixture = try await AccountsFixture { pool, client in
      pool.aliasAttributes = [.email]
      client.preventsExistenceErrors = true
    }
    #expect(try await fixture.forget("who@somewhere.example").masked == "w***@s***")
  }

  /// How an address was typed does not show whether a user has it.
  @Test func masksIgnoreCaseAsNamesDo() async throws {
    let fixture = try await AccountsFixture { pool, client in
      pool.aliasAttributes = [.email]
      pool.isCaseSensitive = false
      client.preventsExistenceErrors = true
    }
    try await fixture.addConfirmed("jane")
    #expect(try await fixture.forget("JANE@EXAMPLE.COM").masked == "j***@e***")
    #expect(try await fixture.forget("NOBODY@EXAMPLE.COM").masked == "n***@e***")
  }

  @Test func migration() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.hooks = RecordingHooks.arns(.userMigration)
    }
    fixture.hooks.on(.userMigration) { event throws(HookError) in
      guard event["userName"]?.string == "jane" else { return [:] }
      return [
        "userAttributes": .object(["email": "jane@example.com", "email_verified": "true", "sub": "old"])
      ]
    }
    await #expect(throws: UserPoolError.userUnknown) { try await fixture.forget("nobody") }
    #expect(try await fixture.forget("jane").address == "jane@example.com")
    let user = try #require(try await fixture.user("jane"))
    #expect(user.status == .resetRequired)
    #expect(UUIDText.isUUID(user.sub))
    try await fixture.reset("jane", fixture.code(for: "jane@example.com"))
    #expect(try await fixture.user("jane")?.status == .confirmed)
    #expect(
      fixture.hooks.sources == ["UserMigration_ForgotPassword", "UserMigration_ForgotPassword"])
  }

  @Test func manyTasksEnterOneCode() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    _ = try await fixture.forget("jane", later: .seconds(1))
    let code = try await fixture.code(for: "jane@example.com")
    let done = await withTaskGroup(of: Bool.self) { group in
      for index in 0..<6 {
        group.addTask {
          (try? await fixture.reset("jane", code, password: "N3w-Passw0rd\(index)")) != nil
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(done == 1)
  }
}
