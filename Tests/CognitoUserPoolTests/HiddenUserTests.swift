internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// Answers about names that no user has, and about users: names and destinations.
@Suite struct HiddenUserTests {
  /// One unknown name has one destination, whichever operation shows it.
  @Test func oneDestination() async throws {
    let bench = try await SignInChoiceTests.bench(pool: { $0.autoVerified = [.email] })
    var seen = 0
    for number in 0..<32 {
      let name = "nobody\(number)"
      let answer = try await bench.initiate(
        .userAuth, ["USERNAME": name, "PREFERRED_CHALLENGE": "EMAIL_OTP"]
      ).challenge
      guard answer.name == .emailOTP else { continue }
      seen += 1
      let reset = try await bench.service.passwordRecovery.forgotPassword(
        NamedCall(clientID: bench.client.id, userName: name), bench.context)
      #expect(answer.parameters["CODE_DELIVERY_DESTINATION"] == reset.masked)
      #expect(reset.masked.utf8.count == 9)
    }
    #expect(seen > 0)
  }

  /// So has one user, whether an operation sends a code or not.
  @Test(arguments: ["confirmed", "unverified", "unconfirmed", "forced", "disabled"])
  func oneDestinationOfUsers(_ state: String) async throws {
    let bench = try await SignInChoiceTests.bench(pool: { $0.autoVerified = [.email] })
    try await bench.addUser("jane") {
      $0.attributes = ["email": "zoe@yard.example"]
      if state != "unverified" && state != "unconfirmed" { $0.attributes["email_verified"] = "true" }
      if state == "unconfirmed" { $0.status = .unconfirmed }
      if state == "forced" { $0.status = .forceChangePassword }
      if state == "disabled" { $0.isEnabled = false }
    }
    let call = NamedCall(clientID: bench.client.id, userName: "jane")
    #expect(
      try await bench.service.passwordRecovery.forgotPassword(call, bench.context).masked == "z***@y***")
    #expect(try await bench.service.signUps.resendConfirmationCode(call, bench.context).masked == "z***@y***")
    guard state == "confirmed" else { return }
    let answer = try await bench.initiate(
      .userAuth, ["USERNAME": "jane", "PREFERRED_CHALLENGE": "EMAIL_OTP"]
    ).challenge
    #expect(answer.parameters["CODE_DELIVERY_DESTINATION"] == "z***@y***")
  }

  /// The typed address is shown, also where a later call has the shown name.
  @Test func theTypedAddress() async throws {
    let bench = try await SignInChoiceTests.bench(pool: { $0.usernameAttributes = [.email] })
    let name = try await SignInChoiceTests.unknown(bench)
    let selection = try await bench.initiate(.userAuth, ["USERNAME": name]).challenge
    let shown = try #require(selection.parameters["USER_ID_FOR_SRP"])
    #expect(UUIDText.isUUID(shown))
    let answer = try await bench.respond(
      .selectChallenge, ["USERNAME": shown, "ANSWER": "EMAIL_OTP"], session: selection.session
    ).challenge
    #expect(answer.parameters["CODE_DELIVERY_DESTINATION"] == "n***@e***")
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var recovery: [RecoveryOption]?
    var verified: [VerifiedAttribute] = [.phoneNumber, .email]
    var alias: [AliasAttribute] = []
    var required: [String] = []
    var mfa = MFAMode.off
    var name = "nobody"
    /// The tag of the pool.
    var medium: String?
    /// Of a reset and of a sign-up.
    let reset, signUp: VerifiedAttribute

    var testDescription: String { "\(recovery ?? []) \(verified) \(alias) \(required) \(mfa) \(name)" }
  }

  static let email = "nobody@example.com"

  static let cases: [Case] = [
    Case(reset: .phoneNumber, signUp: .phoneNumber),
    Case(verified: [.email], reset: .email, signUp: .email),
    Case(recovery: [.verifiedEmail, .verifiedPhone], reset: .email, signUp: .phoneNumber),
    Case(recovery: [.verifiedPhone, .verifiedEmail], verified: [.email], reset: .email, signUp: .email),
    // The destination that a user of the name has for certain goes first.
    Case(alias: [.email], name: email, reset: .email, signUp: .email),
    Case(name: email, reset: .phoneNumber, signUp: .phoneNumber),
    Case(required: ["email"], reset: .email, signUp: .email),
    // The number is the second factor.
    Case(
      recovery: [.verifiedPhone, .verifiedEmail], mfa: .on, reset: .email, signUp: .phoneNumber),
    Case(recovery: [.verifiedPhone], mfa: .on, reset: .phoneNumber, signUp: .phoneNumber),
    Case(verified: [], reset: .phoneNumber, signUp: .email),
    // A pool whose users have addresses that its administrator verifies.
    Case(verified: [], medium: "EMAIL", reset: .email, signUp: .email),
    Case(verified: [.email], medium: "SMS", reset: .phoneNumber, signUp: .email),
    Case(
      recovery: [.verifiedEmail, .verifiedPhone], medium: "SMS", reset: .phoneNumber, signUp: .phoneNumber),
    Case(
      recovery: [.verifiedPhone, .verifiedEmail], mfa: .on, medium: "SMS", reset: .phoneNumber,
      signUp: .phoneNumber),
    // An address that a user of the name has, before it in the pool's order.
    Case(
      recovery: [.verifiedEmail, .verifiedPhone], alias: [.email], name: email, medium: "SMS", reset: .email,
      signUp: .email),
    Case(verified: [], alias: [.email], name: email, medium: "SMS", reset: .phoneNumber, signUp: .email),
    // One that serves for no new password.
    Case(recovery: [.verifiedEmail], medium: "SMS", reset: .email, signUp: .phoneNumber),
  ]

  /// Simulated destinations follow the order of real ones.
  @Test(arguments: cases) func attributes(_ given: Case) {
    var pool = UserPool()
    pool.recovery = given.recovery
    pool.autoVerified = given.verified
    pool.aliasAttributes = given.alias
    pool.mfa = given.mfa
    pool.hasSMSFactor = true
    pool.tags[UserPool.unknownUsersMediumTag] = given.medium
    pool.schema = given.required.map { name in
      var attribute = SchemaAttribute()
      attribute.name = name
      attribute.isRequired = true
      return attribute
    }
    #expect(pool.simulatedAttribute(.forgottenPassword, named: given.name) == given.reset)
    #expect(pool.simulatedAttribute(.signUp, named: given.name) == given.signUp)
  }

  /// The pool of an administrator who verifies e-mail: users and unknown names are shown the same medium.
  @Test func administratorsVerify() async throws {
    let place = try await TestPool(
      ["UserPoolTags": ["identity-service:unknown-users-medium": "EMAIL"]],
      client: ["PreventUserExistenceErrors": "ENABLED"])
    try await place.addUser("jane", attributes: ["email": "jane@example.com", "email_verified": "true"])
    for name in ["jane", "nobody"] {
      let sent = try await place.call(
        "ForgotPassword", ["ClientId": .string(place.client.id), "Username": .string(name)])
      let delivery = try #require(sent["CodeDeliveryDetails"]?.object)
      #expect(delivery["DeliveryMedium"]?.string == "EMAIL")
      #expect(delivery["AttributeName"]?.string == "email")
    }
  }

  /// Tags of this service have one spelling.
  @Test(
    arguments: [
      ["identity-service:unknown-users-medium": "Email"], ["identity-service:unknown-users-medium": ""],
      ["identity-service:unknown-user-medium": "EMAIL"],
    ] as [JSONObject])
  func misspeltTags(_ tags: JSONObject) async throws {
    let code = "user_pool_parameter_refused"
    #expect(await errorCode { _ = try await TestPool(["UserPoolTags": .object(tags)]) } == code)
    let place = try await TestPool()
    let pool = try await place.admin("DescribeUserPool")["UserPool"]?.object
    let arn = try #require(pool?["Arn"])
    #expect(
      await errorCode { try await place.call("TagResource", ["ResourceArn": arn, "Tags": .object(tags)]) }
        == code)
    #expect(
      await errorCode { try await place.admin("UpdateUserPool", ["UserPoolTags": .object(tags)]) } == code)
  }

  /// In a pool that ignores case, capitals show neither that a user exists nor that none does.
  @Test func namesAndMasksHaveNoCapitals() async throws {
    let bench = try await SignInBench(
      pool: {
        $0.isCaseSensitive = false
        $0.firstFactors = [.password, .emailCode]
      }, client: { $0.preventsExistenceErrors = true })
    try await bench.addUser("Alice") {
      $0.attributes = ["email": "Alice@Example.com", "email_verified": "true"]
    }
    for name in ["ALICE", "NOBODY"] {
      let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: name)
      let challenge = try await bench.initiate(.userSRPAuth, client.request.parameters.exact).challenge
      #expect(challenge.parameters["USER_ID_FOR_SRP"] == name.lowercasedASCII)
      #expect(challenge.parameters["USERNAME"] == name.lowercasedASCII)
      let proof = try bench.proof(client, challenge, SignInBench.password)
      guard name == "ALICE" else { continue }
      _ = try await bench.respond(.passwordVerifier, proof).tokens
    }
    #expect(try await bench.user()?.name == "Alice")
    _ = try await bench.signIn("aLICE").tokens
    let code = try await bench.initiate(
      .userAuth, ["USERNAME": "Alice", "PREFERRED_CHALLENGE": "EMAIL_OTP"]
    ).challenge
    #expect(code.parameters["CODE_DELIVERY_DESTINATION"] == "a***@e***")
    #expect(code.parameters["USER_ID_FOR_SRP"] == "alice")
  }

  /// Names have 128 characters, not bytes.
  @Test func longNames() async throws {
    let bench = try await SignInBench(client: { $0.preventsExistenceErrors = true })
    let long = String(repeating: "\u{E9}", count: 128)
    let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: long)
    let challenge = try await bench.initiate(.userSRPAuth, client.request.parameters.exact).challenge
    #expect(challenge.parameters["USER_ID_FOR_SRP"] == long)
    let refused = UserPoolError.parameterRefused(
      "USERNAME", rule: "it must be 1 to 128 letters, marks, symbols, numbers and punctuation characters")
    for name in [long + "e", "two words"] {
      await #expect(throws: refused) { try await bench.signIn(name) }
      await #expect(throws: refused) {
        try await bench.respond(.passwordVerifier, ["USERNAME": name], session: challenge.session)
      }
    }
  }

  /// In a pool without passwords among the first factors, unknown names are offered something, too.
  @Test func offersWithoutPasswords() async throws {
    let bench = try await SignInChoiceTests.bench(pool: { $0.firstFactors = [.emailCode] })
    for number in 0..<32 {
      let answer = try await bench.initiate(.userAuth, ["USERNAME": "nobody\(number)"]).challenge
      #expect(!answer.available.isEmpty)
    }
  }

  /// A code for a new password never goes to what a sign-in may ask for as the second factor.
  @Test(arguments: [MFAMode.on, .optional]) func factorsThatWereNotEnabled(_ mfa: MFAMode) {
    var pool = UserPool()
    pool.mfa = mfa
    (pool.hasSMSFactor, pool.hasSoftwareTokenFactor) = (true, true)
    pool.recovery = [.verifiedPhone, .verifiedEmail]
    var user = User()
    user.attributes = ["phone_number": "+12065550100", "phone_number_verified": "true"]
    #expect(pool.recoveryAttribute(of: user) == (mfa == .on ? nil : .phoneNumber))
    user.attributes["email"] = "jane@example.com"
    user.attributes["email_verified"] = "true"
    #expect(pool.recoveryAttribute(of: user) == (mfa == .on ? .email : .phoneNumber))
    (user.softwareToken, user.softwareTokenFactor) = ([1], true)
    #expect(pool.recoveryAttribute(of: user) == .phoneNumber)
    user.smsFactor = true
    #expect(pool.recoveryAttribute(of: user) == .email)
  }
}
