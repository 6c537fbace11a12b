internal import Testing
internal import TokenSecurityBase

@testable internal import CognitoUserPoolClient

/// Challenges in every order: each answer has the session and the user's name of its own challenge.
@Suite struct SignInOrderTests {
  /// A challenge of the service, and the members of the answers that it gets.
  struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    var parameters: JSONObject = [:]
    var available: [String] = []
    let answer: [String: String]
    var testDescription: String { name }
  }

  static let kinds = [
    Kind(name: "SMS_MFA", answer: ["SMS_MFA_CODE": "123456"]),
    Kind(name: "SMS_OTP", answer: ["SMS_OTP_CODE": "123456"]),
    Kind(name: "EMAIL_OTP", answer: ["EMAIL_OTP_CODE": "123456"]),
    Kind(
      name: "SOFTWARE_TOKEN_MFA", parameters: ["FRIENDLY_DEVICE_NAME": "phone"],
      answer: ["SOFTWARE_TOKEN_MFA_CODE": "123456"]),
    Kind(
      name: "SELECT_MFA_TYPE", parameters: ["MFAS_CAN_CHOOSE": #"["SMS_MFA","SOFTWARE_TOKEN_MFA"]"#],
      answer: ["ANSWER": "SOFTWARE_TOKEN_MFA"]),
    Kind(
      name: "MFA_SETUP", parameters: ["MFAS_CAN_SETUP": #"["SOFTWARE_TOKEN_MFA"]"#], answer: [:]),
    Kind(
      name: "NEW_PASSWORD_REQUIRED", parameters: ["requiredAttributes": "[]", "userAttributes": "{}"],
      answer: ["NEW_PASSWORD": "New-horse-10"]),
    Kind(name: "CUSTOM_CHALLENGE", parameters: ["q": "6*7"], answer: ["ANSWER": "42"]),
    Kind(
      name: "SELECT_CHALLENGE", available: ["PASSWORD_SRP", "EMAIL_OTP"], answer: ["ANSWER": "EMAIL_OTP"]),
    Kind(name: "PASSWORD", answer: ["PASSWORD": "Correct-horse-9"]),
    Kind(name: "DEVICE_SRP_AUTH", answer: ["SRP_A": "…"]),
  ]

  @Test(arguments: kinds, kinds) func everyPair(first: Kind, second: Kind) async throws {
    // A device is proved once.
    guard first.name != "DEVICE_SRP_AUTH" || second.name != first.name else { return }
    let service = ScriptedTransport()
    var expected: [(challenge: String, session: String, parameters: [String: String])] = []
    for (index, kind) in [first, second].enumerated() {
      let user = "user-\(index)"
      var parameters = kind.parameters
      parameters["USERNAME"] = .string(user)
      // Not the name that counts where both are given.
      parameters["USER_ID_FOR_SRP"] = "other"
      let session = SignInScript.session(kind.name + user)
      service.then(
        SignInScript.challenge(
          kind.name, parameters, session: kind.name + user, available: kind.available))
      var answer = kind.answer
      answer["USERNAME"] = user
      answer["DEVICE_KEY"] = SignInScript.deviceKey
      switch kind.name {
      case "MFA_SETUP":
        let (made, verified) = ("made" + user, "verified" + user)
        service.then(
          .ok(["SecretCode": "GEZDGNBVGY3TQOJQ", "Session": .string(SignInScript.session(made))]),
          .ok(["Status": "SUCCESS", "Session": .string(SignInScript.session(verified))]))
        expected.append(("", session, [:]))
        expected.append(("", SignInScript.session(made), [:]))
        expected.append((kind.name, SignInScript.session(verified), answer))
      case "DEVICE_SRP_AUTH":
        expected.append((kind.name, session, answer))
        let verifier = "DEVICE_PASSWORD_VERIFIER"
        service.then(SignInScript.verifier(verifier, user: "user-d", session: verifier))
        answer = [
          "USERNAME": "user-d", "DEVICE_KEY": SignInScript.deviceKey, "TIMESTAMP": "…",
          "PASSWORD_CLAIM_SIGNATURE": "…", "PASSWORD_CLAIM_SECRET_BLOCK": "…",
        ]
        expected.append((verifier, SignInScript.session(verifier), answer))
      default: expected.append((kind.name, session, answer))
      }
    }
    service.then(SignInScript.tokens())
    let client = try TestClient.make(service)
    let devices = TestDevices(["jane": SignInScript.device])
    let signedIn = try await client.signIn(
      username: "jane", options: SignInOptions(flow: .password), devices: devices
    ).end()
    #expect(signedIn.device == .known(key: SignInScript.deviceKey))
    #expect(service.left == 0 && devices.events.isEmpty)
    let answers = service.requests.dropFirst()
    #expect(answers.map { $0.text("ChallengeName") } == expected.map { $0.challenge })
    #expect(answers.map { $0.text("Session") } == expected.map { $0.session })
    #expect(answers.map(\.parameters) == expected.map { $0.parameters })
  }

  @Test func theNameOfAChallengeIsTheOneOfSRPWhereItHasNoOther() async throws {
    let service = ScriptedTransport(
      SignInScript.challenge("SMS_MFA", ["USER_ID_FOR_SRP": "user-1"], session: "a"),
      SignInScript.challenge("SMS_MFA", ["USERNAME": ""], session: "b"), SignInScript.tokens())
    let client = try TestClient.make(service, secret: "client-secret-of-24-chars")
    _ = try await client.signIn(username: "jane", options: SignInOptions(flow: .password)).end()
    #expect(service.requests.map { $0.parameters["USERNAME"] } == ["jane", "user-1", "user-1"])
    let hashes = try ["jane", "user-1", "user-1"].map { try client.pool.client.secretHash(username: $0) }
    #expect(service.requests.map { $0.parameters["SECRET_HASH"] } == hashes)
  }
}
