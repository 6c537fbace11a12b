internal import CognitoUserPool
internal import SigningKeyTesting
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Codes of users, and the messages that have them.
@Suite struct AccountsMessageTests {
  /// Of several requests at the same time the last message has the code that is valid: others that wait are
  /// withdrawn.
  @Test(arguments: StoreKind.allCases) func requestsAtTheSameTime(_ kind: StoreKind) async throws {
    let fixture = try await AccountsFixture(kind.make())
    try await fixture.addConfirmed("jane")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<6 { group.addTask { _ = try? await fixture.forget("jane") } }
    }
    let message = try await fixture.messages().filter { $0.kind == .forgotPassword }.only()
    try await fixture.reset("jane", message.code)
  }

  /// A message that may be under way is not overtaken: the next one is sent after it.
  @Test func aMessageUnderWay() async throws {
    let fixture = try await AccountsFixture()
    try await fixture.addConfirmed("jane")
    let delivery = MessageDelivery(fixture.service, sender: MessageMemory())
    try await delivery.sendDue(at: AccountsFixture.start)
    _ = try await fixture.forget("jane")
    let leased = try await fixture.store.write(at: AccountsFixture.start) { rows throws(UserPoolError) in
      try rows.leaseMessages(.email, limit: 8, for: .seconds(60))
    }
    #expect(leased.count == 1)
    _ = try await fixture.forget("jane")
    let sender = MessageMemory()
    let later = MessageDelivery(fixture.service, sender: sender)
    #expect(try await later.sendDue(at: AccountsFixture.start + .seconds(1)) == 0)
    #expect(try await later.sendDue(at: AccountsFixture.start + .seconds(2)) == 1)
    #expect(try await later.sendDue(at: AccountsFixture.start + .seconds(100)) == 0)
    try await fixture.reset("jane", try #require(sender.messages.first).code)
  }

  /// Whether CustomMessage fails does not show who exists, where that is hidden.
  @Test func aFailingHook() async throws {
    for hidesUsers in [true, false] {
      let fixture = try await AccountsFixture { pool, client in
        pool.hooks = RecordingHooks.arns(.customMessage)
        client.preventsExistenceErrors = hidesUsers
      }
      try await fixture.addConfirmed("jane")
      try await fixture.signUp("joe", [("email", "joe@example.com")])
      fixture.hooks.on(.customMessage) { _ throws(HookError) in throw .refused("no text") }
      let sent = try await fixture.messages().count
      let refused = UserPoolError.hookRefused(trigger: "CustomMessage", text: "no text")
      guard hidesUsers else {
        await #expect(throws: refused) { try await fixture.forget("jane") }
        await #expect(throws: refused) { try await fixture.resend("joe") }
        continue
      }
      for name in ["jane", "nobody"] {
        #expect(try await fixture.forget(name).masked.utf8.count == 9)
        await #expect(throws: UserPoolError.codeMismatch) { try await fixture.reset(name, "x") }
      }
      for name in ["joe", "noone"] {
        #expect(try await fixture.resend(name).masked.utf8.count == 9)
        await #expect(throws: UserPoolError.codeMismatch) { try await fixture.confirm(name, "x") }
      }
      #expect(try await fixture.messages().count == sent)
    }
  }

  /// A full outbox is the same for all names.
  @Test func aFullOutbox() async throws {
    let fixture = try await AccountsFixture { pool, client in
      pool.firstFactors = [.password, .emailCode]
      client.preventsExistenceErrors = true
    }
    try await fixture.addConfirmed("jane")
    try await fixture.signUp("joe", [("email", "joe@example.com")])
    var limits = OutboxCapacity.Limits()
    limits.rows = 0
    let service = UserPoolService(
      store: fixture.store, secrets: fixture.secrets, hooks: HookRunner(nil),
      outbox: OutboxCapacity(limits: limits), keyMaker: .vectors(from: 24))
    let full = UserPoolError.deliveryFailed(rule: "too many messages wait to be sent")
    for name in ["jane", "nobody"] {
      await #expect(throws: full) {
        try await service.passwordRecovery.forgotPassword(fixture.call(name), fixture.context())
      }
    }
    for name in ["joe", "noone"] {
      await #expect(throws: full) {
        try await service.signUps.resendConfirmationCode(fixture.call(name), fixture.context())
      }
    }
  }
}
