internal import Records
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// A pool may say that each new password, and each reset, ends the user's sign-ins. Without that they stay.
@Suite struct PasswordEndsSessionsTests {
  /// Changes that give a user another password, or demand one.
  enum Change: String, CaseIterable, Sendable {
    case confirmForgotPassword, adminSetUserPassword, adminSetTemporaryPassword, adminResetUserPassword
    case changePassword
  }

  private static let next = "N3w-Passw0rd"

  private static func apply(
    _ change: Change, _ fixture: AccountsFixture, with token: String
  ) async throws -> CallSubject {
    let context = fixture.context(.seconds(5))
    let (service, pool) = (fixture.service, fixture.pool.id)
    switch change {
    case .confirmForgotPassword:
      _ = try await fixture.forget("jane", later: .seconds(4))
      let code = try await fixture.code(for: "jane@example.com")
      try await service.passwordRecovery.confirmForgotPassword(
        fixture.call("jane"), code: code, password: SecretText(next), context)
    case .adminSetUserPassword, .adminSetTemporaryPassword:
      try await service.users.setPassword(
        SecretText(next), of: "jane", in: pool, isPermanent: change == .adminSetUserPassword,
        context)
    case .adminResetUserPassword:
      try await service.users.resetPassword(of: "jane", in: pool, context)
    case .changePassword:
      try await service.ownAccounts.changePassword(
        token, previous: SecretText(AccountsFixture.password), proposed: SecretText(next), context)
    }
    return context.subject
  }

  @Test(arguments: Change.allCases, ["true", "false", nil])
  func signIns(_ change: Change, _ setting: String?) async throws {
    let fixture = try await AccountsFixture { pool, _ in
      if let setting { pool.tags[UserPool.endsSignInsTag] = setting }
    }
    try await fixture.addConfirmed("jane")
    let user = try #require(try await fixture.user("jane"))
    func issue() async throws -> IssuedTokens {
      try await fixture.service.sessions.issueTokens(
        SignInFacts(pool: fixture.pool, client: fixture.client, user: user, authTime: AccountsFixture.start),
        source: .signIn, context: fixture.context())
    }
    let (own, other) = (try await issue(), try await issue())
    let subject = try await Self.apply(change, fixture, with: own.accessToken)
    let ends = setting == "true"
    #expect(subject.hasEndedSignIns == ends)
    // The reset rests the sign-ins in any case: as if the user had set a password since.
    if change == .adminResetUserPassword {
      let error = ends ? UserPoolError.accessTokenRevoked : .passwordResetRequired
      await #expect(throws: error) {
        try await fixture.service.callers.tokenCaller(
          other.accessToken, context: fixture.context(.seconds(6)))
      }
      try await fixture.change("jane") { $0.status = .confirmed }
    }
    // The caller's own sign-in goes on where the user has just proved the password in it.
    let goesOn = !ends || change == .changePassword
    try await Self.expect(own, isLive: goesOn, fixture)
    try await Self.expect(other, isLive: !ends, fixture)
  }

  private static func expect(
    _ tokens: IssuedTokens, isLive: Bool, _ fixture: AccountsFixture
  ) async throws {
    let context = fixture.context(.seconds(7))
    func call() async throws {
      _ = try await fixture.service.callers.tokenCaller(tokens.accessToken, context: context)
    }
    func refresh() async throws {
      _ = try await fixture.service.sessions.refresh(
        RefreshRequest(
          pool: fixture.pool, client: fixture.client, token: try #require(tokens.refreshToken),
          secretHash: .checked, replaces: false), context: context)
    }
    guard !isLive else {
      try await call()
      return try await refresh()
    }
    await #expect(throws: UserPoolError.accessTokenRevoked) { try await call() }
    await #expect(throws: UserPoolError.refreshTokenRevoked) { try await refresh() }
  }

  /// The sign-in that replaces a temporary password is not ended by it.
  @Test func aTemporaryPassword() async throws {
    let bench = try await SignInBench(pool: { $0.tags[UserPool.endsSignInsTag] = "true" })
    try await bench.addUser { $0.status = .forceChangePassword }
    let challenge = try await bench.signIn().challenge
    let tokens = try await bench.respond(
      .newPasswordRequired, ["USERNAME": "alice", "NEW_PASSWORD": Self.next], session: challenge.session
    ).tokens
    let caller = try await bench.service.callers.tokenCaller(tokens.0.accessToken, context: bench.context)
    #expect(caller.user.epoch == 1)
  }

  /// A misspelt tag would change nothing, and is refused.
  @Test func tags() throws {
    for value in ["true", "false"] { try UserPool.check([UserPool.endsSignInsTag: value], "Tags") }
    for (name, value) in [
      ("identity-service:password-ends-sessions", "yes"), ("identity-service:password-ends-sessions", "TRUE"),
      ("identity-service:password-ends-session", "true"),
    ] {
      let error = #expect(throws: UserPoolError.self) {
        try UserPool.check([ExactString(name): value], "Tags")
      }
      #expect(error?.code == .parameterRefused)
    }
  }
}
