internal import CognitoUserPoolClient
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Sign-up and its confirmation.
@Suite struct SignUpTests {
  @Test func aSignUpSendsItsMembers() async throws {
    let service = ScriptedTransport(
      .ok(["UserConfirmed": false, "UserSub": "sub1", "CodeDeliveryDetails": TestClient.delivery]))
    let client = try TestClient.make(service)
    let result = try await client.signUp(
      username: "jane", password: TestClient.password(),
      attributes: [
        .email("jane@example.com"), .phoneNumber("+15555550100"), UserAttribute("custom:team", "a"),
      ],
      validationData: [UserAttribute("invitation", "7")], clientMetadata: ["from": "test"])
    #expect(!result.isConfirmed && result.sub == "sub1" && result.session == nil)
    #expect(
      result.delivery == CodeDelivery(destination: "t***@e***", medium: .email, attribute: "email"))
    let request = try #require(service.requests.first)
    #expect(request.operation == "SignUp" && request.url == "https://cognito-idp.eu-west-1.amazonaws.com/")
    let expected: JSONObject = [
      "ClientId": "client1", "Username": "jane", "Password": "Correct-horse-9",
      "UserAttributes": [
        ["Name": "email", "Value": "jane@example.com"], ["Name": "phone_number", "Value": "+15555550100"],
        ["Name": "custom:team", "Value": "a"],
      ],
      "ValidationData": [["Name": "invitation", "Value": "7"]], "ClientMetadata": ["from": "test"],
    ]
    #expect(request.body == expected)
  }

  /// Members that are not given are absent: not null and not empty.
  @Test func nothingIsSentForNothing() async throws {
    let service = ScriptedTransport(
      .ok(["UserConfirmed": true, "UserSub": "sub1", "Session": "a-session-of-20-bytes"]))
    let result = try await TestClient.make(service).signUpWithoutPassword(username: "jane")
    #expect(result.isConfirmed && result.delivery == nil && result.session != nil)
    #expect(service.requests.first?.json == #"{"ClientId":"client1","Username":"jane"}"#)
  }

  /// A session signs in without a password.
  @Test func aSessionIsNotPrinted() async throws {
    let service = ScriptedTransport(
      .ok(["UserConfirmed": true, "UserSub": "sub1", "Session": "a-session-of-20-bytes"]))
    let result = try await TestClient.make(service).signUpWithoutPassword(username: "jane")
    var dumped = ""
    dump(result, to: &dumped)
    for text in ["\(result)", String(reflecting: result), dumped] { #expect(!text.contains("a-session")) }
  }

  /// The hash is over the name as it is sent, and the endpoint for analytics goes with each call.
  @Test func clientsWithASecretSendItsHash() async throws {
    let service = ScriptedTransport(
      .ok(["UserConfirmed": true, "UserSub": "sub1"]), .ok(),
      .ok(["CodeDeliveryDetails": TestClient.delivery]),
      .ok(["CodeDeliveryDetails": TestClient.delivery]), .ok())
    let client = try TestClient.make(
      service, secret: "app-secret", analytics: "d70b2ba36a8c4dc5a04a0451a31a1e12")
    _ = try await client.signUp(username: "jane", password: TestClient.password())
    try await client.confirmSignUp(username: "jane", code: "123456")
    try await client.resendConfirmationCode(username: "jane")
    _ = try await client.forgotPassword(username: "jane")
    try await client.confirmForgotPassword(username: "jane", code: "123456", password: TestClient.password())
    let hash = try #require(try client.pool.client.secretHash(username: "jane"))
    #expect(service.requests.count == 5)
    for request in service.requests {
      #expect(request.text("SecretHash") == hash && request.text("ClientId") == "client1")
      #expect(
        request.object("AnalyticsMetadata") == ["AnalyticsEndpointId": "d70b2ba36a8c4dc5a04a0451a31a1e12"])
      #expect(!request.json.contains("app-secret"))
    }
  }

  @Test func confirmationSendsWhatIsGiven() async throws {
    let service = ScriptedTransport(
      .ok(["UserConfirmed": false, "UserSub": "sub1", "Session": "a-session-of-20-bytes"]),
      .ok(["Session": "another-session-of-20"]), .ok())
    let client = try TestClient.make(service)
    let signUp = try await client.signUpWithoutPassword(username: "jane")
    let session = try await client.confirmSignUp(
      username: "jane", code: "123456", forceAlias: true, session: signUp.session, clientMetadata: ["a": "b"])
    #expect(session != nil)
    #expect(
      service.requests[1].body == [
        "ClientId": "client1", "Username": "jane", "ConfirmationCode": "123456", "ForceAliasCreation": true,
        "ClientMetadata": ["a": "b"], "Session": "a-session-of-20-bytes",
      ])
    let none = try await client.confirmSignUp(username: "jane", code: "123456", forceAlias: false)
    #expect(none == nil)
    #expect(
      service.requests[2].body == [
        "ClientId": "client1", "Username": "jane", "ConfirmationCode": "123456", "ForceAliasCreation": false,
      ])
  }

  /// A number that is not in the form of E.164 is not sent.
  @Test(arguments: ["5555550100", "+0555550100", "+1", "+1234567890123456", "+1 555 5550100", "+١٢٣٤", "+"])
  func phoneNumbersAreChecked(number: String) async throws {
    let service = ScriptedTransport()
    let client = try TestClient.make(service)
    await expectUserPoolError(.inputInvalid) {
      _ = try await client.signUp(
        username: "jane", password: TestClient.password(), attributes: [.phoneNumber(number)])
    }
    await expectUserPoolError(.inputInvalid) {
      try await client.updateAttributes([.phoneNumber(number)], accessToken: "t")
    }
    #expect(service.requests.isEmpty)
  }

  @Test(arguments: ["+12", "+123456789012345", "+442071838750"])
  func phoneNumbersOfE164AreSent(number: String) async throws {
    let service = ScriptedTransport(.ok(["UserConfirmed": true, "UserSub": "sub1"]))
    _ = try await TestClient.make(service).signUp(
      username: "jane", password: TestClient.password(), attributes: [.phoneNumber(number)])
    #expect(service.operations == ["SignUp"])
  }

  @Test func passwordsThatAreNoTextAreRefused() async throws {
    let service = ScriptedTransport()
    let client = try TestClient.make(service)
    await expectUserPoolError(.inputInvalid) {
      _ = try await client.signUp(username: "jane", password: SecretBytes([0xFF, 0xFE].span))
    }
    await expectUserPoolError(.inputInvalid) {
      try await client.changePassword(
        from: TestClient.password(), to: SecretBytes([0xFF].span), accessToken: "t")
    }
    #expect(service.requests.isEmpty)
  }
}
