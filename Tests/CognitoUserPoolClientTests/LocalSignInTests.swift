internal import OneTimeCodes
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPoolClient

/// Sign-ins against the service itself, on every path.
@Suite struct LocalSignInTests {
  static let password = LocalService.password
  static let addresses = [
    ("email", "jane@example.com"), ("email_verified", "true"), ("phone_number", "+12065550100"),
    ("phone_number_verified", "true"),
  ]

  static func secret(_ text: String = password) -> SecretBytes { SecretBytes(text.utf8.span) }

  /// Allows all second factors.
  static func allowFactors(_ service: LocalService, _ mode: String = "OPTIONAL") async throws {
    try await service.admin(
      "SetUserPoolMfaConfig",
      [
        "MfaConfiguration": .string(mode), "SoftwareTokenMfaConfiguration": ["Enabled": true],
        "SmsMfaConfiguration": [
          "SmsConfiguration": [
            "SnsCallerArn": "arn:aws:iam::123456789012:role/sms", "ExternalId": "tests",
          ]
        ], "EmailMfaConfiguration": ["Message": "{####}", "Subject": "code"],
      ])
  }

  /// Signs in with what needs nothing but a password.
  static func tokens(_ client: UserPoolClient, _ name: String = "jane") async throws -> IssuedTokens {
    try await client.signIn(username: name, password: secret()).done().tokens
  }

  /// A code that is certainly wrong.
  static func wrong(_ code: String) -> String {
    let digits = code.utf8.map { $0 == UInt8(ascii: "9") ? UInt8(ascii: "0") : $0 + 1 }
    return String(decoding: digits, as: UTF8.self)
  }

  @Test(arguments: [true, false], [SignInFlow.passwordSRP, .password].indices)
  func passwords(hasSecret: Bool, flow: Int) async throws {
    let options = SignInOptions(flow: flow == 0 ? .passwordSRP : .password)
    let service = try await LocalService(
      ["AliasAttributes": ["email"]], client: ["GenerateSecret": .bool(hasSecret)])
    try await service.addUser("jane", attributes: Self.addresses)
    let client = try service.makeClient()
    for name in ["jane", "jane@example.com"] {
      let step = try await client.signIn(username: name, options: options).password()
      let again = try await step.answer(Self.secret("Wrong-horse-1")).again("NotAuthorizedException")
      let signedIn = try await again.password().answer(Self.secret()).next().done()
      #expect(signedIn.username == name && signedIn.device == .untracked)
      let user = try await client.user(accessToken: signedIn.tokens.accessToken)
      #expect(user.username == "jane")
    }
  }

  @Test func passwordsByChoice() async throws {
    let service = try await LocalService([
      "Policies": ["SignInPolicy": ["AllowedFirstAuthFactors": ["PASSWORD", "EMAIL_OTP", "SMS_OTP"]]]
    ])
    try await service.addUser("jane", attributes: Self.addresses)
    let client = try service.makeClient()
    for factor in [FirstFactor.passwordSRP, .password] {
      let choice = try await client.signIn(username: "jane", options: SignInOptions(flow: .choice()))
        .firstFactorChoice()
      #expect(choice.available == [.passwordSRP, .password, .emailCode, .smsCode])
      let step = try await choice.choose(factor).next().password()
      let again = try await step.answer(Self.secret("Wrong-horse-1")).again("NotAuthorizedException")
      _ = try await again.password().answer(Self.secret()).next().done()
      _ = try await client.signIn(
        username: "jane", password: Self.secret(),
        options: SignInOptions(flow: .choice(preferred: factor))
      ).done()
    }
  }

  @Test(arguments: [FirstFactor.emailCode, .smsCode], [true, false])
  func codesAsFirstFactors(factor: FirstFactor, isPreferred: Bool) async throws {
    let service = try await LocalService([
      "Policies": ["SignInPolicy": ["AllowedFirstAuthFactors": ["PASSWORD", "EMAIL_OTP", "SMS_OTP"]]]
    ])
    try await service.addUser("jane", attributes: Self.addresses)
    let client = try service.makeClient()
    let options = SignInOptions(flow: .choice(preferred: isPreferred ? factor : nil))
    var step = try await client.signIn(username: "jane", options: options)
    if !isPreferred { step = try await step.firstFactorChoice().choose(factor).next() }
    #expect(step.name == (factor == .emailCode ? "e-mail code" : "SMS code"))
    let waiting = try step.code()
    #expect(waiting.delivery?.medium == (factor == .emailCode ? .email : .sms))
    #expect(waiting.delivery?.destination == (factor == .emailCode ? "j***@e***" : "+*******0100"))
    let code = try await service.code()
    #expect(code.utf8.count == (factor == .emailCode ? 8 : 6))
    let again = try await waiting.answer(Self.wrong(code)).again("CodeMismatchException")
    _ = try await again.code().answer(code).next().done()
  }

