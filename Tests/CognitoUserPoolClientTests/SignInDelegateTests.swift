internal import HTTPExchange
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

@testable internal import CognitoUserPoolClient

/// Sign-ins that a delegate answers.
@Suite struct SignInDelegateTests {
  private static let password = SignInOptions(flow: .password)
  private static let wrong = ScriptedTransport.Answer.refusal("NotAuthorizedException")

  @Test func everyStep() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("SELECT_CHALLENGE", session: "a", available: ["PASSWORD", "EMAIL_OTP"]),
      SignInScript.challenge(
        "NEW_PASSWORD_REQUIRED",
        ["requiredAttributes": #"["userAttributes.name"]"#, "userAttributes": #"{"email":"j@example.com"}"#],
        session: "b"),
      SignInScript.challenge("MFA_SETUP", ["MFAS_CAN_SETUP": #"["SOFTWARE_TOKEN_MFA"]"#], session: "c"),
      .ok(["SecretCode": "GEZDGNBVGY3TQOJQ", "Session": .string(SignInScript.session("d"))]),
      .ok(["Status": "SUCCESS", "Session": .string(SignInScript.session("e"))]),
      SignInScript.challenge(
        "SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": #"["SMS_MFA","SOFTWARE_TOKEN_MFA"]"#], session: "f"),
      SignInScript.challenge("SMS_MFA", ["CODE_DELIVERY_DESTINATION": "+*******0100"], session: "g"),
      SignInScript.challenge("CUSTOM_CHALLENGE", ["q": "6*7"], session: "h"),
      SignInScript.challenge("SOFTWARE_TOKEN_MFA", ["FRIENDLY_DEVICE_NAME": "phone"], session: "i"),
      SignInScript.tokens())
    let delegate = TestDelegate {
      $0.usernames = ["jane"]
      $0.firstFactors = [.password]
      $0.passwords = [("jane", "Correct-horse-9")]
      $0.newPasswords = [("New-horse-10", [UserAttribute("name", "Jane")])]
      $0.setUps = [SoftwareTokenSetUp(code: "123456", deviceName: "phone")]
      $0.factors = [.sms]
      $0.codes = ["111111", "222222"]
      $0.custom = ["42"]
    }
    let signedIn = try await TestClient.make(service).signIn(
      delegate: delegate, lastUsername: "sam", options: SignInOptions(flow: .choice()))
    #expect(signedIn.username == "jane" && service.left == 0)
    #expect(
      delegate.log == [
        "username sam", "first factor PASSWORD EMAIL_OTP", "firstFactorChoice", "password jane", "password",
        #"new password ["email"] ["name"]"#, "newPassword", "factorSetUp", "set up GEZDGNBVGY3TQOJQ",
        "factorSetUp", "factor SMS_MFA SOFTWARE_TOKEN_MFA", "factorChoice", "code +*******0100", "code",
        "custom 6*7", "custom", "code phone", "code",
      ])
    #expect(service.requests[4].text("FriendlyDeviceName") == "phone")
    #expect(service.requests[2].parameters["userAttributes.name"] == "Jane")
  }

  @Test func aFailedStepIsTriedAgain() async throws {
    let service = ScriptedTransport(
      Self.wrong, SignInScript.challenge("SMS_MFA", session: "a"), .refusal("CodeMismatchException"),
      .failure(.connection("reset")), SignInScript.tokens())
    let delegate = TestDelegate {
      $0.passwords = [("jane", "Wrong-horse-1"), ("jane", "Correct-horse-9")]
      $0.codes = ["111111", "222222", "333333"]
      $0.retries = [true, true, true]
    }
    _ = try await TestClient.make(service).signIn(
      delegate: delegate, lastUsername: "jane", options: Self.password)
    #expect(
      delegate.log == [
        "password jane", "failed password NotAuthorizedException", "password jane", "password", "code ",
        "failed code CodeMismatchException", "code ", "failed code user_pool_client_unreachable", "code ",
        "code",
      ])
    #expect(service.requests.suffix(2).map { $0.parameters["SMS_MFA_CODE"] } == ["222222", "333333"])
  }

