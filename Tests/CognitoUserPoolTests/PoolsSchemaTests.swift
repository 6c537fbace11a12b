internal import CognitoUserPool
internal import Testing
internal import TokenSecurityEncodings

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
      {"Name":"note","StringAttributeConstraints":{"MaxLength":"20"},"Mutable":false},
      {"Name":"inner","DeveloperOnlyAttribute":true},{"Name":"day","AttributeDataType":"DateTime"}]
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
    (#"[{"Name":"a","Required":true}]"#, "user_pool_parameter_refused"),
    (#"[{"Name":"a"},{"Name":"a"}]"#, "user_pool_parameter_refused"),
    (#"[{"Name":"email"},{"Name":"email"}]"#, "user_pool_parameter_refused"),
    (#"[{"AttributeDataType":"String"}]"#, "user_pool_parameter_refused"),
    (#"[{"Name":"email","AttributeDataType":"Number"}]"#, "user_pool_parameter_refused"),
    (#"[{"Name":"email","DeveloperOnlyAttribute":true}]"#, "user_pool_parameter_refused"),
    (
      #"[{"Name":"a","StringAttributeConstraints":{"MinLength":"5","MaxLength":"4"}}]"#,
      "user_pool_parameter_refused"
    ),
    (#"[{"Name":"a","StringAttributeConstraints":{"MaxLength":"2049"}}]"#, "user_pool_parameter_refused"),
    (#"[{"Name":"a","StringAttributeConstraints":{"MaxLength":"x"}}]"#, "user_pool_parameter_refused"),
    (#"[{"Name":"aaaaaaaaaaaaaaaaaaaaa"}]"#, "member_length"),
    (#"[{"Name":"a","AttributeDataType":"Text"}]"#, "member_choice"),
    ("[]", "member_length"),
  ])
  func schemasAreChecked(_ schema: String, _ code: String) async throws {
    let s = try PoolsService()
    #expect(await s.code("CreateUserPool", #"{"PoolName":"tests","Schema":\#(schema)}"#) == code)
  }

  @Test func attributesAreAddedUpToFifty() async throws {
    let s = try PoolsService()
    let id = try await s.makePoolID()
    for half in 0..<2 {
      let names = (0..<25).map { #"{"Name":"a\#(half)x\#($0)"}"# }.joined(separator: ",")
      try await s.call("AddCustomAttributes", #"{"UserPoolId":"\#(id)","CustomAttributes":[\#(names)]}"#)
    }
    #expect(try await s.describePool(id)["SchemaAttributes"]?.array?.count == 70)
    let one = #"{"UserPoolId":"\#(id)","CustomAttributes":[{"Name":"more"}]}"#
    #expect(await s.code("AddCustomAttributes", one) == "limit_reached")
    let same = #"{"UserPoolId":"\#(id)","CustomAttributes":[{"Name":"a0x0"}]}"#
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
