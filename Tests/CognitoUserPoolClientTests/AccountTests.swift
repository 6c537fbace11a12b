internal import CognitoUserPoolClient
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The calls for passwords, attributes, devices and signing out.
@Suite struct AccountTests {
  private let token = "access.token"

  @Test func forgottenPasswords() async throws {
    let service = ScriptedTransport(
      .ok([
        "CodeDeliveryDetails": [
          "Destination": "+*******0100", "DeliveryMedium": "SMS", "AttributeName": "phone_number",
        ]
      ]), .ok(), .ok())
    let client = try TestClient.make(service)
    let delivery = try await client.forgotPassword(username: "jane", clientMetadata: ["a": "b"])
    #expect(delivery == CodeDelivery(destination: "+*******0100", medium: .sms, attribute: "phone_number"))
    try await client.confirmForgotPassword(
      username: "jane", code: "123456", password: TestClient.password("New-horse-9"))
    #expect(
      service.requests.map(\.json) == [
        #"{"ClientId":"client1","Username":"jane","ClientMetadata":{"a":"b"}}"#,
        #"{"ClientId":"client1","Username":"jane","ConfirmationCode":"123456","Password":"New-horse-9"}"#,
      ])
    // Without the details there is nothing to tell the user.
    await expectUserPoolError(.responseMalformed) { _ = try await client.forgotPassword(username: "jane") }
  }

  @Test func changedPasswords() async throws {
    let service = ScriptedTransport(.ok(), .ok())
    let client = try TestClient.make(service, secret: "app-secret")
    try await client.changePassword(
      from: TestClient.password("Old-horse-9"), to: TestClient.password("New-horse-9"), accessToken: token)
    try await client.setFirstPassword(TestClient.password("New-horse-9"), accessToken: token)
    #expect(
      service.requests.map(\.json) == [
        #"{"AccessToken":"access.token","PreviousPassword":"Old-horse-9","ProposedPassword":"New-horse-9"}"#,
        #"{"AccessToken":"access.token","ProposedPassword":"New-horse-9"}"#,
      ])
  }

  @Test func theUserIsRead() async throws {
    let user: JSONObject = [
      "Username": "jane",
      "UserAttributes": [["Name": "email", "Value": "jane@example.com"], ["Name": "custom:team"]],
      "UserMFASettingList": ["SOFTWARE_TOKEN_MFA", "A_LATER_ONE", "EMAIL_OTP"],
      "PreferredMfaSetting": "SOFTWARE_TOKEN_MFA",
    ]
    let service = ScriptedTransport(
      .ok(user), .ok(user), .ok(user), .ok(["Username": "jane", "UserAttributes": []]))
    let client = try TestClient.make(service)
    let found = try await client.user(accessToken: token)
    #expect(found.username == "jane" && found["email"] == "jane@example.com" && found["name"] == nil)
    #expect(found.mfa.enabled == [.softwareToken, .email] && found.mfa.preferred == .softwareToken)
    #expect(try await client.attributes(accessToken: token) == found.attributes)
    #expect(found.attributes == [.email("jane@example.com"), UserAttribute("custom:team", "")])
    #expect(try await client.mfaPreference(accessToken: token) == found.mfa)
    let plain = try await client.mfaPreference(accessToken: token)
    #expect(plain.enabled.isEmpty && plain.preferred == nil)
    #expect(service.operations == ["GetUser", "GetUser", "GetUser", "GetUser"])
    #expect(
      service.requests.allSatisfy { $0.json.utf8.elementsEqual(#"{"AccessToken":"access.token"}"#.utf8) })
  }

  @Test func attributesAreChanged() async throws {
    let service = ScriptedTransport(
      .ok(["CodeDeliveryDetailsList": [TestClient.delivery]]), .ok(), .ok(),
      .ok(["CodeDeliveryDetails": TestClient.delivery]), .ok())
    let client = try TestClient.make(service)
    let deliveries = try await client.updateAttributes(
      [.email("j@example.com"), .phoneNumber("")], accessToken: token, clientMetadata: ["a": "b"])
    #expect(deliveries.map(\.attribute) == ["email"])
    #expect(try await client.updateAttributes([], accessToken: token).isEmpty)
    try await client.deleteAttributes(["nickname"], accessToken: token)
    let delivery = try await client.attributeVerificationCode(for: "email", accessToken: token)
    #expect(delivery.medium == .email)
    try await client.verifyAttribute("email", code: "123456", accessToken: token)
    #expect(
      service.operations == [
        "UpdateUserAttributes", "UpdateUserAttributes", "DeleteUserAttributes",
        "GetUserAttributeVerificationCode", "VerifyUserAttribute",
      ])
    let updated: JSONObject = [
      "AccessToken": "access.token",
      "UserAttributes": [
        ["Name": "email", "Value": "j@example.com"], ["Name": "phone_number", "Value": ""],
      ],
      "ClientMetadata": ["a": "b"],
    ]
    #expect(service.requests[0].body == updated)
    #expect(
      service.requests.dropFirst().map(\.json) == [
        #"{"AccessToken":"access.token","UserAttributes":[]}"#,
        #"{"AccessToken":"access.token","UserAttributeNames":["nickname"]}"#,
        #"{"AccessToken":"access.token","AttributeName":"email"}"#,
        #"{"AccessToken":"access.token","AttributeName":"email","Code":"123456"}"#,
      ])
  }

  @Test func devicesAreListedAndForgotten() async throws {
    let key = "eu-west-1_01234567-89ab-cdef-0123-456789abcdef"
    let device: JSONValue = [
      "DeviceKey": .string(key), "DeviceAttributes": [["Name": "device_name", "Value": "laptop"]],
      "DeviceCreateDate": 1_700_000_000, "DeviceLastModifiedDate": 1_700_000_001,
    ]
    let service = ScriptedTransport(
      .ok(["Devices": [device], "PaginationToken": "next"]), .ok(), .ok(["Device": device]), .ok(), .ok(),
      .ok(),
      .ok(["Devices": [["DeviceAttributes": []]]]))
    let client = try TestClient.make(service)
    let page = try await client.devices(accessToken: token, limit: 5, after: "page")
    #expect(page.nextToken == "next" && page.devices.map(\.key) == [key])
    #expect(page.devices.first?.name == "laptop" && page.devices.first?.lastAuthenticated == nil)
    #expect(page.devices.first?.created == Timestamp(seconds: 1_700_000_000))
    #expect(try await client.devices(accessToken: token).devices.isEmpty)
    #expect(try await client.device(key, accessToken: token) == page.devices.first)
    try await client.updateDevice(key, isRemembered: true, accessToken: token)
    try await client.updateDevice(key, isRemembered: false, accessToken: token)
    try await client.forgetDevice(key, accessToken: token)
    #expect(
      service.requests.map { "\($0.operation) \($0.json)" } == [
        #"ListDevices {"AccessToken":"access.token","Limit":5,"PaginationToken":"page"}"#,
        #"ListDevices {"AccessToken":"access.token"}"#,
        #"GetDevice {"AccessToken":"access.token","DeviceKey":"\#(key)"}"#,
        #"UpdateDeviceStatus {"AccessToken":"access.token","DeviceKey":"\#(key)","#
          + #""DeviceRememberedStatus":"remembered"}"#,
        #"UpdateDeviceStatus {"AccessToken":"access.token","DeviceKey":"\#(key)","#
          + #""DeviceRememberedStatus":"not_remembered"}"#,
        #"ForgetDevice {"AccessToken":"access.token","DeviceKey":"\#(key)"}"#,
      ])
    await expectUserPoolError(.responseMalformed) { _ = try await client.devices(accessToken: token) }
    await expectUserPoolError(.inputInvalid) { _ = try await client.devices(accessToken: token, limit: 61) }
  }

  /// Tokens are revoked with the client's secret itself, not with a hash.
  @Test func signingOut() async throws {
    let service = ScriptedTransport(.ok(), .ok(), .ok(), .ok())
    let client = try TestClient.make(service, secret: "a-secret-of-24-characters")
    try await client.globalSignOut(accessToken: token)
    try await client.revoke(refreshToken: "refresh")
    try await client.deleteUser(accessToken: token)
    try await TestClient.make(service).revoke(refreshToken: "refresh")
    #expect(
      service.requests.map { "\($0.operation) \($0.json)" } == [
        #"GlobalSignOut {"AccessToken":"access.token"}"#,
        #"RevokeToken {"ClientId":"client1","Token":"refresh","ClientSecret":"a-secret-of-24-characters"}"#,
        #"DeleteUser {"AccessToken":"access.token"}"#,
        #"RevokeToken {"ClientId":"client1","Token":"refresh"}"#,
      ])
  }
}
