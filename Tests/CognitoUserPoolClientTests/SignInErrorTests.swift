internal import CognitoUserPoolClient
internal import HTTPExchange
internal import Testing
internal import TokenSecurityBase

/// The effect of each error on each step: the step is given back, or the sign-in is over.
@Suite struct SignInErrorTests {
  /// Errors after which a challenge can be answered again.
  private static let repeatable = [
    "CodeMismatchException", "ExpiredCodeException", "EnableSoftwareTokenMFAException",
    "InvalidPasswordException", "PasswordHistoryPolicyViolationException", "InvalidParameterException",
    "TooManyRequestsException", "LimitExceededException", "InternalErrorException", "ThrottlingException",
    "InternalFailure", "ServiceUnavailable",
  ]
  /// Errors that end a sign-in.
  private static let ending = [
    "NotAuthorizedException", "UserNotFoundException", "UserNotConfirmedException",
    "PasswordResetRequiredException", "ResourceNotFoundException", "InvalidLambdaResponseException",
    "UnexpectedLambdaException", "UserLambdaValidationException", "AliasExistsException",
    "MFAMethodNotFoundException", "SoftwareTokenMFANotFoundException", "ForbiddenException",
    "InvalidUserPoolConfigurationException", "SomethingNewException",
  ]
  /// Those after which another password, or the same one, can be right.
  private static let forPasswords = [
    "NotAuthorizedException", "UserLambdaValidationException", "TooManyRequestsException",
    "LimitExceededException", "InternalErrorException", "ThrottlingException",
  ]

  /// A sign-in that waits for an answer to this challenge.
  private static func waiting(
    for kind: SignInOrderTests.Kind, _ service: ScriptedTransport
  ) async throws -> SignInStep {
    service.then(
      SignInScript.challenge(kind.name, kind.parameters, session: "a", available: kind.available))
    let step = try await TestClient.make(service).signIn(
      username: "jane", password: TestClient.password(), options: SignInOptions(flow: .password))
    guard kind.name == "MFA_SETUP" else { return step }
    service.then(.ok(["SecretCode": "GEZDGNBVGY3TQOJQ", "Session": .string(SignInScript.session("b"))]))
    return try await step.factorSetUp().setUpSoftwareToken().next()
  }

  private static let kinds = SignInOrderTests.kinds.filter {
    $0.name != "DEVICE_SRP_AUTH" && $0.name != "PASSWORD"
  }

  @Test(arguments: kinds, repeatable)
  func theStepIsGivenBack(kind: SignInOrderTests.Kind, error: String) async throws {
    let service = ScriptedTransport()
    let step = try await Self.waiting(for: kind, service)
    let (name, sent) = (step.name, service.requests.count)
    service.then(.refusal(error, "text"))
    let again = try await step.anyAnswer().again(error)
    #expect(again.name == name)
    if kind.name == "MFA_SETUP" { service.then(.ok(["Status": "SUCCESS"])) }
    service.then(SignInScript.tokens())
    _ = try await again.end()
    // The same answer to the same session.
    let requests = service.requests
    #expect(requests[sent].operation == requests[sent + 1].operation)
    #expect(requests[sent].parameters == requests[sent + 1].parameters)
    #expect(requests[sent].text("Session") == requests[sent + 1].text("Session"))
  }

  @Test(arguments: kinds, ending)
  func theSignInIsOver(kind: SignInOrderTests.Kind, type: String) async throws {
    let service = ScriptedTransport()
    let step = try await Self.waiting(for: kind, service)
    service.then(.refusal(type, "text"))
    do {
      let name = try await step.anyAnswer().next().name
      Issue.record("\(name)")
    } catch {
      #expect(error as? UserPoolClientError == .refused(type: type, message: "text"))
    }
  }

  @Test(arguments: kinds) func aLostConnectionGivesTheStepBack(kind: SignInOrderTests.Kind) async throws {
    let service = ScriptedTransport()
    let step = try await Self.waiting(for: kind, service)
    service.then(.failure(.timeout(.seconds(1))))
    let again = try await step.anyAnswer().again { $0.code == .unreachable }
    if kind.name == "MFA_SETUP" { service.then(.ok(["Status": "SUCCESS"])) }
    service.then(SignInScript.tokens())
    _ = try await again.end()
  }

  @Test(arguments: [SignInFlow.passwordSRP, .password].indices, forPasswords)
  func anotherPassword(flow: Int, error: String) async throws {
    let options = SignInOptions(flow: flow == 0 ? .passwordSRP : .password)
    let service = ScriptedTransport()
    if flow == 0 { service.then(SignInScript.verifier()) }
    service.then(.refusal(error))
    let client = try TestClient.make(service)
    let step = try await client.signIn(username: "jane", options: options)
    let again = try await step.anyAnswer().again(error)
    if flow == 0 { service.then(SignInScript.verifier()) }
    service.then(SignInScript.tokens())
    _ = try await again.password().answer(TestClient.password()).next().done()
    #expect(service.requests.count { $0.operation == "InitiateAuth" } == 2)
  }

