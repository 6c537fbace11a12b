internal import CognitoUserPool
internal import Testing
internal import TokenSecurityBase

/// The attributes that pools declare, and their second factors.
@Suite struct PoolsSchemaTests {
  private func attribute(_ name: String, in pool: JSONObject) -> JSONObject? {
    pool["SchemaAttributes"]?.array?.compactMap(\.object).first { $0["Name"]?.string == name }
  }

  @Test func attributesOfItsOwnHaveAPrefix() async throws {
    let s = try PoolsService()
    let pool = try await s.makePool(
      #"""
      "Schema":[{"Name":"email","AttributeDataType":"String","Required":true,"Mutable":false},
      {"Name":"level","AttributeDataType":"Number","NumberAttributeConstraints":{"MinValue":"1","MaxValue":"9"}},
      {"Name":"note","AttributeDataType":"String","StringAttributeConstraints":{"MaxLength":"20"},"Mutable":false},
      {"Name":"inner","AttributeDataType":"String","DeveloperOnlyAttribute":true},{"Name":"day","AttributeDataType":"DateTime"}]
      """#)
    #expect(pool["SchemaAttributes"]?.array?.count == 24)
    let email = try #require(attribute("email", in: pool))
    #expect(email["Required"]?.bool == true && email["Mutable"]?.bool == false)
    #expect(email.at("StringAttributeConstraints", "MaxLength")?.string == "2048")
    let level = try #require(attribute("custom:level", in: pool))
    #expect(level.at("NumberAttributeConstraints", "MaxValue")?.string == "9")
    #expect(level["Mutable"]?.bool == true && level["StringAttributeConstraints"] == nil)
    let note = try #require(attribute("custom:note", in: pool))
    #expect(note["AttributeDataType"]?.string == "String" && note["Mutable"]?.bool == false)
    #expect(note.at("StringAttributeConstraints", "MaxLength")?.string == "20")
    #expect(attribute("dev:custom:inner", in: pool)?["DeveloperOnlyAttribute"]?.bool == true)
    #expect(attribute("custom:day", in: pool)?["AttributeDataType"]?.string == "DateTime")
  }

  @Test(arguments: [
    (#"[{"Name":"a","AttributeDataType":"String","Required":true}]"#, "user_pool_parameter_refused"),
    (
      #"[{"Name":"a","AttributeDataType":"String"},{"Name":"a","AttributeDataType":"String"}]"#,
      "user_pool_parameter_refused"
    ),
    (#"[{"Name":"email"},{"Name":"email"}]"#, "user_pool_parameter_refused"),
    (#"[{"AttributeDataType":"String"}]"#, "user_pool_parameter_refused"),
    (#"[{"Name":"email","AttributeDataType":"Number"}]"#, "user_pool_parameter_refused"),
    (#"[{"Name":"email","DeveloperOnlyAttribute":true}]"#, "user_pool_parameter_refused"),
    (
      #"[{"Name":"a","AttributeDataType":"String","StringAttributeConstraints":{"MinLength":"5","MaxLength":"4"}}]"#,
      "user_pool_parameter_refused"
    ),
    (
      #"[{"Name":"a","AttributeDataType":"String","StringAttributeConstraints":{"MaxLength":"2049"}}]"#,
      "user_pool_parameter_refused"
    ),
    (
      #"[{"Name":"a","AttributeDataType":"String","StringAttributeConstraints":{"MaxLength":"x"}}]"#,
      "user_pool_parameter_refused"
    ),
    (#"[{"Name":"aaaaaaaaaaaaaaaaaaaaa"}]"#, "member_length"),
    (#"[{"Name":"a","AttributeDataType":"Text"}]"#, "member_choice"),
    ("[]", "member_length"),
  ])
  func schemasAreChecked(_ schema: String, _ code: String) async throws {
    let s = try PoolsService()
    #expect(await s.code("CreateUserPool", #"{"PoolName":"tests","Schema":\#(schema)}"#) == code)
  }

  /// AWS makes `custom:custom:x` of `custom:x` (provider-upjet-aws, issue 427).
  @Test func aPrefixIsPartOfTheName() async throws {
    let s = try PoolsService()
    let id = try await s.makePoolID(#""Schema":[{"Name":"custom:x","AttributeDataType":"String"}]"#)
    try await s.call(
      "AddCustomAttributes",
      #"{"UserPoolId":"\#(id)","CustomAttributes":[{"Name":"custom:y","AttributeDataType":"Number"}]}"#)
    let pool = try await s.describePool(id)
    #expect(attribute("custom:custom:x", in: pool) != nil && attribute("custom:custom:y", in: pool) != nil)
    #expect(attribute("custom:x", in: pool) == nil)
  }

  /// AWS's texts (aws-cdk, issue 8585; moto 5.2.5).
  @Test func attributesHaveATypeOfTheirOwn() async throws {
    let s = try PoolsService()
    let id = try await s.makePoolID()
    let text = "Invalid AttributeDataType input, consider using the provided AttributeDataType enum."
    for (name, body) in [
      ("CreateUserPool", #"{"PoolName":"tests","Schema":[{"Name":"a"}]}"#),
      ("CreateUserPool", #"{"PoolName":"tests","Schema":[{"Name":"a","Required":true}]}"#),
      ("AddCustomAttributes", #"{"UserPoolId":"\#(id)","CustomAttributes":[{"Name":"a"}]}"#),
    ] {
      let error = try #require(await s.refusal(name, body))
      #expect(error == .settingsRefused(text) && "\(error)" == text)
      #expect(error.type == "InvalidParameterException" && error.codeText == "user_pool_parameter_refused")
    }
    // Standard attributes have one.
    let pool = try await s.makePool(#""Schema":[{"Name":"email","Required":true}]"#)
    #expect(attribute("email", in: pool)?["AttributeDataType"]?.string == "String")
  }

  @Test func attributesAreAddedUpToFifty() async throws {
    let s = try PoolsService()
    let id = try await s.makePoolID()
    for half in 0..<2 {
      let names = (0..<25).map { #"{"Name":"a\#(half)x\#($0)","AttributeDataType":"String"}"# }.joined(
        separator: ",")
      try await s.call("AddCustomAttributes", #"{"UserPoolId":"\#(id)","CustomAttributes":[\#(names)]}"#)
    }
    #expect(try await s.describePool(id)["SchemaAttributes"]?.array?.count == 70)
    let one = #"{"UserPoolId":"\#(id)","CustomAttributes":[{"Name":"more","AttributeDataType":"String"}]}"#
    #expect(await s.code("AddCustomAttributes", one) == "limit_reached")
    let same = #"{"UserPoolId":"\#(id)","CustomAttributes":[{"Name":"a0x0","AttributeDataType":"String"}]}"#
    #expect(await s.code("AddCustomAttributes", same) == "user_pool_parameter_refused")
  }

  @Test func secondFactorsAreSetTogether() async throws {
    let s = try PoolsService()
    let id = try await s.makePoolID()
    func config(_ members: String) -> String { #"{"UserPoolId":"\#(id)"\#(members)}"# }
    #expect(try await s.call("GetUserPoolMfaConfig", config("")).at("MfaConfiguration")?.string == "OFF")
    #expect(
      await s.code("SetUserPoolMfaConfig", config(#","MfaConfiguration":"ON""#))
        == "user_pool_parameter_refused")
    let answer = try await s.call(
      "SetUserPoolMfaConfig",
      config(
        #","MfaConfiguration":"OPTIONAL","SoftwareTokenMfaConfiguration":{"Enabled":true},"EmailMfaConfiguration":{"Message":"code {####}","Subject":"yours"},"SmsMfaConfiguration":{"SmsAuthenticationMessage":"sms {####}"}"#
      ))
    #expect(answer == (try await s.call("GetUserPoolMfaConfig", config(""))))
    #expect(answer["MfaConfiguration"]?.string == "OPTIONAL")
    #expect(answer.at("SoftwareTokenMfaConfiguration", "Enabled")?.bool == true)
    #expect(answer.at("EmailMfaConfiguration", "Subject")?.string == "yours")
    #expect(answer.at("SmsMfaConfiguration", "SmsAuthenticationMessage")?.string == "sms {####}")
    #expect(try await s.describePool(id)["MfaConfiguration"]?.string == "OPTIONAL")

    // A factor that the next call does not name is off.
    let next = try await s.call(
      "SetUserPoolMfaConfig",
      config(#","MfaConfiguration":"ON","SoftwareTokenMfaConfiguration":{"Enabled":true}"#))
    #expect(next["EmailMfaConfiguration"] == nil && next["SmsMfaConfiguration"] == nil)
    // An update that keeps the second factor keeps its software tokens.
    try await s.call("UpdateUserPool", config(#","MfaConfiguration":"ON""#))
    let kept = try await s.call("GetUserPoolMfaConfig", config(""))
    #expect(kept.at("SoftwareTokenMfaConfiguration", "Enabled")?.bool == true)
  }

  /// AWS's text (cdkd, issue 1923, measured at AWS on 2026-08-19): an absent mode is OFF, too, and passkeys are exempt.
  @Test(arguments: [
    #""SmsMfaConfiguration":{"SmsAuthenticationMessage":"sms {####}"}"#, #""SmsMfaConfiguration":{}"#,
    #""EmailMfaConfiguration":{"Message":"code {####}","Subject":"yours"}"#,
    #""SoftwareTokenMfaConfiguration":{"Enabled":true}"#,
    #""SoftwareTokenMfaConfiguration":{"Enabled":false}"#,
  ])
  func noFactorsWhereSecondFactorsAreOff(_ factor: String) async throws {
    let s = try PoolsService()
    let id = try await s.makePoolID()
    let text = "Invalid MFA configuration given, can't turn off MFA and configure an MFA together."
    for mode in [#","MfaConfiguration":"OFF""#, ""] {
      let error = await s.refusal("SetUserPoolMfaConfig", #"{"UserPoolId":"\#(id)"\#(mode),\#(factor)}"#)
      #expect(error == .settingsRefused(text))
      #expect(error.map { "\($0)" } == text)
      let passkeys = #","WebAuthnConfiguration":{"UserVerification":"required"}"#
      try await s.call("SetUserPoolMfaConfig", #"{"UserPoolId":"\#(id)"\#(mode)\#(passkeys)}"#)
    }
    // A mode without a factor (aws-sdk-js, issue 4186).
    let error = await s.refusal(
      "SetUserPoolMfaConfig", #"{"UserPoolId":"\#(id)","MfaConfiguration":"OPTIONAL"}"#)
    #expect(
      error.map { "\($0)" }
        == "Invalid MFA configuration given, can't disable all MFAs with a required or optional configuration."
    )
    // Messages that verify need the configuration of SMS.
    let sms =
      #""SmsConfiguration":{"SnsCallerArn":"arn:aws:iam::123456789012:role/sms"},"MfaConfiguration":"OFF""#
    #expect(try await s.makePool(sms)["MfaConfiguration"]?.string == "OFF")
  }

  @Test func tagsHaveOperationsOfTheirOwn() async throws {
    let s = try PoolsService()
    let pool = try await s.makePool(#""UserPoolTags":{"a":"1","b":"2"}"#)
    let arn = try #require(pool["Arn"]?.string)
    try await s.call("TagResource", #"{"ResourceArn":"\#(arn)","Tags":{"b":"3","c":""}}"#)
    try await s.call("UntagResource", #"{"ResourceArn":"\#(arn)","TagKeys":["a","x"]}"#)
    let tags = try await s.call("ListTagsForResource", #"{"ResourceArn":"\#(arn)"}"#)
    #expect(tags.at("Tags") == .object(["b": "3", "c": ""]))
    let many = (0..<49).map { #""k\#($0)":"""# }.joined(separator: ",")
    #expect(await s.code("TagResource", #"{"ResourceArn":"\#(arn)","Tags":{\#(many)}}"#) == "limit_reached")
    for other in [
      "arn:aws:cognito-idp:eu-west-1:123456789013:userpool/eu-west-1_aaaaaaaaa",
      "arn:aws:cognito-idp:us-east-1:123456789012:userpool/us-east-1_aaaaaaaaa",
      "arn:aws:cognito-identity:eu-west-1:123456789012:identitypool/a",
    ] {
      #expect(await s.code("ListTagsForResource", #"{"ResourceArn":"\#(other)"}"#) == "resource_unknown")
    }
    let unknown = "arn:aws:cognito-idp:eu-west-1:123456789012:userpool/eu-west-1_aaaaaaaaa"
    #expect(await s.code("ListTagsForResource", #"{"ResourceArn":"\#(unknown)"}"#) == "user_pool_unknown")
  }
}