  @Test func usersWhoMayNotSignIn() async throws {
    let service = try await LocalService(["AutoVerifiedAttributes": ["email"]])
    let client = try service.makeClient()
    func refusal(_ name: String) async -> String {
      do {
        let outcome = try await client.signIn(username: name).password().answer(Self.secret())
        _ = try outcome.again { _ in true }
        return "again"
      } catch {
        guard case .refused(let type, _) = error as? UserPoolClientError else { return "\(error)" }
        return type
      }
    }
    #expect(await refusal("nobody") == "UserNotFoundException")
    _ = try await client.signUp(
      username: "sam", password: Self.secret(), attributes: [.email("sam@example.com")])
    #expect(await refusal("sam") == "UserNotConfirmedException")
    try await service.addUser("jane", attributes: Self.addresses)
    try await service.admin("AdminResetUserPassword", ["Username": "jane"])
    #expect(await refusal("jane") == "PasswordResetRequiredException")
    try await service.addUser("eve")
    try await service.admin("AdminDisableUser", ["Username": "eve"])
    #expect(await refusal("eve") == "again")
  }

  @Test func aFlowThatTheClientDoesNotAllow() async throws {
    let service = try await LocalService(client: ["ExplicitAuthFlows": ["ALLOW_USER_SRP_AUTH"]])
    try await service.addUser("jane")
    let client = try service.makeClient()
    for flow in [SignInFlow.password, .choice(preferred: .password)] {
      await #expect {
        _ = try await client.signIn(
          username: "jane", password: Self.secret(), options: SignInOptions(flow: flow)
        ).name
      } throws: {
        ($0 as? UserPoolClientError)?.isRefusal("InvalidParameterException") == true
      }
    }
  }

  /// The session of a confirmed sign-up signs in once.
  @Test func theSessionOfASignUp() async throws {
    let service = try await LocalService(["AutoVerifiedAttributes": ["email"]])
    let client = try service.makeClient()
    let signUp = try await client.signUp(
      username: "jane", password: Self.secret(), attributes: [.email("jane@example.com")])
    let confirmed = try await client.confirmSignUp(
      username: "jane", code: try await service.code(), session: signUp.session)
    let session = try #require(confirmed)
    let options = SignInOptions(flow: .confirmedSignUp(session))
    _ = try await client.signIn(username: "jane", options: options).done()
    await #expect {
      _ = try await client.signIn(username: "jane", options: options).name
    } throws: {
      ($0 as? UserPoolClientError)?.isRefusal("NotAuthorizedException") == true
    }
  }

  @Test(arguments: [true, false]) func aTemporaryPassword(hasSecret: Bool) async throws {
    let service = try await LocalService(
      [
        "Schema": [
          ["Name": "name", "AttributeDataType": "String", "Required": true, "Mutable": true],
          ["Name": "phone_number", "AttributeDataType": "String", "Required": true, "Mutable": true],
        ]
      ], client: ["GenerateSecret": .bool(hasSecret)])
    try await service.admin(
      "AdminCreateUser",
      [
        "Username": "jane", "MessageAction": "SUPPRESS", "TemporaryPassword": .string(Self.password),
        "UserAttributes": [["Name": "email", "Value": "jane@example.com"]],
      ])
    let client = try service.makeClient()
    var step = try await client.signIn(username: "jane", password: Self.secret()).newPassword()
    #expect(step.requiredAttributes.sorted() == ["name", "phone_number"])
    #expect(step.attributes.contains(.email("jane@example.com")))
    let attributes = [UserAttribute("name", "Jane"), .phoneNumber("+12065550100")]
    step = try await step.answer(Self.secret("short"), attributes: attributes)
      .again("InvalidPasswordException").newPassword()
    step = try await step.answer(Self.secret("New-horse-10")).again("InvalidParameterException")
      .newPassword()
    step = try await step.answer(
      Self.secret("New-horse-10"), attributes: [UserAttribute("name", "Jane"), .phoneNumber("0206 555")]
    ).again { $0.code == .inputInvalid }.newPassword()
    #expect(step.requiredAttributes.sorted() == ["name", "phone_number"])
    let signedIn = try await step.answer(Self.secret("New-horse-10"), attributes: attributes).next().done()
    let user = try await client.user(accessToken: signedIn.tokens.accessToken)
    #expect(user["name"] == "Jane" && user["phone_number"] == "+12065550100")
    _ = try await client.signIn(username: "jane", password: Self.secret("New-horse-10")).done()
  }
}
