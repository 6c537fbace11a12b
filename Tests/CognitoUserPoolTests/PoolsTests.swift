internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// Making, describing, replacing, listing and removing pools.
@Suite struct PoolsTests {
  @Test func aPoolHasItsDefaults() async throws {
    let s = try PoolsService()
    let pool = try await s.makePool()
    let id = try #require(pool["Id"]?.string)
    #expect(id.wholeMatch(of: /eu-west-1_[0-9A-Za-z]{9}/) != nil)
    #expect(pool["Arn"]?.string == "arn:aws:cognito-idp:eu-west-1:123456789012:userpool/\(id)")
    #expect(pool["Name"]?.string == "tests")
    #expect(pool["CreationDate"]?.int64 == 1_800_000_000)
    #expect(pool["LastModifiedDate"]?.int64 == 1_800_000_000)
    #expect(pool["MfaConfiguration"]?.string == "OFF")
    #expect(pool["DeletionProtection"]?.string == "INACTIVE")
    #expect(pool["EstimatedNumberOfUsers"]?.int64 == 0)
    #expect(pool.at("UsernameConfiguration", "CaseSensitive")?.bool == true)
    #expect(pool.at("AdminCreateUserConfig", "AllowAdminCreateUserOnly")?.bool == false)
    #expect(pool.at("VerificationMessageTemplate", "DefaultEmailOption")?.string == "CONFIRM_WITH_CODE")
    let policy = try #require(pool.at("Policies", "PasswordPolicy")?.object)
    #expect(policy["MinimumLength"]?.int64 == 8 && policy["TemporaryPasswordValidityDays"]?.int64 == 7)
    for name in ["RequireUppercase", "RequireLowercase", "RequireNumbers", "RequireSymbols"] {
      #expect(policy[name]?.bool == true)
    }
    #expect(
      pool.at("Policies", "SignInPolicy")?.object?.texts("AllowedFirstAuthFactors") == ["PASSWORD"])
    for name in [
      "AliasAttributes", "UsernameAttributes", "AutoVerifiedAttributes", "DeviceConfiguration",
      "UserPoolTags",
      "AccountRecoverySetting", "UserPoolAddOns",
    ] {
      #expect(pool[name] == nil)
    }
    #expect(pool["EmailConfiguration"] == .object(["EmailSendingAccount": "COGNITO_DEFAULT"]))
    #expect(pool["IssuerConfiguration"] == .object(["Type": "ORIGINAL"]))
    #expect(try await s.describePool(id) == pool)
  }

  @Test func aPoolHasTwentyStandardAttributes() async throws {
    let pool = try await PoolsService().makePool()
    let schema = try #require(pool["SchemaAttributes"]?.array)
    #expect(
      schema.compactMap { $0.object?["Name"]?.string } == [
        "sub", "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username",
        "profile", "picture", "website", "email", "email_verified", "gender", "birthdate", "zoneinfo",
        "locale", "phone_number", "phone_number_verified", "address", "updated_at",
      ])
    let sub = try #require(schema.first?.object)
    #expect(sub["Required"]?.bool == true && sub["Mutable"]?.bool == false)
  }

  private static let settings = #"""
    "Policies":{"PasswordPolicy":{"MinimumLength":12,"RequireNumbers":true,"PasswordHistorySize":3,
    "TemporaryPasswordValidityDays":2},"SignInPolicy":{"AllowedFirstAuthFactors":["PASSWORD","EMAIL_OTP"]}},
    "DeletionProtection":"ACTIVE","IssuerConfiguration":{"Type":"UPDATED"},"LambdaConfig":{"PreSignUp":"arn:aws:lambda:eu-west-1:123456789012:function:a",
    "PreTokenGenerationConfig":{"LambdaVersion":"V2_0",
    "LambdaArn":"arn:aws:lambda:eu-west-1:123456789012:function:b"}},
    "AutoVerifiedAttributes":["email","phone_number"],
    "UserAttributeUpdateSettings":{"AttributesRequireVerificationBeforeUpdate":["email"]},
    "VerificationMessageTemplate":{"SmsMessage":"sms {####}","EmailMessage":"mail {####}","EmailSubject":"code"},
    "SmsAuthenticationMessage":"again {####}","MfaConfiguration":"OPTIONAL",
    "DeviceConfiguration":{"ChallengeRequiredOnNewDevice":true},
    "EmailConfiguration":{"From":"a@example.com","EmailSendingAccount":"DEVELOPER"},
    "SmsConfiguration":{"SnsCallerArn":"arn:aws:iam::123456789012:role/sms","ExternalId":"x"},
    "UserPoolTags":{"stage":"test"},
    "AdminCreateUserConfig":{"AllowAdminCreateUserOnly":true,
    "InviteMessageTemplate":{"EmailMessage":"Welcome {username}, {####}"}},
    "UserPoolAddOns":{"AdvancedSecurityMode":"AUDIT"},"UserPoolTier":"PLUS",
    "AccountRecoverySetting":{"RecoveryMechanisms":[{"Priority":2,"Name":"verified_phone_number"},
    {"Priority":1,"Name":"verified_email"}]}
    """#

  @Test func settingsAreReturned() async throws {
    let s = try PoolsService()
    let pool = try await s.describePool(s.makePoolID(Self.settings))
    let policy = try #require(pool.at("Policies", "PasswordPolicy")?.object)
    #expect(policy["MinimumLength"]?.int64 == 12 && policy["RequireNumbers"]?.bool == true)
    #expect(policy["RequireSymbols"]?.bool == false && policy["PasswordHistorySize"]?.int64 == 3)
    #expect(
      pool.at("Policies", "SignInPolicy")?.object?.texts("AllowedFirstAuthFactors")
        == ["PASSWORD", "EMAIL_OTP"])
    #expect(pool["DeletionProtection"]?.string == "ACTIVE")
    #expect(pool.at("IssuerConfiguration", "Type")?.string == "UPDATED")
    let hook = "arn:aws:lambda:eu-west-1:123456789012:function:b"
    #expect(pool.at("LambdaConfig", "PreTokenGeneration")?.string == hook)
    #expect(pool.at("LambdaConfig", "PreTokenGenerationConfig", "LambdaVersion")?.string == "V2_0")
    #expect(pool.at("LambdaConfig", "PreSignUp")?.string?.hasSuffix(":a") == true)
    #expect(pool.texts("AutoVerifiedAttributes") == ["email", "phone_number"])
    #expect(pool["SmsVerificationMessage"]?.string == "sms {####}")
    #expect(pool.at("VerificationMessageTemplate", "EmailSubject")?.string == "code")
    #expect(pool["SmsAuthenticationMessage"]?.string == "again {####}")
    #expect(pool["MfaConfiguration"]?.string == "OPTIONAL")
    #expect(pool.at("DeviceConfiguration", "DeviceOnlyRememberedOnUserPrompt")?.bool == false)
    #expect(pool.at("EmailConfiguration", "From")?.string == "a@example.com")
    #expect(pool.at("SmsConfiguration", "ExternalId")?.string == "x")
    #expect(pool.at("UserPoolTags", "stage")?.string == "test")
    #expect(pool.at("AdminCreateUserConfig", "AllowAdminCreateUserOnly")?.bool == true)
    #expect(pool.at("UserPoolAddOns", "AdvancedSecurityMode")?.string == "AUDIT")
    #expect(pool["UserPoolTier"]?.string == "PLUS")
    let ways = try #require(pool.at("AccountRecoverySetting", "RecoveryMechanisms")?.array)
    #expect(ways.compactMap { $0.object?["Name"]?.string } == ["verified_email", "verified_phone_number"])
  }

  @Test func anUpdateReplacesAllSettings() async throws {
    let s = try PoolsService()
    let id = try await s.makePoolID(
      Self.settings + #","AliasAttributes":["email"],"UsernameConfiguration":{"CaseSensitive":false}"#)
    let later = PoolsService.now + .seconds(60)
    try await s.call("UpdateUserPool", #"{"UserPoolId":"\#(id)","PoolName":"renamed"}"#, at: later)
    let pool = try await s.describePool(id)
    #expect(pool["Name"]?.string == "renamed")
    #expect(pool["LastModifiedDate"]?.int64 == 1_800_000_060)
    #expect(pool["CreationDate"]?.int64 == 1_800_000_000)
    #expect(pool["DeletionProtection"]?.string == "INACTIVE" && pool["MfaConfiguration"]?.string == "OFF")
    #expect(pool.at("IssuerConfiguration", "Type")?.string == "ORIGINAL")
    #expect(pool.at("Policies", "PasswordPolicy", "MinimumLength")?.int64 == 8)
    #expect(pool.at("Policies", "PasswordPolicy", "RequireSymbols")?.bool == true)
    for name in [
      "AutoVerifiedAttributes", "DeviceConfiguration", "SmsConfiguration",
      "UserPoolAddOns", "UserPoolTier", "AccountRecoverySetting", "SmsVerificationMessage",
      "UserAttributeUpdateSettings",
    ] {
      #expect(pool[name] == nil)
    }
    #expect(pool.at("LambdaConfig", "PreSignUp") == nil)
    // Settings that an update cannot name stay, and so do tags, which have operations of their own.
    #expect(pool.texts("AliasAttributes") == ["email"])
    #expect(pool.at("UsernameConfiguration", "CaseSensitive")?.bool == false)
    #expect(pool.at("UserPoolTags", "stage")?.string == "test")
  }

  @Test func anIssuerOfOnesOwnHasOneForm() async throws {
    let s = try PoolsService(settings: .init(issuerPrefix: "https://id.example.com"))
    let id = try await s.makePoolID(#""IssuerConfiguration":{"Type":"ORIGINAL"}"#)
    let updated = #""IssuerConfiguration":{"Type":"UPDATED"}"#
    #expect(await errorCode { _ = try await s.makePool(updated) } == "user_pool_parameter_refused")
    #expect(
      await errorCode { try await s.call("UpdateUserPool", #"{"UserPoolId":"\#(id)",\#(updated)}"#) }
        == "user_pool_parameter_refused")
    #expect(try await s.describePool(id).at("IssuerConfiguration", "Type")?.string == "ORIGINAL")
  }

  @Test(arguments: [
    (#""AliasAttributes":["email"],"UsernameAttributes":["email"]"#, "user_pool_parameter_refused"),
    (#""MfaConfiguration":"ON""#, "user_pool_parameter_refused"),
    (
      #""UserAttributeUpdateSettings":{"AttributesRequireVerificationBeforeUpdate":["email"]}"#,
      "user_pool_parameter_refused"
    ),
    (
      #""AccountRecoverySetting":{"RecoveryMechanisms":[{"Priority":1,"Name":"admin_only"},{"Priority":2,"Name":"verified_email"}]}"#,
      "user_pool_parameter_refused"
    ),
    (
      #""AccountRecoverySetting":{"RecoveryMechanisms":[{"Priority":1,"Name":"verified_phone_number"},{"Priority":1,"Name":"verified_email"}]}"#,
      "user_pool_parameter_refused"
    ),
    (
      #""LambdaConfig":{"PreTokenGeneration":"arn:aws:lambda:eu-west-1:123456789012:function:a","PreTokenGenerationConfig":{"LambdaVersion":"V1_0","LambdaArn":"arn:aws:lambda:eu-west-1:123456789012:function:b"}}"#,
      "user_pool_parameter_refused"
    ),
    (#""Policies":{"PasswordPolicy":{"MinimumLength":5}}"#, "member_range"),
    (
      #""Policies":{"SignInPolicy":{"AllowedFirstAuthFactors":["SOFTWARE_TOKEN"]}}"#,
      "user_pool_parameter_refused"
    ),
    (
      #""Policies":{"SignInPolicy":{"AllowedFirstAuthFactors":["EMAIL_OTP","SMS_OTP"]}}"#,
      "user_pool_parameter_refused"
    ),
    (
      #""Policies":{"PasswordPolicy":{"TemporaryPasswordValidityDays":2}},"AdminCreateUserConfig":{"UnusedAccountValidityDays":3}"#,
      "user_pool_parameter_refused"
    ),
    (#""SmsVerificationMessage":"no place for a code""#, "member_pattern"),
    (#""LambdaConfig":{"PreSignUp":"arn:aws:lambda:eu-west-1:abc:function:a"}"#, "member_pattern"),
    (#""UsernameAttributes":["preferred_username"]"#, "member_choice"),
  ])
  func settingsThatContradictAreRefused(_ settings: String, _ code: String) async throws {
    let s = try PoolsService()
    let refusal = await s.refusal("CreateUserPool", "{\"PoolName\":\"tests\",\(settings)}")
    #expect(refusal?.codeText == code)
    #expect(refusal?.type == "InvalidParameterException")
  }

  @Test func namesOfPoolsAreBounded() async throws {
    let s = try PoolsService()
    #expect(await s.code("CreateUserPool") == "member_missing")
    #expect(await s.code("CreateUserPool", #"{"PoolName":""}"#) == "member_length")
    #expect(await s.code("CreateUserPool", #"{"PoolName":"a/b"}"#) == "member_pattern")
    #expect(await s.code("DescribeUserPool", #"{"UserPoolId":"eu-west-1"}"#) == "member_pattern")
    #expect(await s.code("DescribeUserPool", #"{"UserPoolId":"eu-west-1_aaaaaaaaa"}"#) == "user_pool_unknown")
  }

  @Test func poolsAreListedInPages() async throws {
    let s = try PoolsService()
    var made: Set<ExactString> = []
    for _ in 0..<5 { made.insert(ExactString(try await s.makePoolID())) }
    let removed = try #require(made.removeFirst().text as String?)
    try await s.call("DeleteUserPool", #"{"UserPoolId":"\#(removed)"}"#)
    var found: Set<ExactString> = []
    var token = ""
    var pages = 0
    repeat {
      let page = try await s.call("ListUserPools", #"{"MaxResults":3\#(token)}"#)
      for pool in page["UserPools"]?.array ?? [] {
        found.insert(ExactString(try #require(pool.object?["Id"]?.string)))
      }
      token = page["NextToken"]?.string.map { #","NextToken":"\#($0)""# } ?? ""
      pages += 1
    } while !token.isEmpty
    #expect(found == made && pages == 2)
    #expect(await s.code("ListUserPools") == "member_missing")
    #expect(await s.code("ListUserPools", #"{"MaxResults":61}"#) == "member_range")
    #expect(await s.code("ListUserPools", #"{"MaxResults":1,"NextToken":"AAAA"}"#) == "page_token_invalid")
  }

  @Test func theNumberOfPoolsIsLimited() async throws {
    let s = try PoolsService(settings: .init(region: "eu-west-1", poolLimit: 2))
    let id = try await s.makePoolID()
    _ = try await s.makePoolID()
    #expect(await s.code("CreateUserPool", #"{"PoolName":"a"}"#) == "limit_reached")
    // A removed pool does not count, although its row is there until maintenance removes it.
    try await s.call("DeleteUserPool", #"{"UserPoolId":"\#(id)"}"#)
    _ = try await s.makePoolID()
    #expect(await s.code("CreateUserPool", #"{"PoolName":"a"}"#) == "limit_reached")
  }
}
