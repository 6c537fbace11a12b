internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// `SignUp`.
@Suite struct AccountsSignUpTests {
  @Test func codeConfirmsAndVerifies() async throws {
    let fixture = try await AccountsFixture()
    let signedUp = try await fixture.signUp("jane")
    #expect(signedUp.user.status == .unconfirmed)
    #expect(UUIDText.isUUID(signedUp.user.sub))
    #expect(signedUp.destination?.masked == "j***@e***")
    var user = try #require(try await fixture.user("jane"))
    #expect(user.attribute("email_verified") == "false")
    let message = try await fixture.messages().only()
    #expect(message.kind == .signUp)
    #expect(message.code.utf8.count == 6)
    try await fixture.confirm("jane", message.code)
    user = try #require(try await fixture.user("jane"))
    #expect(user.status == .confirmed)
    #expect(user.isVerified(.email))
    #expect(try await fixture.isPassword(AccountsFixture.password, of: "jane"))
    #expect(try await !fixture.isPassword("Passw0rd?", of: "jane"))
  }

  @Test func withoutAddressThereIsNoCode() async throws {
    let fixture = try await AccountsFixture()
    #expect(try await fixture.signUp("jane", []).destination == nil)
    // The pool does not verify telephone numbers.
    #expect(try await fixture.signUp("joe", [("phone_number", "+12065550100")]).destination == nil)
    #expect(try await fixture.messages().isEmpty)
  }

