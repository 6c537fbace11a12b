internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// A new password withdraws a code of ForgotPassword that was sent before: it could set the password again.
@Suite struct WithdrawnCodeTests {
  /// Calls that set a password.
  enum Change: String, CaseIterable, Sendable {
    case changePassword, permanent, temporary, newPasswordRequired, confirmForgotPassword, invitedAgain
  }

  private static let next = "N3w-Passw0rd"

  private static func apply(_ change: Change, _ bench: SignInBench, code: String) async throws {
    let service = bench.service
    switch change {
    case .changePassword:
      let access = try await bench.signIn().tokens.0.accessToken
      try await service.ownAccounts.changePassword(
        access, previous: SecretText(SignInBench.password), proposed: SecretText(next), bench.context)
    case .permanent, .temporary:
      try await service.users.setPassword(
        SecretText(next), of: "alice", in: bench.pool.id, isPermanent: change == .permanent,
        CallContext(at: bench.now))
    case .newPasswordRequired:
      // The code was sent while the password was set.
      try await bench.change { $0.status = .forceChangePassword }
      let session = try await bench.signIn().challenge.session
      _ = try await bench.respond(
        .newPasswordRequired, ["USERNAME": "alice", "NEW_PASSWORD": next], session: session
      ).tokens
    case .confirmForgotPassword:
      try await service.passwordRecovery.confirmForgotPassword(
        NamedCall(clientID: bench.client.id, userName: "alice"), code: code, password: SecretText(next),
        bench.context)
    case .invitedAgain:
      try await bench.change { $0.status = .forceChangePassword }
      var request = UserCreation()
      (request.poolID, request.name, request.invitation) = (bench.pool.id, "alice", .sentAgain)
      (request.temporaryPassword, request.media) = (SecretText(next), [.email])
      _ = try await service.users.createUser(request, CallContext(at: bench.now))
    }
    try await bench.change { $0.status = .confirmed }
  }

  @Test(arguments: Change.allCases) func newPasswords(_ change: Change) async throws {
    let bench = try await SignInBench()
    try await bench.addUser { $0.attributes = ["email": "alice@example.com", "email_verified": "true"] }
    let call = NamedCall(clientID: bench.client.id, userName: "alice")
    _ = try await bench.service.passwordRecovery.forgotPassword(call, bench.context)
    let code = try await bench.sentCode(to: "alice@example.com")
    try await Self.apply(change, bench, code: code)
    await #expect(throws: UserPoolError.codeExpired) {
      try await bench.service.passwordRecovery.confirmForgotPassword(
        call, code: code, password: SecretText("Thief-Passw0rd"), bench.context)
    }
    _ = try await bench.signIn("alice", Self.next).tokens
  }

  /// The message that waits is withdrawn with its code.
  @Test(arguments: [Change.changePassword, .permanent, .temporary, .newPasswordRequired])
  func messages(_ change: Change) async throws {
    let bench = try await SignInBench()
    try await bench.addUser { $0.attributes = ["email": "alice@example.com", "email_verified": "true"] }
    let call = NamedCall(clientID: bench.client.id, userName: "alice")
    _ = try await bench.service.passwordRecovery.forgotPassword(call, bench.context)
    func waiting() async throws -> Int {
      try await bench.service.store.read(at: bench.now, .fresh) { rows throws(UserPoolError) in
        try rows.count(UserPoolTables.outbox, limit: 10)
      }
    }
    #expect(try await waiting() == 1)
    try await Self.apply(change, bench, code: "")
    #expect(try await waiting() == 0)
  }
}
