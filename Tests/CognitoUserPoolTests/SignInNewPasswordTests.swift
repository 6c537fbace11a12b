internal import Records
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// The challenge NEW_PASSWORD_REQUIRED.
@Suite struct SignInNewPasswordTests {
  static let new = "N3w-password"

  static func bench(_ change: (inout User) -> Void = { _ in }) async throws -> SignInBench {
    let bench = try await SignInBench(pool: {
      var name = SchemaAttribute()
      name.name = "name"
      name.isRequired = true
      var email = SchemaAttribute()
      email.name = "email"
      email.isRequired = true
      $0.schema = [name, email]
    })
    try await bench.addUser("alice") {
      $0.status = .forceChangePassword
      $0.attributes = ["email": "alice@example.com", "email_verified": "true"]
      change(&$0)
    }
    return bench
  }

  @Test func aNewPassword() async throws {
    let bench = try await Self.bench()
    let challenge = try await bench.signIn().challenge
    #expect(challenge.name == .newPasswordRequired)
    #expect(challenge.parameters["requiredAttributes"] == #"["userAttributes.name"]"#)
    #expect(
      challenge.parameters["userAttributes"] == #"{"email":"alice@example.com","email_verified":"true"}"#)
    func answer(_ responses: [ExactString: String]) async throws -> SignInOutcome {
      try await bench.respond(
        .newPasswordRequired, responses.merging(["USERNAME": "alice"]) { old, _ in old },
        session: challenge.session)
    }
    await #expect(throws: UserPoolError.parameterMissing("NEW_PASSWORD")) { try await answer([:]) }
    await #expect(
      throws: UserPoolError.attributesRefused(rule: "Invalid attributes given, name is missing")
    ) { try await answer(["NEW_PASSWORD": Self.new]) }
    await #expect(
      throws: UserPoolError.attributeProvided("email")
    ) {
      try await answer([
        "NEW_PASSWORD": Self.new, "userAttributes.name": "Alice", "userAttributes.email": "m@example.com",
      ])
    }
    let provided = UserPoolError.attributeProvided("email")
    #expect(provided.type == "NotAuthorizedException")
    #expect("\(provided)" == "Cannot modify an already provided email")
    await #expect(throws: UserPoolError.passwordRefused(rule: "Password not long enough")) {
      try await answer(["NEW_PASSWORD": "short", "userAttributes.name": "Alice"])
    }
    _ = try await answer(["NEW_PASSWORD": Self.new, "userAttributes.name": "Alice"]).tokens
    let user = try #require(try await bench.user())
    #expect(user.status == .confirmed && user.attribute("name") == "Alice")
    #expect(user.earlierPasswords.isEmpty && user.temporaryUntil == nil)
    await #expect(throws: UserPoolError.sessionUsed) {
      try await answer(["NEW_PASSWORD": "An0ther-one", "userAttributes.name": "Alice"])
    }
    _ = try await bench.signIn("alice", Self.new).tokens
    await #expect(throws: UserPoolError.passwordWrong) { try await bench.signIn() }
  }

  /// Another user's name in the answer takes no account.
  @Test func underAnotherName() async throws {
    let bench = try await Self.bench { $0.attributes["name"] = "Alice" }
    try await bench.addUser("victim") {
      $0.status = .forceChangePassword
      $0.attributes = ["name": "Victim", "email": "victim@example.com"]
    }
    let challenge = try await bench.signIn().challenge
    for name in ["victim", "nobody"] {
      await #expect(throws: UserPoolError.sessionInvalid) {
        try await bench.respond(
          .newPasswordRequired, ["USERNAME": name, "NEW_PASSWORD": Self.new], session: challenge.session)
      }
    }
    await #expect(throws: UserPoolError.parameterMissing("Session")) {
      try await bench.respond(.newPasswordRequired, ["USERNAME": "victim", "NEW_PASSWORD": Self.new])
    }
    let victim = try #require(try await bench.user("victim"))
    #expect(victim.status == .forceChangePassword)
    _ = try await bench.signIn("victim").challenge
    _ = try await bench.respond(
      .newPasswordRequired, ["USERNAME": "alice", "NEW_PASSWORD": Self.new], session: challenge.session
    ).tokens
  }

  /// The temporary password may stay; it is valid for a time.
  @Test func theTemporaryPassword() async throws {
    let bench = try await Self.bench { $0.attributes["name"] = "Alice" }
    let end = bench.now + .seconds(100)
    try await bench.change { $0.temporaryUntil = end }
    let challenge = try await bench.signIn().challenge
    bench.advance(.seconds(101))
    await #expect(throws: UserPoolError.temporaryPasswordExpired) { try await bench.signIn() }
    _ = try await bench.respond(
      .newPasswordRequired, ["USERNAME": "alice", "NEW_PASSWORD": SignInBench.password],
      session: challenge.session
    ).tokens
    _ = try await bench.signIn().tokens
  }

  /// A second factor follows the new password, with the session of the new password.
  @Test func aFactorFollows() async throws {
    let bench = try await SignInBench(pool: {
      $0.mfa = .on
      $0.hasSMSFactor = true
    })
    try await bench.addUser("alice") {
      $0.status = .forceChangePassword
      $0.attributes = ["phone_number": "+4915112345678", "phone_number_verified": "true"]
    }
    let first = try await bench.respond(.passwordVerifier, bench.proof()).challenge
    #expect(first.name == .newPasswordRequired)
    let second = try await bench.respond(
      .newPasswordRequired, ["USERNAME": "alice", "NEW_PASSWORD": Self.new], session: first.session
    ).challenge
    #expect(second.name == .smsMFA)
    let code = try await bench.sentCode(to: "+4915112345678")
    _ = try await bench.respond(
      .smsMFA, ["USERNAME": "alice", "SMS_MFA_CODE": code], session: second.session
    ).tokens
  }
}
