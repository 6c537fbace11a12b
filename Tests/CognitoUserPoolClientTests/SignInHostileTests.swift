internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

@testable internal import CognitoUserPoolClient

/// Services that ask for what a sign-in must not give, or ask without end.
@Suite struct SignInHostileTests {
  /// Flows in which the password is proved or not used.
  private static let flows: [SignInFlow] = [
    .passwordSRP, .choice(preferred: .passwordSRP), .custom(withPassword: true), .custom(),
  ]

  @Test(arguments: flows.indices) func aProvedPasswordIsNeverSent(index: Int) async throws {
    let service = ScriptedTransport(SignInScript.challenge("PASSWORD", session: "a"), SignInScript.tokens())
    let client = try TestClient.make(service)
    await expectUserPoolError(.responseMalformed) {
      _ = try await client.signIn(
        username: "jane", password: TestClient.password(), options: SignInOptions(flow: Self.flows[index])
      ).name
    }
    #expect(service.requests.count == 1)
    for request in service.requests { #expect(!request.json.contains("Correct-horse-9")) }
  }

  @Test(arguments: flows.indices) func aPasswordToBeSentIsNotOfferedInstead(index: Int) async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("SELECT_CHALLENGE", session: "a", available: ["PASSWORD", "EMAIL_OTP"]))
    var step = try await TestClient.make(service).signIn(
      username: "jane", options: SignInOptions(flow: Self.flows[index]))
    if step.name == "password" { step = try await step.anyAnswer().next() }
    let choice = try step.firstFactorChoice()
    #expect(choice.available == [.emailCode])
    let again = try await choice.choose(.password).again { $0.code == .inputInvalid }
    #expect(again.name == "choice of a first factor" && service.requests.count == 1)
  }

  private struct Least: SignInDelegate {
    func password(lastUsername: String?) async -> UserPassword? {
      UserPassword(username: "jane", password: TestClient.password())
    }

    func code(from source: CodeSource) async -> String? { "123456" }
  }

  /// The default of a choice answers without the user.
  @Test func challengesWithoutEndAreNotFollowed() async throws {
    let service = ScriptedTransport()
    for _ in 0..<200 {
      service.then(
        SignInScript.challenge("SELECT_MFA_TYPE", ["MFAS_CAN_CHOOSE": #"["SMS_MFA"]"#], session: "a"))
    }
    await expectUserPoolError(.responseMalformed) {
      _ = try await TestClient.make(service).signIn(
        delegate: Least(), options: SignInOptions(flow: .password))
    }
    #expect(service.operations.count == 101)
  }
}
