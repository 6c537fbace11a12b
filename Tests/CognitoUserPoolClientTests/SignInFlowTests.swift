@testable internal import CognitoUserPoolClient
internal import OneTimeCodes
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Requests of sign-ins, flow by flow.
@Suite struct SignInFlowTests {
  private static let secret = "client-secret-of-24-chars"

  @Test func aPasswordIsProvedBySRP() async throws {
    let service = ScriptedTransport(SignInScript.verifier(), SignInScript.tokens())
    let client = try TestClient.make(service, secret: Self.secret, analytics: "analytics1")
    let options = SignInOptions(validationData: ["v": "1"], clientMetadata: ["m": "2"])
    let step = try await client.signIn(username: "jane", options: options).password()
    #expect(step.username == "jane")
    #expect(service.requests.isEmpty)
    let signedIn = try await step.answer(TestClient.password()).next().done()
    #expect(signedIn.username == "jane" && signedIn.device == .untracked)
    #expect(signedIn.tokens.accessToken == "access.token" && signedIn.tokens.idToken == "id.token")

    var dumped = ""
    dump(signedIn, to: &dumped)
    for text in ["\(signedIn)", String(reflecting: signedIn), dumped] { #expect(!text.contains("token")) }

    let requests = service.requests
    let (jane, user) = (try hash(client, "jane"), try hash(client, "user-1"))
    #expect(requests.map(\.operation) == ["InitiateAuth", "RespondToAuthChallenge"])
    let first = requests[0]
    #expect(first.text("AuthFlow") == "USER_SRP_AUTH" && first.text("ClientId") == "client1")
    #expect(
      first.parameters == [
        "USERNAME": "jane", "SECRET_HASH": jane, "SRP_A": "…",
      ])
    #expect(first.object("ClientMetadata") == ["v": "1"])
    #expect(first.object("AnalyticsMetadata") == ["AnalyticsEndpointId": "analytics1"])
    #expect(first.body["Session"] == nil)
    let second = requests[1]
    #expect(second.text("ChallengeName") == "PASSWORD_VERIFIER" && second.body["Session"] == nil)
    // The challenge's name, also in the hash.
    #expect(
      second.parameters == [
        "USERNAME": "user-1", "SECRET_HASH": user, "TIMESTAMP": "…",
        "PASSWORD_CLAIM_SIGNATURE": "…", "PASSWORD_CLAIM_SECRET_BLOCK": "…",
      ])
    #expect(second.object("ClientMetadata") == ["m": "2"])
    for request in requests { #expect(!request.json.contains("Correct-horse-9")) }
  }

  private func hash(_ client: UserPoolClient, _ name: String) throws -> String {
    try #require(try client.pool.client.secretHash(username: name))
  }

  @Test func aPasswordIsSentOnlyWhereItIsAskedFor() async throws {
    let service = ScriptedTransport(SignInScript.tokens())
    let step = try await TestClient.make(service).signIn(
      username: "jane", password: TestClient.password(), options: SignInOptions(flow: .password))
    let signedIn = try step.done()
    #expect(signedIn.username == "jane")
    #expect(service.requests.map { $0.text("AuthFlow") } == ["USER_PASSWORD_AUTH"])
    #expect(service.requests[0].parameters == ["USERNAME": "jane", "PASSWORD": "Correct-horse-9"])
    #expect(service.requests[0].body["ClientMetadata"] == nil)
  }

