internal import CognitoUserPoolClient
internal import OneTimeCodes
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The account calls against the service itself.
@Suite struct LocalAccountTests {
  private func password(_ text: String = LocalService.password) -> SecretBytes { SecretBytes(text.utf8.span) }

  /// The access token of a sign-in by password.
  private func accessToken(
    _ service: LocalService, _ client: UserPoolClient, _ name: String,
    password: String = LocalService.password
  ) async throws -> String {
    var parameters: JSONObject = ["USERNAME": .string(name), "PASSWORD": .string(password)]
    if let hash = try client.pool.client.secretHash(username: name) {
      parameters["SECRET_HASH"] = .string(hash)
    }
    let answer = try await service.call(
      "InitiateAuth",
      [
        "ClientId": .string(service.clientID), "AuthFlow": "USER_PASSWORD_AUTH",
        "AuthParameters": .object(parameters),
      ])
    return try #require(answer["AuthenticationResult"]?.object?["AccessToken"]?.string)
  }

  @Test(arguments: [false, true]) func fromSignUpToDeletion(hasSecret: Bool) async throws {
    let service = try await LocalService(
      ["AutoVerifiedAttributes": ["email"]], client: ["GenerateSecret": .bool(hasSecret)])
    let client = try service.makeClient()
    let signUp = try await client.signUp(
      username: "jane", password: password(), attributes: [.email("jane@example.com")])
    #expect(!signUp.isConfirmed && signUp.delivery?.medium == .email && signUp.delivery?.attribute == "email")
    await #expect { try await client.signUp(username: "jane", password: password()) } throws: {
      ($0 as? UserPoolClientError)?.isRefusal("UsernameExistsException") == true
    }
    _ = try await service.code()
    try await client.resendConfirmationCode(username: "jane")
    try await client.confirmSignUp(username: "jane", code: try await service.code())

    var token = try await accessToken(service, client, "jane")
    let user = try await client.user(accessToken: token)
    #expect(user.username == "jane" && user["sub"] == signUp.sub && user["email_verified"] == "true")
    _ = try await client.forgotPassword(username: "jane")
    let code = try await service.code()
    await #expect {
      try await client.confirmForgotPassword(username: "jane", code: code, password: password("short"))
    } throws: {
      ($0 as? UserPoolClientError)?.isRefusal("InvalidPasswordException") == true
    }
    try await client.confirmForgotPassword(
      username: "jane", code: code, password: password("Another-horse-8"))
    token = try await accessToken(service, client, "jane", password: "Another-horse-8")
    try await client.changePassword(
      from: password("Another-horse-8"), to: password(), accessToken: token)
    token = try await accessToken(service, client, "jane")
    try await client.globalSignOut(accessToken: token)
    await #expect { try await client.user(accessToken: token) } throws: {
      ($0 as? UserPoolClientError)?.isRefusal("NotAuthorizedException") == true
    }
    token = try await accessToken(service, client, "jane")
    try await client.deleteUser(accessToken: token)
    await #expect { try await client.user(accessToken: token) } throws: {
      ($0 as? UserPoolClientError)?.code == .refused
    }
  }

  @Test func attributesAreVerified() async throws {
    let service = try await LocalService(["AutoVerifiedAttributes": ["email"]])
    let client = try service.makeClient()
    try await service.addUser("jane", attributes: [("email", "a@example.com"), ("email_verified", "true")])
    let token = try await accessToken(service, client, "jane")
    let deliveries = try await client.updateAttributes(
      [.email("b@example.com"), UserAttribute("nickname", "J")], accessToken: token)
    #expect(deliveries.map(\.attribute) == ["email"])
    _ = try await service.codes()
    let delivery = try await client.attributeVerificationCode(for: "email", accessToken: token)
    #expect(delivery.medium == .email)
    try await client.verifyAttribute("email", code: try await service.code(), accessToken: token)
    var user = try await client.user(accessToken: token)
    #expect(user["email"] == "b@example.com" && user["email_verified"] == "true" && user["nickname"] == "J")
    try await client.deleteAttributes(["nickname"], accessToken: token)
    user = try await client.user(accessToken: token)
    #expect(user["nickname"] == nil)
  }

  @Test func aSoftwareTokenIsSetUp() async throws {
    let service = try await LocalService()
    try await service.admin(
      "SetUserPoolMfaConfig",
      ["MfaConfiguration": "OPTIONAL", "SoftwareTokenMfaConfiguration": ["Enabled": true]])
    let client = try service.makeClient()
    try await service.addUser("jane")
    let token = try await accessToken(service, client, "jane")
    let secret = try await client.associateSoftwareToken(accessToken: token)
    let code = try secret.uri(issuer: "Example", account: "jane").totp().code(at: service.now)
    try await client.verifySoftwareToken(code: code, deviceName: "phone", accessToken: token)
    // A verified token is not on yet.
    #expect(try await client.mfaPreference(accessToken: token).enabled.isEmpty)
    try await client.setMFAPreference(softwareToken: .preferred, accessToken: token)
    let preference = try await client.mfaPreference(accessToken: token)
    #expect(preference.enabled == [.softwareToken] && preference.preferred == .softwareToken)
    try await client.setMFAPreference(softwareToken: .off, accessToken: token)
    #expect(try await client.mfaPreference(accessToken: token).enabled.isEmpty)
    #expect(try await client.devices(accessToken: token).devices.isEmpty)
  }
}