  /// Where the service has ended the sign-in, another one begins, under the name of the first.
  @Test func aSignInThatIsOverBeginsAnew() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("SMS_MFA", session: "a"), Self.wrong,
      SignInScript.challenge("SMS_MFA", session: "b"), SignInScript.tokens())
    let delegate = TestDelegate {
      $0.passwords = [("jane", "Correct-horse-9"), ("jane", "Correct-horse-9")]
      $0.codes = ["111111", "222222"]
      $0.retries = [true]
    }
    _ = try await TestClient.make(service).signIn(delegate: delegate, options: Self.password)
    #expect(
      delegate.log == [
        "password -", "password", "code ", "failed code NotAuthorizedException", "password jane",
        "password", "code ", "code",
      ])
    #expect(service.requests.last?.text("Session") == SignInScript.session("b"))
  }

  @Test func theDelegateHasTheLastWord() async throws {
    let cases: [([ScriptedTransport.Answer], String)] = [
      ([Self.wrong], "failed password NotAuthorizedException"),
      ([.refusal("UserNotConfirmedException")], "failed password UserNotConfirmedException"),
      (
        [SignInScript.challenge("SMS_MFA", session: "a"), .refusal("CodeMismatchException")],
        "failed code CodeMismatchException"
      ),
    ]
    for (answers, line) in cases {
      let service = ScriptedTransport()
      for answer in answers { service.then(answer) }
      let delegate = TestDelegate {
        $0.passwords = [("jane", "Correct-horse-9")]
        $0.codes = ["111111"]
      }
      await expectUserPoolError(.refused) {
        _ = try await TestClient.make(service).signIn(delegate: delegate, options: Self.password)
      }
      // It is told once.
      #expect(delegate.log.filter { $0.hasPrefix("failed") } == [line] && delegate.log.last == line)
    }
  }

  /// With the password a user can give another name.
  @Test func anotherNameThanBefore() async throws {
    let service = ScriptedTransport(
      Self.wrong, .refusal("UserNotFoundException"), SignInScript.tokens())
    let delegate = TestDelegate {
      $0.passwords = [("jane", "a"), ("janet", "b"), ("jan", "c")]
      $0.retries = [true, true]
    }
    let signedIn = try await TestClient.make(service).signIn(
      delegate: delegate, username: "jane", options: Self.password)
    #expect(signedIn.username == "jan")
    #expect(service.requests.map { $0.parameters["USERNAME"] } == ["jane", "janet", "jan"])
    #expect(service.requests.map { $0.parameters["PASSWORD"] } == ["a", "b", "c"])
    #expect(
      delegate.log.filter { $0.hasPrefix("password ") } == [
        "password jane", "password jane", "password janet",
      ])
  }

  /// A beginning without a password can fail too.
  @Test func aBeginningIsTriedAgain() async throws {
    let service = ScriptedTransport(
      .failure(.connection("reset")), SignInScript.challenge("CUSTOM_CHALLENGE", session: "a"),
      SignInScript.tokens())
    let delegate = TestDelegate {
      $0.usernames = ["jane"]
      $0.custom = ["42"]
      $0.retries = [true]
    }
    _ = try await TestClient.make(service).signIn(
      delegate: delegate, options: SignInOptions(flow: .custom()))
    #expect(
      delegate.log == [
        "username -", "failed beginning user_pool_client_unreachable", "custom -", "custom",
      ])
  }

  /// Only what every pool can need is without a default.
  private struct Least: SignInDelegate {
    func password(lastUsername: String?) async -> UserPassword? {
      UserPassword(username: "jane", password: TestClient.password())
    }

    func code(from source: CodeSource) async -> String? { "123456" }
  }

  @Test func defaults() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("SELECT_CHALLENGE", session: "a", available: ["PASSWORD", "PASSWORD_SRP"]),
      SignInScript.verifier(session: "b"),
      SignInScript.challenge(
        "SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": #"["EMAIL_MFA","SMS_MFA"]"#], session: "c"),
      SignInScript.challenge("EMAIL_OTP", session: "d"), SignInScript.tokens())
    _ = try await TestClient.make(service).signIn(
      delegate: Least(), lastUsername: "jane", options: SignInOptions(flow: .choice()))
    #expect(service.requests[1].parameters["ANSWER"] == "PASSWORD_SRP")
    // As it was offered.
    #expect(service.requests[3].parameters["ANSWER"] == "EMAIL_MFA")
    for challenge in ["NEW_PASSWORD_REQUIRED", "CUSTOM_CHALLENGE"] {
      let other = ScriptedTransport(SignInScript.challenge(challenge, session: "a"))
      await expectUserPoolError(.cancelled) {
        _ = try await TestClient.make(other).signIn(delegate: Least(), options: Self.password)
      }
    }
    await expectUserPoolError(.refused) {
      _ = try await TestClient.make(ScriptedTransport(Self.wrong)).signIn(
        delegate: Least(), options: Self.password)
    }
  }

  @Test func aDelegateThatGivesUp() async throws {
    let client = try TestClient.make(
      ScriptedTransport(SignInScript.challenge("SMS_MFA", session: "a")))
    let silent = TestDelegate()
    await expectUserPoolError(.cancelled) {
      _ = try await client.signIn(delegate: silent, options: Self.password)
    }
    await expectUserPoolError(.cancelled) {
      _ = try await client.signIn(delegate: silent, options: SignInOptions(flow: .custom()))
    }
    #expect(silent.log == ["password -", "username -"])
    let delegate = TestDelegate { $0.passwords = [("jane", "Correct-horse-9")] }
    await expectUserPoolError(.cancelled) {
      _ = try await client.signIn(delegate: delegate, options: Self.password)
    }
    #expect(delegate.log == ["password -", "password", "code "])
  }

  /// A cancelled task does not ask on.
  @Test func cancellation() async throws {
    let gate = Gate()
    let client = try TestClient.make(
      ScriptedTransport(.held(gate, SignInScript.challenge("SMS_MFA", session: "a"))))
    let delegate = TestDelegate {
      $0.passwords = [("jane", "Correct-horse-9"), ("jane", "Correct-horse-9")]
      $0.retries = [true]
    }
    let task = Task { try await client.signIn(delegate: delegate, options: Self.password) }
    try await eventually { gate.waiting > 0 }
    task.cancel()
    gate.open()
    await expectUserPoolError(.cancelled) { _ = try await task.value }
    #expect(delegate.log == ["password -"])
  }
}