  @Test func telephoneComesFirst() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.autoVerified = [.email, .phoneNumber]
    }
    let both: AttributeRules.Given = [
      ("email", "jane@example.com"), ("phone_number", "+12065550100"),
    ]
    let signedUp = try await fixture.signUp("jane", both)
    #expect(signedUp.destination?.medium == .sms)
    #expect(try await fixture.messages().map(\.destination) == ["+12065550100"])
  }

  @Test func clientAndSecret() async throws {
    let fixture = try await AccountsFixture()
    var call = fixture.call("jane")
    call.clientID = "bbbbbbbbbbbbbbbbbbbbbbbbbb"
    let request = SignUpRequest(password: SecretText(AccountsFixture.password))
    await #expect(throws: UserPoolError.clientUnknown(call.clientID)) {
      try await fixture.service.signUps.signUp(call, request, fixture.context())
    }
    await #expect(throws: UserPoolError.secretHashMismatch(clientID: fixture.client.id)) {
      try await fixture.service.signUps.signUp(
        fixture.call("jane", secretHash: "AAAA"), request, fixture.context())
    }
  }

  @Test func refusals() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      var email = StandardAttributes.named("email") ?? SchemaAttribute()
      email.isRequired = true
      pool.schema = [email]
    }
    let given: AttributeRules.Given = [("email", "jane@example.com")]
    await #expect(throws: UserPoolError.passwordRefused(rule: "Password not long enough")) {
      try await fixture.signUp("jane", given, password: "Aa1!")
    }
    await #expect(
      throws: UserPoolError.attributesRefused(
        rule: "Attributes did not conform to the schema: email: The attribute is required")
    ) { try await fixture.signUp("jane", []) }
    await #expect(throws: UserPoolError.addressMalformed(attribute: "email")) {
      try await fixture.signUp("jane", [("email", "jane")])
    }
    await #expect(throws: UserPoolError.addressMalformed(attribute: "phone_number")) {
      try await fixture.signUp("jane", given + [("phone_number", "1")])
    }
    await #expect(throws: UserPoolError.attributeNotWritable) {
      try await fixture.signUp("jane", given + [("custom:role", "admin")])
    }
    await #expect(
      throws: UserPoolError.attributesRefused(
        rule: "Cannot modify the non-mutable attribute email_verified")
    ) { try await fixture.signUp("jane", given + [("email_verified", "true")]) }
    await #expect(
      throws: UserPoolError.parameterRefused(
        "Password", rule: "this user pool has no other first factor")
    ) { try await fixture.signUp("jane", given, password: nil) }
    #expect(try await fixture.user("jane") == nil)
  }

  @Test func poolOfAdministrators() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.isCreatedByAdministratorsOnly = true }
    await #expect(throws: UserPoolError.signUpNotPermitted) { try await fixture.signUp("jane") }
  }

  @Test func usersWithoutPassword() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.firstFactors = [.password, .emailCode]
    }
    try await fixture.signUp("jane", password: nil)
    let user = try #require(try await fixture.user("jane"))
    #expect(user.password == nil)
    #expect(try await !fixture.isPassword("", of: "jane"))
  }

  /// No user signs in with a passkey, so that a user of such a pool needs a password.
  @Test func passkeysAreNotBuilt() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.firstFactors = [.password, .webAuthn] }
    await #expect(
      throws: UserPoolError.parameterRefused(
        "Password", rule: "this user pool has no other first factor")
    ) { try await fixture.signUp("jane", password: nil) }
  }

  @Test func nameIsTaken() async throws {
    let fixture = try await AccountsFixture()
    let first = try await fixture.signUp("jane")
    await #expect(throws: UserPoolError.userExists) { try await fixture.signUp("jane") }
    // Case, width and normal forms make other names.
    for name in ["Jane", "ｊａｎｅ", "jane\u{301}", "jané"] { try await fixture.signUp(name, []) }
    #expect(try await fixture.user("jane")?.sub == first.user.sub)
    #expect(UserPoolError.userExists.publicMessage == "User already exists")
  }

  @Test func nameIsTakenInAnyCase() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.isCaseSensitive = false }
    try await fixture.signUp("Jane", [])
    for name in ["jane", "JANE"] {
      await #expect(throws: UserPoolError.userExists) { try await fixture.signUp(name, []) }
    }
    // The name stays as it was given.
    #expect(try await fixture.user("jANE")?.name == "Jane")
  }

  @Test func addressInPlaceOfAName() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.usernameAttributes = [.email]
      pool.isCaseSensitive = false
    }
    let signedUp = try await fixture.signUp("jane@example.com", [])
    #expect(signedUp.user.name == signedUp.user.sub)
    #expect(signedUp.destination?.address == "jane@example.com")
    // It serves although it is not verified.
    #expect(try await fixture.user("Jane@example.com")?.sub == signedUp.user.sub)
    // The user name, which later calls have.
    #expect(try await fixture.user(signedUp.user.sub)?.sub == signedUp.user.sub)
    await #expect(throws: UserPoolError.addressTaken(attribute: "email")) {
      try await fixture.signUp("JANE@example.com", [])
    }
    let error = UserPoolError.addressTaken(attribute: "email")
    #expect(error.type == "UsernameExistsException")
    #expect(error.publicMessage == "An account with the given email already exists.")
    await #expect(throws: UserPoolError.userNameRefused(rule: "Username should be an email.")) {
      try await fixture.signUp("jane", [])
    }
  }

  @Test func manyTasksWantOneName() async throws {
    let fixture = try await AccountsFixture()
    let made = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask { (try? await fixture.signUp("jane", [])) != nil }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(made == 1)
  }

  @Test func messageLimitLeavesTheUser() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.firstFactors = [.password, .emailCode]
    }
    for index in 0..<20 { try await fixture.signUp("jane\(index)", password: nil) }
    await #expect(throws: UserPoolError.attemptLimitExceeded) {
      try await fixture.signUp("jane20", password: nil)
    }
    #expect(try await fixture.user("jane20")?.status == .unconfirmed)
    #expect(try await fixture.messages().count == 20)
  }

  // MARK: Hooks

  @Test func preSignUpRefuses() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.hooks = RecordingHooks.arns(.preSignUp)
    }
    fixture.hooks.on(.preSignUp) { _ throws(HookError) in throw .refused("not you") }
    await #expect(throws: UserPoolError.hookRefused(trigger: "PreSignUp", text: "not you")) {
      try await fixture.signUp("jane")
    }
    #expect(try await fixture.user("jane") == nil)
    #expect(try await fixture.messages().isEmpty)
    #expect(fixture.hooks.sources == ["PreSignUp_SignUp"])
  }

  @Test func preSignUpConfirmsAndVerifies() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.hooks = RecordingHooks.arns(.preSignUp, .postConfirmation)
    }
    fixture.hooks.on(.preSignUp) { _ throws(HookError) in
      ["autoConfirmUser": true, "autoVerifyEmail": true]
    }
    let signedUp = try await fixture.signUp("jane")
    #expect(signedUp.user.status == .confirmed)
    #expect(signedUp.destination == nil)
    #expect(try await fixture.user("jane")?.isVerified(.email) == true)
    #expect(fixture.hooks.sources == ["PreSignUp_SignUp", "PostConfirmation_ConfirmSignUp"])
    // There is nothing to verify.
    await #expect(throws: UserPoolError.self) { try await fixture.signUp("joe", []) }
  }

  @Test func unreachableHookFailsTheCall() async throws {
    let fixture = try await AccountsFixture { pool, _ in pool.hooks = ["PreSignUp": "none"] }
    await #expect(throws: UserPoolError.self) { try await fixture.signUp("jane") }
    #expect(try await fixture.user("jane") == nil)
  }

  @Test func postConfirmationRefuses() async throws {
    let fixture = try await AccountsFixture { pool, _ in
      pool.hooks = RecordingHooks.arns(.postConfirmation)
    }
    fixture.hooks.on(.postConfirmation) { _ throws(HookError) in throw .refused("no") }
    try await fixture.signUp("jane")
    let code = try await fixture.code(for: "jane@example.com")
    await #expect(throws: UserPoolError.hookRefused(trigger: "PostConfirmation", text: "no")) {
      try await fixture.confirm("jane", code)
    }
    // It is called after the confirmation, which stays.
    #expect(try await fixture.user("jane")?.status == .confirmed)
  }
}
