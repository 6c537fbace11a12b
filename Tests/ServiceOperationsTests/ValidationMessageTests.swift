internal import ServiceOperations
internal import Testing

/// The exact messages about members that break constraints.
@Suite struct ValidationMessageTests {
  static let name = #""ClientId":"c","ChallengeName":"SOFTWARE_TOKEN_MFA""#

  private func everything(_ members: String) -> String { refusal(Everything.self, "{\(members)}") }

  @Test func lengthAndPattern() {
    #expect(
      refusal(RespondToAuthChallenge.self, #"{\#(Self.name),"UserCode":"Aaaa"}"#)
        == "2 validation errors detected: Value 'Aaaa' at 'userCode' failed to satisfy constraint: Member must"
        + " have length greater than or equal to 6; Value 'Aaaa' at 'userCode' failed to satisfy constraint:"
        + " Member must satisfy regular expression pattern: [0-9]+")
    #expect(
      refusal(RespondToAuthChallenge.self, #"{\#(Self.name),"UserCode":"1234567"}"#)
        == "1 validation error detected: Value '1234567' at 'userCode' failed to satisfy constraint: Member"
        + " must have length less than or equal to 6")
    #expect(
      everything(#""Bytes":"ééé""#)
        == "1 validation error detected: Value 'ééé' at 'bytes' failed to satisfy constraint: Member must have"
        + " length less than or equal to 4")
    #expect(everything(#""Bytes":"éé""#) == "")
    // Four scalars of four bytes each.
    #expect(everything(#""Inner":{"Id":"😀😀😀😀"}"#) == "")
    #expect(everything(#""Inner":{"Id":"😀😀😀😀😀"}"#).contains("less than or equal to 4"))
  }

  @Test func absentAndNull() {
    let missing =
      "2 validation errors detected: Value null at 'clientId' failed to satisfy constraint: Member must not"
      + " be null; Value null at 'challengeName' failed to satisfy constraint: Member must not be null"
    for body in ["{}", "", #"{"ClientId":null,"ChallengeName":null,"Session":null}"#] {
      #expect(refusal(RespondToAuthChallenge.self, body) == missing)
    }
    #expect(
      everything(#""Inner":{"Deeper":{}}"#)
        == "2 validation errors detected: Value null at 'inner.id' failed to satisfy constraint: Member must"
        + " not be null; Value null at 'inner.deeper.on' failed to satisfy constraint: Member must not be null"
    )
  }

  @Test func secretsAreLeftOut() {
    #expect(
      refusal(SignUp.self, #"{"ClientId":"c","Username":"","Password":"a b"}"#)
        == "3 validation errors detected: Value at 'username' failed to satisfy constraint: Member must have"
        + " length greater than or equal to 1; Value at 'username' failed to satisfy constraint: Member must"
        + #" satisfy regular expression pattern: [\p{L}\p{M}\p{S}\p{N}\p{P}]+; Value at 'password' failed to"#
        + #" satisfy constraint: Member must satisfy regular expression pattern: [\S]+"#)
  }

  @Test func choices() {
    #expect(
      refusal(RespondToAuthChallenge.self, #"{"ClientId":"c","ChallengeName":"sms"}"#)
        == "1 validation error detected: Value 'sms' at 'challengeName' failed to satisfy constraint: Member"
        + " must satisfy enum value set: [PASSWORD_VERIFIER, NEW_PASSWORD_REQUIRED, SOFTWARE_TOKEN_MFA]")
  }

  @Test func numbers() {
    #expect(
      everything(#""Lists":[[1],[10]]"#)
        == "1 validation error detected: Value '[…, …]' at 'lists' failed to satisfy constraint: Member must"
        + " satisfy constraint: [Member must have value less than or equal to 9, Member must have value"
        + " greater than or equal to 1]")
    let forms = ServiceDeclaration(
      "Forms", signingName: "f", .json(targetPrefix: "AWSCognitoIdentityProviderService"), [Forms.self])
    func message(_ count: String) -> String {
      do throws(OperationError) {
        _ = try read(Forms.self, #"{"Count":\#(count)}"#, of: forms)
        return ""
      } catch {
        return error.publicMessage
      }
    }
    #expect(
      message("0")
        == "1 validation error detected: Value '0' at 'count' failed to satisfy constraint: Member must have"
        + " value greater than or equal to 1")
    #expect(
      message("10")
        == "1 validation error detected: Value '10' at 'count' failed to satisfy constraint: Member must have"
        + " value less than or equal to 9")
  }