  @Test(
    arguments: [SignInFlow.passwordSRP, .password].indices,
    [
      "UserNotFoundException", "UserNotConfirmedException", "PasswordResetRequiredException",
      "InvalidParameterException", "ResourceNotFoundException", "SomethingNewException",
    ])
  func noOtherPassword(flow: Int, error: String) async throws {
    let options = SignInOptions(flow: flow == 0 ? .passwordSRP : .password)
    let service = ScriptedTransport(.refusal(error, "text"))
    let client = try TestClient.make(service)
    await #expect(throws: UserPoolClientError.refused(type: error, message: "text")) {
      _ = try await client.signIn(username: "jane", options: options).anyAnswer().next().name
    }
  }

  /// A failure after the right password asks for it again, since the proof is used up.
  @Test func aLostConnectionAfterThePassword() async throws {
    let service = ScriptedTransport(
      SignInScript.verifier(), .failure(.connection("reset")), SignInScript.verifier(), SignInScript.tokens())
    let client = try TestClient.make(service)
    let step = try await client.signIn(username: "jane")
    let again = try await step.anyAnswer().again { $0.code == .unreachable }
    _ = try await again.end()
    #expect(service.left == 0)
  }

  /// A software token that is verified is not verified twice.
  @Test func aLostConnectionAfterTheSetUp() async throws {
    let service = ScriptedTransport()
    let kind = try #require(Self.kinds.first { $0.name == "MFA_SETUP" })
    let step = try await Self.waiting(for: kind, service)
    service.then(
      .ok(["Status": "SUCCESS", "Session": .string(SignInScript.session("c"))]),
      .failure(.connection("reset")), SignInScript.tokens())
    let again = try await step.anyAnswer().again { $0.code == .unreachable }
    #expect(again.name == "set-up of a software token")
    _ = try await again.end()
    #expect(
      service.operations.suffix(3) == [
        "VerifySoftwareToken", "RespondToAuthChallenge", "RespondToAuthChallenge",
      ])
    #expect(service.requests.last?.text("Session") == SignInScript.session("c"))
  }

  @Test func codesThatCannotBeSent() async throws {
    for kind in Self.kinds where kind.name.hasSuffix("_MFA") || kind.name.hasSuffix("_OTP") {
      let service = ScriptedTransport()
      var step = try await Self.waiting(for: kind, service)
      for code in ["", "123 456", "123456\n"] {
        step = try await step.code().answer(code).again { $0.code == .inputInvalid }
      }
      #expect(service.requests.count == 1)
    }
  }

  /// Responses that no sign-in can go on with.
  @Test(
    arguments: [
      ["ChallengeParameters": [:]], ["ChallengeName": "WEB_AUTHN"], ["ChallengeName": "ADMIN_NO_SRP_AUTH"],
      ["ChallengeName": "SOMETHING_NEW"], ["ChallengeName": "DEVICE_SRP_AUTH"],
      ["ChallengeName": "DEVICE_PASSWORD_VERIFIER"], ["ChallengeName": "PASSWORD_VERIFIER"],
      ["AuthenticationResult": ["AccessToken": "a"]], ["AuthenticationResult": ["IdToken": "a"]],
      ["ChallengeName": "SELECT_MFA_TYPE", "ChallengeParameters": ["MFAS_CAN_CHOOSE": "x"]],
      ["ChallengeName": "MFA_SETUP", "ChallengeParameters": ["MFAS_CAN_SETUP": "{}"]],
      ["ChallengeName": "NEW_PASSWORD_REQUIRED", "ChallengeParameters": ["requiredAttributes": "[1]"]],
      ["ChallengeName": "NEW_PASSWORD_REQUIRED", "ChallengeParameters": ["userAttributes": "[]"]],
      ["ChallengeName": "SMS_MFA", "Session": "short"],
    ] as [JSONObject])
  func malformedResponses(_ body: JSONObject) async throws {
    let client = try TestClient.make(ScriptedTransport(.ok(body)))
    await expectUserPoolError(.responseMalformed) {
      _ = try await client.signIn(
        username: "jane", password: TestClient.password(), options: SignInOptions(flow: .password)
      ).name
    }
  }

  @Test(arguments: ["SALT", "SRP_B", "SECRET_BLOCK", "USER_ID_FOR_SRP"])
  func malformedNumbers(_ name: String) async throws {
    guard case .response(_, var body) = SignInScript.verifier() else {
      Issue.record("the script's answer is no response")
      return
    }
    for value in [nil, "", "zz", "0"] {
      if value == "0", name == "SALT" || name == "USER_ID_FOR_SRP" { continue }
      if value == "zz", name == "USER_ID_FOR_SRP" { continue }
      var parameters = try #require(body["ChallengeParameters"]?.object)
      parameters[name] = value.map { .string($0) }
      body["ChallengeParameters"] = .object(parameters)
      let client = try TestClient.make(ScriptedTransport(.ok(body)))
      await expectUserPoolError(.signInFailed) {
        _ = try await client.signIn(username: "jane", password: TestClient.password()).name
      }
    }
  }
}
