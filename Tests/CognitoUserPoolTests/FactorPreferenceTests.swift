internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// SetUserMFAPreference, SetUserSettings and what they refuse.
@Suite struct FactorPreferenceTests {
  static let everyFactor: JSONObject = [
    "MfaConfiguration": "OPTIONAL", "SoftwareTokenMfaConfiguration": ["Enabled": true],
    "SmsMfaConfiguration": [
      "SmsConfiguration": ["SnsCallerArn": "arn:aws:iam::123456789012:role/sms", "ExternalId": "tests"]
    ],
    "EmailMfaConfiguration": ["Message": "{####}", "Subject": "code"],
  ]

  private func pool(_ attributes: [String: String] = [:]) async throws -> (TestPool, SignInTokens) {
    let pool = try await TestPool()
    try await pool.admin("SetUserPoolMfaConfig", Self.everyFactor)
    try await pool.addUser(attributes: attributes)
    return (pool, try await pool.signIn())
  }

  static let addresses = ["phone_number": "+12065550100", "email": "jane@example.com"]

  @Test(arguments: [
    ("SMSMfaSettings", "User does not have delivery config set to turn on SMS_MFA"),
    ("EmailMfaSettings", "User does not have delivery config set to turn on EMAIL_OTP"),
    ("SoftwareTokenMfaSettings", "User has not set up software token mfa"),
  ])
  func factorsWithoutWhatTheyNeed(_ member: String, _ text: String) async throws {
    let (pool, tokens) = try await pool()
    #expect(await refusal { try await pool.prefer(member, tokens) } == "InvalidParameterException: \(text)")
  }

  @Test func oneFactorIsPreferred() async throws {
    let (pool, tokens) = try await pool(Self.addresses)
    let both: JSONObject = [
      "AccessToken": .string(tokens.access), "SMSMfaSettings": ["Enabled": true, "PreferredMfa": true],
      "EmailMfaSettings": ["Enabled": true, "PreferredMfa": true],
    ]
    #expect(
      await errorCode { try await pool.call("SetUserMFAPreference", both) } == "user_pool_parameter_refused")
    #expect(try await pool.storedUser().enabledFactors == [])
    try await pool.prefer("SMSMfaSettings", tokens)
    try await pool.prefer("EmailMfaSettings", tokens)
    let user = try await pool.storedUser()
    #expect(user.enabledFactors == [.sms, .email])
    #expect(user.preferredFactor == .email)
    // A disabled factor is not preferred.
    try await pool.admin(
      "AdminSetUserMFAPreference",
      ["Username": .string(TestPool.user), "EmailMfaSettings": ["Enabled": false]])
    let changed = try await pool.storedUser()
    #expect(changed.enabledFactors == [.sms])
    #expect(changed.preferredFactor == nil)
    let refused = await errorCode {
      try await pool.admin(
        "AdminSetUserMFAPreference",
        ["Username": .string(TestPool.user), "EmailMfaSettings": ["PreferredMfa": true]])
    }
    #expect(refused == "user_pool_parameter_refused")
  }

  @Test func factorsThatThePoolDoesNotHave() async throws {
    let pool = try await TestPool()
    try await pool.addUser(attributes: Self.addresses)
    let tokens = try await pool.signIn()
    for member in ["SMSMfaSettings", "EmailMfaSettings"] {
      #expect(await errorCode { try await pool.prefer(member, tokens) } == "factor_not_set_up")
    }
  }

  @Test func olderSettingsSwitchSMS() async throws {
    let (pool, tokens) = try await pool(Self.addresses)
    let access = JSONValue.string(tokens.access)
    let sms: JSONValue = [["DeliveryMedium": "SMS", "AttributeName": "phone_number"]]
    let email: JSONValue = [["DeliveryMedium": "EMAIL", "AttributeName": "email"]]
    try await pool.call("SetUserSettings", ["AccessToken": access, "MFAOptions": sms])
    #expect(try await pool.storedUser().enabledFactors == [.sms])
    #expect(
      await errorCode {
        try await pool.call("SetUserSettings", ["AccessToken": access, "MFAOptions": email])
      }
        == "user_pool_parameter_refused")
    try await pool.admin("AdminSetUserSettings", ["Username": .string(TestPool.user), "MFAOptions": []])
    #expect(try await pool.storedUser().enabledFactors == [])
  }

  @Test func factorsAreReturned() async throws {
    let (pool, tokens) = try await pool(Self.addresses)
    try await pool.prefer("SMSMfaSettings", tokens)
    let expected: JSONObject = [
      "Username": .string(TestPool.user), "PreferredMfaSetting": "SMS_MFA",
      "UserMFASettingList": ["SMS_MFA"], "ConfiguredUserAuthFactors": ["PASSWORD"],
    ]
    #expect(
      try await pool.call("GetUserAuthFactors", ["AccessToken": .string(tokens.access)]) == expected)
    #expect(
      try await pool.admin("AdminGetUserAuthFactors", ["Username": .string(TestPool.user)]) == expected)
  }

  @Test func unknownUsersAndTokens() async throws {
    let (pool, _) = try await pool()
    for operation in ["AdminDeleteSoftwareToken", "AdminGetUserAuthFactors", "AdminListDevices"] {
      #expect(await errorCode { try await pool.admin(operation, ["Username": "nobody"]) } == "user_unknown")
    }
    #expect(
      await errorCode { try await pool.call("GetUserAuthFactors", ["AccessToken": "a.b.c"]) }
        == "access_token_invalid")
  }
}
