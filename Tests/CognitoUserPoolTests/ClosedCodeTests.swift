internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// The operator learns of codes instead of a password that wrong ones close, also of names that no user has.
@Suite struct ClosedCodeTests {
  /// Notes of the calls with wrong codes, one after the other.
  private static func noted(
    _ bench: SignInBench, _ name: String, from address: String, _ count: Int
  ) async throws -> [ClosedCodes?] {
    var noted: [ClosedCodes?] = []
    for _ in 0..<count {
      bench.advance(.seconds(901))
      let session = try await bench.initiate(
        .userAuth, ["USERNAME": name, "PREFERRED_CHALLENGE": "EMAIL_OTP"], from: address
      ).challenge.session
      let context = bench.context(from: address)
      await #expect(throws: UserPoolError.mfaCodeMismatch) {
        try await bench.service.signIns.respond(
          ChallengeAnswer(
            clientID: bench.client.id, challenge: .emailOTP,
            responses: ["USERNAME": .init(name), "EMAIL_OTP_CODE": .init("x")], session: session), context)
      }
      #expect((context.subject.sub != nil) == (name == "alice"))
      noted.append(context.subject.closedCodes)
    }
    return noted
  }

  @Test func signIns() async throws {
    let bench = try await SignInChoiceTests.bench()
    let none = [ClosedCodes?](repeating: nil, count: 19)
    for name in ["alice", try await SignInChoiceTests.unknown(bench)] {
      for last in 1...2 {
        #expect(
          try await Self.noted(bench, name, from: "203.0.113.\(last)", 20)
            == none + [ClosedCodes(.emailOTP, [.address])])
      }
      #expect(
        try await Self.noted(bench, name, from: "203.0.113.3", 20) == none
          + [ClosedCodes(.emailOTP, [.address, .all])])
    }
  }

  /// A code for a new password is counted before it is compared: a right one closes nothing.
  @Test(arguments: [true, false]) func newPasswords(_ isRight: Bool) async throws {
    let fixture = try await AccountsFixture { _, client in client.preventsExistenceErrors = true }
    try await fixture.addConfirmed("jane")
    _ = try await fixture.forget("jane", later: .seconds(1))
    let code = try await fixture.code(for: "jane@example.com")
    for number in 1...20 {
      let context = fixture.context(.seconds(2))
      let isLast = number == 20
      let entered = isLast && isRight ? code : "wrong"
      let refused = await refusal {
        try await fixture.service.passwordRecovery.confirmForgotPassword(
          fixture.call("jane"), code: entered, password: SecretText("N3w-Passw0rd"), context)
      }
      #expect(refused.isEmpty == (isLast && isRight))
      let expected = isLast && !isRight ? ClosedCodes(.confirmForgotPassword, [.address]) : nil
      #expect(context.subject.closedCodes == expected)
    }
  }

  /// Nor does a right one whose password is refused.
  @Test func usedPasswords() async throws {
    let fixture = try await AccountsFixture { pool, client in
      pool.passwordPolicy.history = 2
      client.preventsExistenceErrors = true
    }
    try await fixture.addConfirmed("jane")
    _ = try await fixture.forget("jane", later: .seconds(1))
    let code = try await fixture.code(for: "jane@example.com")
    for _ in 1..<20 {
      await #expect(throws: UserPoolError.codeMismatch) {
        try await fixture.reset("jane", "wrong", later: .seconds(2))
      }
    }
    let context = fixture.context(.seconds(2))
    await #expect(throws: UserPoolError.passwordUsedBefore) {
      try await fixture.service.passwordRecovery.confirmForgotPassword(
        fixture.call("jane"), code: code, password: SecretText(AccountsFixture.password), context)
    }
    #expect(context.subject.closedCodes == nil)
  }
}
