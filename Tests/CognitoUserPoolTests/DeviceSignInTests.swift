internal import CognitoUserPool
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

/// Sign-ins with devices, and refresh tokens that belong to them.
@Suite struct DeviceSignInTests {
  @Test func rememberedDeviceStandsInForTheSecondFactor() async throws {
    let pool = try await DeviceTests.pool(challengesNew: true)
    try await pool.admin("SetUserPoolMfaConfig", SoftwareTokenTests.factors("OPTIONAL"))
    let tokens = try await pool.signIn()
    let device = try await pool.confirmDevice(tokens)
    try await pool.addSoftwareToken(tokens)
    try await pool.prefer("SoftwareTokenMfaSettings", tokens)
    let (user, password) = (TestPool.user, TestPool.password)
    #expect(try await pool.signInBySRP(user, password).name == "SOFTWARE_TOKEN_MFA")
    let challenge = try await pool.signInBySRP(user, password, deviceKey: device.key)
    #expect(challenge.name == "DEVICE_SRP_AUTH")
    let signedIn = try await pool.answer(challenge, with: device).tokens
    #expect(signedIn.deviceKey == nil)
    // A device that is not remembered does not.
    let status: JSONObject = [
      "AccessToken": .string(tokens.access), "DeviceKey": .string(device.key),
      "DeviceRememberedStatus": "not_remembered",
    ]
    try await pool.call("UpdateDeviceStatus", status)
    let again = try await pool.signInBySRP(user, password, deviceKey: device.key)
    #expect(again.name == "SOFTWARE_TOKEN_MFA")
  }

  @Test func anotherDevicesPasswordIsRefused() async throws {
    let pool = try await DeviceTests.pool(challengesNew: true)
    let tokens = try await pool.signIn()
    let device = try await pool.confirmDevice(tokens)
    let challenge = try await pool.signInBySRP(TestPool.user, TestPool.password, deviceKey: device.key)
    // The same keys, another password.
    let forged = try TestDevice(tokens)
    let refused = await errorCode { _ = try await pool.answer(challenge, with: forged) }
    #expect(refused == "password_wrong")
  }

  @Test func forgottenDeviceIsToldBeforeAnythingIsUsedUp() async throws {
    let pool = try await DeviceTests.pool(challengesNew: true)
    let tokens = try await pool.signIn()
    let device = try await pool.confirmDevice(tokens)
    try await pool.call(
      "ForgetDevice", ["AccessToken": .string(tokens.access), "DeviceKey": .string(device.key)])
    let refused = await refusal {
      _ = try await pool.signInBySRP(TestPool.user, TestPool.password, deviceKey: device.key)
    }
    #expect(refused == DeviceTests.unknown)
  }

  @Test func refreshTokensBelongToTheirDevice() async throws {
    let pool = try await DeviceTests.pool()
    let tokens = try await pool.signIn()
    let refresh = try #require(tokens.refresh)
    let key = try #require(tokens.deviceKey)
    let invalid = "NotAuthorizedException: Invalid Refresh Token"
    let own = ["REFRESH_TOKEN": refresh, "DEVICE_KEY": key]
    // Before the confirmation.
    #expect(await refusal { _ = try await pool.initiate("REFRESH_TOKEN_AUTH", own) } == invalid)
    let device = try await pool.confirmDevice(tokens)
    _ = try await pool.initiate("REFRESH_TOKEN_AUTH", own).tokens
    let none = ["REFRESH_TOKEN": refresh]
    #expect(await refusal { _ = try await pool.initiate("REFRESH_TOKEN_AUTH", none) } == invalid)
    let other = try await pool.confirmDevice(pool.signIn())
    let foreign = ["REFRESH_TOKEN": refresh, "DEVICE_KEY": other.key]
    #expect(await refusal { _ = try await pool.initiate("REFRESH_TOKEN_AUTH", foreign) } == invalid)
    try await pool.admin(
      "AdminForgetDevice", ["Username": .string(TestPool.user), "DeviceKey": .string(device.key)])
    #expect(await refusal { _ = try await pool.initiate("REFRESH_TOKEN_AUTH", own) } == invalid)
  }

  @Test func accessTokenNamesTheDevice() async throws {
    let pool = try await DeviceTests.pool()
    let tokens = try await pool.signIn()
    let parts = tokens.access.parts(at: ".", most: 3)
    let claims = try JSONValue(parsing: Base64URL.decode(parts[1])).object
    #expect(claims?["device_key"]?.string == tokens.deviceKey)
    #expect(tokens.deviceKey != nil)
  }
}
