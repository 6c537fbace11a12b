internal import OneTimeCodes
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPoolClient

/// Second factors against the service itself.
@Suite struct LocalFactorTests {
  private static func secret(_ text: String = LocalService.password) -> SecretBytes {
    SecretBytes(text.utf8.span)
  }

  /// An authenticator app of a user, verified, and the code that this has used.
  private static func addSoftwareToken(
    _ service: LocalService, _ client: UserPoolClient, _ accessToken: String
  ) async throws -> (totp: TOTP, used: String) {
    let made = try await client.associateSoftwareToken(accessToken: accessToken)
    let totp = try made.uri(issuer: "Example", account: "jane").totp()
    let used = try totp.code(at: service.now)
    try await client.verifySoftwareToken(code: used, deviceName: "phone", accessToken: accessToken)
    return (totp, used)
  }

  @Test(arguments: [MFAMethod.sms, .email], [true, false])
  func codesInMessages(factor: MFAMethod, hasSecret: Bool) async throws {
    let service = try await LocalService(client: ["GenerateSecret": .bool(hasSecret)])
    try await LocalSignInTests.allowFactors(service)
    try await service.addUser("jane", attributes: LocalSignInTests.addresses)
    let client = try service.makeClient()
    let tokens = try await LocalSignInTests.tokens(client)
    try await client.setMFAPreference(
      sms: factor == .sms ? .preferred : nil, email: factor == .email ? .preferred : nil,
      accessToken: tokens.accessToken)
    let step = try await client.signIn(username: "jane", password: Self.secret())
    #expect(step.name == (factor == .sms ? "SMS code" : "e-mail code"))
    let waiting = try step.code()
    #expect(waiting.delivery?.attribute == (factor == .sms ? "phone_number" : "email"))
    let code = try await service.code()
    var again = try await waiting.answer(LocalSignInTests.wrong(code)).again("CodeMismatchException")
    again = try await again.code().answer("none at all").again { $0.code == .inputInvalid }
    _ = try await again.code().answer(code).next().done()
  }

  @Test func codesOfAnAuthenticatorApp() async throws {
    let service = try await LocalService()
    try await LocalSignInTests.allowFactors(service)
    try await service.addUser("jane")
    let client = try service.makeClient()
    let tokens = try await LocalSignInTests.tokens(client)
    let (totp, used) = try await Self.addSoftwareToken(service, client, tokens.accessToken)
    try await client.setMFAPreference(softwareToken: .preferred, accessToken: tokens.accessToken)
    let step = try await client.signIn(username: "jane", password: Self.secret())
    #expect(step.name == "software token code")
    let waiting = try step.code()
    #expect(waiting.deviceName == "phone" && waiting.delivery == nil)
    var again = try await waiting.answer(used).again("ExpiredCodeException")
    service.advance(.seconds(30))
    let code = try totp.code(at: service.now)
    again = try await again.code().answer(LocalSignInTests.wrong(code)).again("CodeMismatchException")
    _ = try await again.code().answer(code).next().done()
  }

  @Test func aChoiceOfFactors() async throws {
    let service = try await LocalService()
    try await LocalSignInTests.allowFactors(service)
    try await service.addUser("jane", attributes: LocalSignInTests.addresses)
    let client = try service.makeClient()
    let tokens = try await LocalSignInTests.tokens(client)
    let (totp, _) = try await Self.addSoftwareToken(service, client, tokens.accessToken)
    try await client.setMFAPreference(
      sms: .on, softwareToken: .on, email: .on, accessToken: tokens.accessToken)
    service.advance(.seconds(30))
    for factor in [MFAMethod.sms, .email, .softwareToken] {
      let choice = try await client.signIn(username: "jane", password: Self.secret()).factorChoice()
      #expect(Set(choice.available) == [.sms, .email, .softwareToken])
      let waiting = try await choice.choose(factor).next().code()
      #expect((waiting.delivery == nil) == (factor == .softwareToken))
      let code =
        factor == .softwareToken ? try totp.code(at: service.now) : try await service.code()
      _ = try await waiting.answer(code).next().done()
    }
    try await client.setMFAPreference(email: .off, accessToken: tokens.accessToken)
    let choice = try await client.signIn(username: "jane", password: Self.secret()).factorChoice()
    let again = try await choice.choose(.email).again { $0.code == .inputInvalid }
    #expect(again.name == "choice of a factor")
  }

  @Test(arguments: [true, false]) func theSetUpOfAnAuthenticatorApp(hasSecret: Bool) async throws {
    let service = try await LocalService(client: ["GenerateSecret": .bool(hasSecret)])
    try await LocalSignInTests.allowFactors(service, "ON")
    try await service.addUser("jane")
    let client = try service.makeClient()
    let setUp = try await client.signIn(username: "jane", password: Self.secret()).factorSetUp()
    #expect(setUp.available.contains(.softwareToken))
    let waiting = try await setUp.setUpSoftwareToken().next().softwareTokenSetUp()
    let totp = try waiting.secret.uri(issuer: "Example", account: "jane").totp()
    let time = service.now
    let code = try totp.code(at: time)
    let again = try await waiting.answer(LocalSignInTests.wrong(code))
      .again("EnableSoftwareTokenMFAException").softwareTokenSetUp()
    // The same secret.
    let same = try again.secret.uri(issuer: "Example", account: "jane").totp().code(at: time)
    #expect(same == code)
    _ = try await again.answer(code, deviceName: "phone").next().done()
    service.advance(.seconds(30))
    let step = try await client.signIn(username: "jane", password: Self.secret()).code()
    #expect(step.deviceName == "phone")
    _ = try await step.answer(totp.code(at: service.now)).next().done()
  }

  @Test(arguments: [true, false]) func challengesOfTriggers(withPassword: Bool) async throws {
    let service = try await LocalService.askingQuestions()
    try await service.addUser("jane")
    let client = try service.makeClient()
    let options = SignInOptions(flow: .custom(withPassword: withPassword))
    func begin() async throws -> CustomStep {
      let step = try await client.signIn(username: "jane", options: options)
      guard withPassword else { return try step.custom() }
      let again = try await step.password().answer(Self.secret("Wrong-horse-1"))
        .again("NotAuthorizedException")
      return try await again.password().answer(Self.secret()).next().custom()
    }
    let first = try await begin()
    #expect(first.parameters == ["question": "6 * 7"])
    // The triggers give another challenge after a wrong answer, once.
    let second = try await first.answer("41").next().custom()
    _ = try await second.answer("42").next().done()
    let third = try await begin().answer("41").next().custom()
    do {
      let name = try await third.answer("41").next().name
      Issue.record("\(name)")
    } catch {
      #expect(error.isRefusal("NotAuthorizedException"))
    }
  }
}