  @Test func aFirstFactorIsChosen() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge(
        "SELECT_CHALLENGE", session: "a", available: ["PASSWORD_SRP", "PASSWORD", "EMAIL_OTP", "WEB_AUTHN"]),
      SignInScript.challenge(
        "EMAIL_OTP",
        ["CODE_DELIVERY_DELIVERY_MEDIUM": "EMAIL", "CODE_DELIVERY_DESTINATION": "j***@e***"], session: "b"),
      SignInScript.tokens())
    let client = try TestClient.make(service)
    var choice = try await client.signIn(username: "jane", options: SignInOptions(flow: .choice()))
      .firstFactorChoice()
    #expect(choice.available == [.passwordSRP, .password, .emailCode, .passkey])
    for factor in [FirstFactor.smsCode, .passkey] {
      choice = try await choice.choose(factor).again { $0.code == .inputInvalid }.firstFactorChoice()
    }
    let code = try await choice.choose(.emailCode).next().code()
    #expect(
      code.delivery == CodeDelivery(destination: "j***@e***", medium: .email, attribute: "email"))
    _ = try await code.answer("12345678").next().done()
    #expect(
      service.requests.map(\.parameters) == [
        ["USERNAME": "jane"], ["USERNAME": "jane", "ANSWER": "EMAIL_OTP"],
        ["USERNAME": "jane", "EMAIL_OTP_CODE": "12345678"],
      ])
    #expect(service.requests.map { $0.text("ChallengeName") } == ["", "SELECT_CHALLENGE", "EMAIL_OTP"])
    #expect(
      service.requests.map { $0.text("Session") } == [
        "", SignInScript.session("a"), SignInScript.session("b"),
      ])
  }

  /// Newer services have factors that this module does not know.
  @Test func unknownFactorsAreLeftOut() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("SELECT_CHALLENGE", session: "a", available: ["SOMETHING_NEW", "EMAIL_OTP"]))
    let step = try await TestClient.make(service).signIn(
      username: "jane", options: SignInOptions(flow: .choice()))
    let choice = try step.firstFactorChoice()
    #expect(choice.available == [.emailCode])
  }

  /// The session of the choice serves for one password; another one begins anew.
  @Test(arguments: [FirstFactor.passwordSRP, .password])
  func aPasswordIsChosen(factor: FirstFactor) async throws {
    let isSRP = factor == .passwordSRP
    let wrong = ScriptedTransport.Answer.refusal("NotAuthorizedException", "Incorrect username or password.")
    let service = ScriptedTransport(
      SignInScript.challenge("SELECT_CHALLENGE", session: "a", available: ["PASSWORD_SRP", "PASSWORD"]))
    for ending in [wrong, SignInScript.tokens()] {
      if isSRP { service.then(SignInScript.verifier(session: "b")) }
      service.then(ending)
    }
    let client = try TestClient.make(service)
    let choice = try await client.signIn(username: "jane", options: SignInOptions(flow: .choice()))
      .firstFactorChoice()
    let password = try await choice.choose(factor).next().password()
    #expect(service.requests.count == 1)
    let again = try await password.answer(TestClient.password("Wrong-horse-1"))
      .again("NotAuthorizedException").password()
    _ = try await again.answer(TestClient.password()).next().done()
    let requests = service.requests
    let proof = isSRP ? ["SRP_A": "…"] : ["PASSWORD": "Wrong-horse-1"]
    #expect(requests[1].text("ChallengeName") == "SELECT_CHALLENGE")
    #expect(requests[1].text("Session") == SignInScript.session("a"))
    #expect(requests[1].parameters["ANSWER"] == factor.name)
    for (name, value) in proof { #expect(requests[1].parameters[name] == value) }
    let anew = requests[isSRP ? 3 : 2]
    #expect(anew.text("AuthFlow") == "USER_AUTH" && anew.body["Session"] == nil)
    #expect(anew.parameters["PREFERRED_CHALLENGE"] == factor.name)
    if isSRP { #expect(requests[2].text("Session") == SignInScript.session("b")) }
  }

  @Test func aPreferredFirstFactor() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("SMS_OTP", session: "a"), SignInScript.tokens(),
      SignInScript.verifier(session: "b"), SignInScript.tokens(), SignInScript.tokens())
    let client = try TestClient.make(service)
    let step = try await client.signIn(
      username: "jane", options: SignInOptions(flow: .choice(preferred: .smsCode)))
    #expect(step.name == "SMS code")
    let code = try step.code()
    // The service does not say where it sent the code.
    #expect(code.delivery == CodeDelivery(destination: "", medium: .sms, attribute: "phone_number"))
    _ = try await code.answer("123456").next().done()
    #expect(service.requests[0].parameters == ["USERNAME": "jane", "PREFERRED_CHALLENGE": "SMS_OTP"])
    #expect(service.requests[1].parameters == ["USERNAME": "jane", "SMS_OTP_CODE": "123456"])
    for factor in [FirstFactor.passwordSRP, .password] {
      _ = try await client.signIn(
        username: "jane", password: TestClient.password(),
        options: SignInOptions(flow: .choice(preferred: factor))
      ).done()
    }
    #expect(
      service.requests[2].parameters == [
        "USERNAME": "jane", "PREFERRED_CHALLENGE": "PASSWORD_SRP", "SRP_A": "…",
      ])
    #expect(
      service.requests[4].parameters == [
        "USERNAME": "jane", "PREFERRED_CHALLENGE": "PASSWORD", "PASSWORD": "Correct-horse-9",
      ])
    await expectUserPoolError(.inputInvalid) {
      _ = try await client.signIn(
        username: "jane", options: SignInOptions(flow: .choice(preferred: .passkey))
      ).name
    }
    #expect(service.requests.count == 5)
  }

  /// The challenges PASSWORD and PASSWORD_SRP exist by themselves too.
  @Test(arguments: [true, false]) func aChallengeForThePassword(isSRP: Bool) async throws {
    let service = ScriptedTransport(
      SignInScript.challenge(isSRP ? "PASSWORD_SRP" : "PASSWORD", session: "a"))
    if isSRP { service.then(SignInScript.verifier(session: "b")) }
    service.then(SignInScript.tokens())
    let step = try await TestClient.make(service).signIn(
      username: "jane", options: SignInOptions(flow: .choice(preferred: .emailCode)))
    _ = try await step.password().answer(TestClient.password()).next().done()
    let answer = service.requests[1]
    #expect(answer.text("ChallengeName") == (isSRP ? "PASSWORD_SRP" : "PASSWORD"))
    #expect(answer.text("Session") == SignInScript.session("a"))
    let proof = isSRP ? ["SRP_A": "…"] : ["PASSWORD": "Correct-horse-9"]
    #expect(answer.parameters == proof.merging(["USERNAME": "jane"]) { old, _ in old })
  }

  @Test func challengesOfTriggers() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("CUSTOM_CHALLENGE", ["USERNAME": "user-1", "q": "6*7"], session: "a"),
      SignInScript.challenge("CUSTOM_CHALLENGE", ["USERNAME": "user-1", "q": "1+1"], session: "b"),
      SignInScript.tokens())
    let client = try TestClient.make(service)
    let first = try await client.signIn(username: "jane", options: SignInOptions(flow: .custom())).custom()
    #expect(first.parameters == ["q": "6*7"])
    let second = try await first.answer("42").next().custom()
    #expect(second.parameters == ["q": "1+1"])
    _ = try await second.answer("2").next().done()
    #expect(service.requests[0].text("AuthFlow") == "CUSTOM_AUTH")
    #expect(
      service.requests.map(\.parameters) == [
        ["USERNAME": "jane"], ["USERNAME": "user-1", "ANSWER": "42"],
        ["USERNAME": "user-1", "ANSWER": "2"],
      ])
  }

  @Test func challengesOfTriggersAfterAPassword() async throws {
    let service = ScriptedTransport(
      SignInScript.verifier(session: "a"), SignInScript.challenge("CUSTOM_CHALLENGE", session: "b"),
      SignInScript.tokens(), SignInScript.challenge("CUSTOM_CHALLENGE", session: "c"),
      SignInScript.tokens())
    let client = try TestClient.make(service)
    let options = SignInOptions(flow: .custom(withPassword: true))
    _ = try await client.signIn(username: "jane", options: options).end()
    #expect(
      service.requests[0].parameters == [
        "USERNAME": "jane", "CHALLENGE_NAME": "SRP_A", "SRP_A": "…",
      ])
    #expect(service.requests[1].text("Session") == SignInScript.session("a"))
    // The triggers can begin with a challenge of their own.
    _ = try await client.signIn(username: "jane", password: TestClient.password(), options: options).end()
    #expect(service.left == 0)
  }

  @Test func theSessionOfASignUpSignsIn() async throws {
    let service = ScriptedTransport(
      .ok(["Session": .string(SignInScript.session("a"))]), SignInScript.tokens())
    let client = try TestClient.make(service)
    let confirmed = try #require(try await client.confirmSignUp(username: "jane", code: "123456"))
    _ = try await client.signIn(
      username: "jane", options: SignInOptions(flow: .confirmedSignUp(confirmed))
    ).done()
    let request = service.requests[1]
    #expect(request.text("AuthFlow") == "USER_AUTH" && request.text("Session") == SignInScript.session("a"))
    #expect(request.parameters == ["USERNAME": "jane"])
  }

  @Test func aPasswordForAFlowWithoutOne() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("CUSTOM_CHALLENGE", session: "a"),
      SignInScript.challenge("SELECT_CHALLENGE", session: "b", available: ["EMAIL_OTP"]),
      SignInScript.challenge("SELECT_CHALLENGE", session: "c", available: ["PASSWORD"]), SignInScript.tokens()
    )
    let client = try TestClient.make(service)
    for flow in [SignInFlow.custom(), .choice()] {
      await expectUserPoolError(.inputInvalid) {
        _ = try await client.signIn(
          username: "jane", password: TestClient.password(), options: SignInOptions(flow: flow)
        ).name
      }
    }
    _ = try await client.signIn(
      username: "jane", password: TestClient.password(), options: SignInOptions(flow: .choice())
    ).done()
  }

  @Test func whatCannotBeSentIsNotSent() async throws {
    let service = ScriptedTransport()
    let client = try TestClient.make(service)
    await expectUserPoolError(.inputInvalid) { _ = try await client.signIn(username: "").name }
    for flow in [SignInFlow.passwordSRP, .password] {
      var step = try await client.signIn(username: "jane", options: SignInOptions(flow: flow))
      for password in ["", String(repeating: "a", count: 4_097)] {
        step = try await step.password().answer(TestClient.password(password))
          .again { $0.code == .inputInvalid }
      }
    }
    var step = try await client.signIn(username: "jane", options: SignInOptions(flow: .password))
    let bytes: [UInt8] = [0x61, 0xFF]
    step = try await step.password().answer(SecretBytes(bytes.span)).again { $0.code == .inputInvalid }
    #expect(step.name == "password" && service.requests.isEmpty)
  }
}