  @Test func listsAndMaps() {
    #expect(
      everything(#""List":["a","B","c"]"#)
        == "1 validation error detected: Value '[a, B, c]' at 'list' failed to satisfy constraint: Member must"
        + " satisfy constraint: [Member must have length less than or equal to 4, Member must have length"
        + " greater than or equal to 1, Member must satisfy regular expression pattern: [a-z]+]")
    #expect(
      everything(#""List":[]"#)
        == "1 validation error detected: Value '[]' at 'list' failed to satisfy constraint: Member must have"
        + " length greater than or equal to 1")
    #expect(
      everything(#""List":["a","b","c","d"]"#)
        == "1 validation error detected: Value '[a, b, c, d]' at 'list' failed to satisfy constraint: Member"
        + " must have length less than or equal to 3")
    #expect(
      everything(#""Map":{"longer":1,"b":10}"#)
        == "2 validation errors detected: Value '{longer=…, b=…}' at 'map' failed to satisfy constraint: Map"
        + " keys must satisfy constraint: [Member must have length less than or equal to 4, Member must have"
        + " length greater than or equal to 1]; Value '{longer=…, b=…}' at 'map' failed to satisfy constraint:"
        + " Map value must satisfy constraint: [Member must have value less than or equal to 9, Member must"
        + " have value greater than or equal to 1]")
    #expect(
      refusal(RespondToAuthChallenge.self, #"{\#(Self.name),"ChallengeResponses":{"A":"1"},"UserCode":"1"}"#)
        .hasPrefix("1 validation error"))
  }

  @Test func structuresInListsAndMaps() {
    #expect(
      refusal(SignUp.self, #"{"ClientId":"c","Username":"u","UserAttributes":[{"Name":"a"},{"Name":""}]}"#)
        == "2 validation errors detected: Value '' at 'userAttributes.2.member.name' failed to satisfy"
        + " constraint: Member must have length greater than or equal to 1; Value '' at"
        + " 'userAttributes.2.member.name' failed to satisfy constraint: Member must satisfy regular"
        + #" expression pattern: [\p{L}\p{M}\p{S}\p{N}\p{P}]+"#)
    #expect(
      everything(#""InnerMap":{"k":{"Deeper":{"On":true}}}"#)
        == "1 validation error detected: Value null at 'innerMap.k.member.id' failed to satisfy constraint:"
        + " Member must not be null")
    #expect(
      everything(#""Inners":[{"Id":"a"},null,{"Id":"b","Deeper":{"Numbers":[]}}]"#)
        == "1 validation error detected: Value null at 'inners.3.member.deeper.on' failed to satisfy"
        + " constraint: Member must not be null")
  }

  @Test func valuesAreBoundedAndEscaped() {
    let long = String(repeating: "a", count: 1_000)
    let message = refusal(RespondToAuthChallenge.self, #"{"ClientId":"c","ChallengeName":"\#(long)"}"#)
    #expect(message.utf8.count < 600)
    #expect(
      refusal(RespondToAuthChallenge.self, #"{"ClientId":"c","ChallengeName":"\u001b[31m\u202e"}"#)
        .contains(#"Value '\u{1b}[31m\u{202e}' at"#))
    let many = String(repeating: #"{"Name":""},"#, count: 500) + #"{"Name":""}"#
    #expect(
      refusal(SignUp.self, #"{"ClientId":"c","Username":"u","UserAttributes":[\#(many)]}"#)
        .hasPrefix("50 validation errors detected: "))
  }

  @Test func listsHaveALimitWithoutOneInTheModel() {
    let many = String(repeating: #"{"Name":"a"},"#, count: 1_000) + #"{"Name":"a"}"#
    #expect(
      refusal(SignUp.self, #"{"ClientId":"c","Username":"u","UserAttributes":[\#(many)]}"#)
        == "1 validation error detected: Value at 'userAttributes' failed to satisfy constraint: Member must"
        + " have length less than or equal to 1000")
  }
}
