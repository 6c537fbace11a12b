internal import CognitoUserPool
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// `ConfirmSignUp` and `ResendConfirmationCode`.
@Suite struct AccountsConfirmationTests {
  @Test func wrongExpiredAndMissingCodes() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.signUp("jane")
    let code = try await fixture.code(for: "jane@example.com")
    await #expect(throws: UserPoolError.codeMismatch) {
      try await fixture.confirm("jane", AccountsFixture.other(code))
    }
    await #expect(throws: UserPoolError.codeExpired) {
      try await fixture.confirm("jane", code, later: .seconds(86_400))
    }
    try await fixture.signUp("joe", [])
    await #expect(throws: UserPoolError.codeExpired) { try await fixture.confirm("joe", code) }
    try await fixture.confirm("jane", code)
  }

  @Test func confirmedUser() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    await #expect(
      throws: UserPoolError.statusRefused("User cannot be confirmed. Current status is CONFIRMED")
    ) { try await fixture.confirm("jane", "000000") }
    await #expect(throws: UserPoolError.userConfirmedAlready) { try await fixture.resend("jane") }
    #expect(UserPoolError.userConfirmedAlready.publicMessage == "User is already confirmed.")
    #expect(UserPoolError.userConfirmedAlready.type == "InvalidParameterException")
  }

  @Test func disabledUser() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.signUp("jane")
    let code = try await fixture.code(for: "jane@example.com")
    try await fixture.change("jane") { $0.isEnabled = false }
    await #expect(throws: UserPoolError.userDisabled) { try await fixture.confirm("jane", code) }
    await #expect(throws: UserPoolError.userDisabled) { try await fixture.resend("jane") }
    #expect(try await fixture.user("jane")?.status == .unconfirmed)
  }

  @Test func codeOfAnotherUser() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.signUp("jane")
    try await fixture.signUp("eve", [("email", "eve@example.com")])
    let (own, foreign) = (
      try await fixture.code(for: "jane@example.com"),
      try await fixture.code(for: "eve@example.com")
    )
    if own != foreign {
      await #expect(throws: UserPoolError.codeMismatch) {
        try await fixture.confirm("jane", foreign)
      }
    }
    try await fixture.confirm("jane", own)
  }

  @Test func codeForAnEarlierAddress() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.signUp("jane")
    let code = try await fixture.code(for: "jane@example.com")
    try await fixture.change("jane") { $0.attributes["email"] = "victim@example.com" }
    await #expect(throws: UserPoolError.codeExpired) { try await fixture.confirm("jane", code) }
    #expect(try await fixture.user("jane")?.isVerified(.email) == false)
  }

  @Test func resentCodeReplacesTheOld() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.signUp("jane")
    let first = try await fixture.code(for: "jane@example.com")
    #expect(try await fixture.resend("jane", later: .seconds(1)).masked == "j***@e***")
    let second = try await fixture.code(for: "jane@example.com")
    if first != second {
      await #expect(throws: UserPoolError.codeMismatch) { try await fixture.confirm("jane", first) }
    }
    try await fixture.confirm("jane", second)
    // The first message still waited, and was withdrawn.
    #expect(try await fixture.messages().map(\.kind) == [.resendCode])
  }

  @Test func resendWithoutAddress() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.signUp("jane", [])
    let error = UserPoolError.addressUnusable(
      rule: "Cannot resend codes. Auto verification not turned on.")
    await #expect(throws: error) { try await fixture.resend("jane") }
    let off = try await AccountsFixture { pool, client in
      pool.autoVerified = []
      client.preventsExistenceErrors = true
    }
    // The same for users who do not exist.
    await #expect(throws: error) { try await off.resend("nobody") }
  }

  @Test func limits() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.signUp("jane")
    let code = try await fixture.code(for: "jane@example.com")
    for _ in 0..<15 {
      await #expect(throws: UserPoolError.codeMismatch) {
        try await fixture.confirm("jane", AccountsFixture.other(code))
      }
    }
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await fixture.confirm("jane", code)
    }
    for _ in 0..<5 { _ = try await fixture.resend("jane") }
    await #expect(throws: UserPoolError.attemptLimitExceeded) { try await fixture.resend("jane") }
    _ = try await fixture.resend("jane", later: .seconds(3_600))
    try await fixture.confirm(
      "jane", fixture.code(for: "jane@example.com"), later: .seconds(3_600))
  }

  @Test func guessingOverHours() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.signUp("jane")
    let code = try await fixture.code(for: "jane@example.com")
    for index in 0..<20 {
      await #expect(throws: UserPoolError.codeMismatch) {
        try await fixture.confirm(
          "jane", AccountsFixture.other(code), later: .seconds(index < 15 ? 0 : 3_600))
      }
    }
    await #expect(throws: UserPoolError.tooManyFailedAttempts) {
      try await fixture.confirm("jane", code, later: .seconds(3_600))
    }
  }

  @Test func guessesOfManyTasks() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.signUp("jane")
    let wrong = AccountsFixture.other(try await fixture.code(for: "jane@example.com"))
    let tried = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<40 {
        group.addTask {
          do throws(UserPoolError) {
            try await fixture.confirm("jane", wrong)
            return true
          } catch { return error == .codeMismatch }
        }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(tried == 15)
  }

  // MARK: Users who do not exist

  @Test func unknownUser() async throws {
    let fixture = try await AccountsFixture()
    await #expect(throws: UserPoolError.userUnknown) {
      try await fixture.confirm("nobody", "123456")
    }
    await #expect(throws: UserPoolError.userUnknown) { try await fixture.resend("nobody") }
  }

  @Test func hiddenUsers() async throws {
    let fixture = try await AccountsFixture { _, client in client.preventsExistenceErrors = true }
    try await fixture.addConfirmed("jane")
    for name in ["nobody", "jane"] {
      await #expect(throws: UserPoolError.codeMismatch) { try await fixture.confirm(name, "x") }
      let destination = try await fixture.resend(name)
      #expect(destination.masked.utf8.count == 9)
      #expect(try await fixture.resend(name) == destination)
      await #expect(throws: UserPoolError.codeMismatch) { try await fixture.confirm(name, "x") }
      for _ in 0..<3 { _ = try await fixture.resend(name) }
      await #expect(throws: UserPoolError.attemptLimitExceeded) { try await fixture.resend(name) }
      for _ in 0..<13 { try? await fixture.confirm(name, "x", later: .seconds(1)) }
    }
    for name in ["nobody", "jane"] {
      await #expect(throws: UserPoolError.attemptLimitExceeded) {
        try await fixture.confirm(name, "x", later: .seconds(1))
      }
    }
    // Nothing was sent but the code of the sign-up.
    #expect(try await fixture.messages().count == 1)
  }

  @Test func hiddenStatusIsToldWithTheCode() async throws {
    let fixture = try await AccountsFixture { _, client in client.preventsExistenceErrors = true }
    try await fixture.addConfirmed("jane")
    let code = try await fixture.code(for: "jane@example.com")
    await #expect(
      throws: UserPoolError.statusRefused("User cannot be confirmed. Current status is CONFIRMED")
    ) { try await fixture.confirm("jane", code) }
    await #expect(throws: UserPoolError.codeMismatch) {
      try await fixture.confirm("jane", AccountsFixture.other(code))
    }
  }
}
