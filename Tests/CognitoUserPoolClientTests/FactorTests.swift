internal import CognitoUserPoolClient
internal import OneTimeCodes
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// Second factors and software tokens of a signed-in user.
@Suite struct FactorTests {
  private let token = "access.token"

  @Test func preferencesAreSet() async throws {
    let service = ScriptedTransport(.ok(), .ok())
    let client = try TestClient.make(service)
    try await client.setMFAPreference(softwareToken: .preferred, accessToken: token)
    try await client.setMFAPreference(sms: .off, softwareToken: .on, email: .preferred, accessToken: token)
    #expect(
      service.requests.map(\.body) == [
        [
          "AccessToken": "access.token", "SoftwareTokenMfaSettings": ["Enabled": true, "PreferredMfa": true],
        ],
        [
          "AccessToken": "access.token", "SMSMfaSettings": ["Enabled": false, "PreferredMfa": false],
          "SoftwareTokenMfaSettings": ["Enabled": true, "PreferredMfa": false],
          "EmailMfaSettings": ["Enabled": true, "PreferredMfa": true],
        ],
      ])
  }

  @Test func olderSettingsSwitchCodesInTextMessages() async throws {
    let service = ScriptedTransport(.ok(), .ok())
    let client = try TestClient.make(service)
    for isOn in [true, false] { try await client.setUserSettings(smsCodes: isOn, accessToken: token) }
    #expect(
      service.requests.map { "\($0.operation) \($0.json)" } == [
        #"SetUserSettings {"AccessToken":"access.token","MFAOptions":"#
          + #"[{"DeliveryMedium":"SMS","AttributeName":"phone_number"}]}"#,
        #"SetUserSettings {"AccessToken":"access.token","MFAOptions":[]}"#,
      ])
  }

  @Test func theFactorsOfAUser() async throws {
    let service = ScriptedTransport(
      .ok([
        "Username": "jane", "PreferredMfaSetting": "SMS_MFA", "UserMFASettingList": ["SMS_MFA", "LATER_MFA"],
        "ConfiguredUserAuthFactors": ["PASSWORD", "SMS_OTP", "SOFTWARE_TOKEN"],
      ]), .ok(["Username": "jane"]))
    let client = try TestClient.make(service)
    let found = try await client.authFactors(accessToken: token)
    #expect(found.username == "jane" && found.firstFactors == [.password, .smsCode])
    #expect(found.mfa.enabled == [.sms] && found.mfa.preferred == .sms)
    let none = try await client.authFactors(accessToken: token)
    #expect(none.firstFactors.isEmpty && none.mfa.enabled.isEmpty && none.mfa.preferred == nil)
    #expect(
      service.requests.map { "\($0.operation) \($0.json)" }
        == Array(repeating: #"GetUserAuthFactors {"AccessToken":"access.token"}"#, count: 2))
  }

  @Test func preferencesThatContradictAreNotSent() async throws {
    let service = ScriptedTransport()
    let client = try TestClient.make(service)
    await expectUserPoolError(.inputInvalid) { try await client.setMFAPreference(accessToken: token) }
    await expectUserPoolError(.inputInvalid) {
      try await client.setMFAPreference(sms: .preferred, email: .preferred, accessToken: token)
    }
    #expect(service.requests.isEmpty)
  }

  /// The service's secret gives the codes that the service expects.
  @Test func aSoftwareTokenIsSetUp() async throws {
    // 20 bytes, as in RFC 6238's vectors.
    let service = ScriptedTransport(
      .ok(["SecretCode": "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"]), .ok(["Status": "SUCCESS"]))
    let client = try TestClient.make(service)
    let secret = try await client.associateSoftwareToken(accessToken: token)
    let uri = try secret.uri(issuer: "Example", account: "jane@example.com")
    let text = uri.text().withBytes { String(decoding: [UInt8](unwipedCopy: $0), as: UTF8.self) }
    #expect(
      text == "otpauth://totp/Example:jane%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        + "&issuer=Example&algorithm=SHA1&digits=6&period=30")
    let typed = secret.base32().withBytes { String(decoding: [UInt8](unwipedCopy: $0), as: UTF8.self) }
    #expect(typed == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    let code = try uri.totp().code(at: Timestamp(seconds: 59))
    #expect(code == "287082")
    try await client.verifySoftwareToken(code: code, deviceName: "phone", accessToken: token)
    #expect(
      service.requests.map { "\($0.operation) \($0.json)" } == [
        #"AssociateSoftwareToken {"AccessToken":"access.token"}"#,
        #"VerifySoftwareToken {"AccessToken":"access.token","UserCode":"287082","FriendlyDeviceName":"phone"}"#,
      ])
  }

  @Test func aNameThatTheURICannotHaveIsRefused() async throws {
    let service = ScriptedTransport(.ok(["SecretCode": "GEZDGNBVGY3TQOJQ"]))
    let secret = try await TestClient.make(service).associateSoftwareToken(accessToken: token)
    for (issuer, account) in [
      ("a:b", "jane"), ("Example", ""), ("Example", String(repeating: "a", count: 257)),
    ] {
      do {
        _ = try secret.uri(issuer: issuer, account: account)
        Issue.record("\(issuer) \(account) is accepted")
      } catch {
        #expect(error.code == .inputInvalid)
      }
    }
  }

  @Test func wrongCodesAndResponses() async throws {
    let service = ScriptedTransport(
      .ok(["Status": "ERROR"]), .refusal("EnableSoftwareTokenMFAException", "Code mismatch"),
      .ok(["SecretCode": "0000000000000000"]), .ok())
    let client = try TestClient.make(service)
    for code in ["12345", "1234567", "12345a", "", "１２３４５６"] {
      await expectUserPoolError(.inputInvalid) {
        try await client.verifySoftwareToken(code: code, accessToken: token)
      }
    }
    #expect(service.requests.isEmpty)
    await #expect(
      throws: UserPoolClientError.refused(
        type: "EnableSoftwareTokenMFAException", message: "the status is not SUCCESS")
    ) {
      try await client.verifySoftwareToken(code: "123456", accessToken: token)
    }
    await #expect(
      throws: UserPoolClientError.refused(type: "EnableSoftwareTokenMFAException", message: "Code mismatch")
    ) {
      try await client.verifySoftwareToken(code: "123456", accessToken: token)
    }
    for _ in 0..<2 {
      await expectUserPoolError(.responseMalformed) {
        _ = try await client.associateSoftwareToken(accessToken: token)
      }
    }
  }
}
