internal import CognitoUserPool
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The texts of CustomMessage.
@Suite struct MessagesTextTests {
  private static let function = "arn:aws:lambda:us-east-1:123456789012:function:message"

  private func fixture(_ response: String) throws -> (MessagesFixture, HookScript) {
    let script = HookScript { _ in .success(HookResponse(json: response)) }
    var fixture = try MessagesFixture(hooks: HookRunner(script))
    fixture.pool.hooks["CustomMessage"] = Self.function
    return (fixture, script)
  }

  private func sent(_ fixture: MessagesFixture) async throws -> OutgoingMessage {
    let sender = MessageMemory()
    try await MessageDelivery(fixture.service, sender: sender).sendDue(at: MessagesFixture.now)
    return try #require(sender.messages.first)
  }

  @Test func itsTextsReplaceThePools() async throws {
    let (fixture, script) = try fixture(
      #"{"response": {"smsMessage": null, "emailMessage": "<a>{####}</a>", "emailSubject": "Hello"}}"#)
    try await fixture.enqueue(.resendCode)
    let message = try await sent(fixture)
    #expect(message.body == "<a>418273</a>")
    #expect(message.subject == "Hello")
    let event = try #require(script.events.first)
    #expect(event.source == "CustomMessage_ResendCode")
    // The function does not get the code.
    #expect(event.json.object["request"]?.object?["codeParameter"] == "{####}")
    #expect(event.json.object["request"]?.object?["usernameParameter"] == .null)
    #expect(
      !event.json.withBytes { String(decoding: Array(unwipedCopy: $0), as: UTF8.self) }.contains("418273"))
  }

  @Test func withoutATextThePoolsIsSent() async throws {
    let (fixture, _) = try fixture(
      #"{"response": {"smsMessage": null, "emailMessage": null, "emailSubject": ""}}"#)
    try await fixture.enqueue(.signUp)
    let message = try await sent(fixture)
    #expect(message.body == "Your verification code is 418273. ")
    #expect(message.subject == "Your verification code")
  }

  @Test(arguments: [
    (MessageKind.signUp, #"{"emailMessage": "no code"}"#, "emailMessage lacks {####}"),
    (.adminCreateUser, #"{"emailMessage": "only {####}"}"#, "emailMessage lacks {username}"),
    (
      .signUp, #"{"emailMessage": "{####}", "emailSubject": "\#(String(repeating: "s", count: 141))"}"#,
      "emailSubject has more than 140 characters"
    ),
    (
      .signUp, #"{"emailMessage": "{####}\#(String(repeating: "s", count: 19_995))"}"#,
      "emailMessage has more than 20000 characters"
    ),
  ])
  func aTextThatCannotBeSentIsRefused(kind: MessageKind, response: String, rule: String) async throws {
    let (fixture, _) = try fixture(#"{"response": \#(response)}"#)
    await #expect(throws: UserPoolError.hookResponseInvalid(trigger: "CustomMessage", rule: rule)) {
      try await fixture.enqueue(kind)
    }
    #expect(try await fixture.rows().isEmpty)
  }

  @Test func aFunctionThatFailsFailsTheCall() async throws {
    let script = HookScript { _ in .failure(.refused("not today")) }
    var fixture = try MessagesFixture(hooks: HookRunner(script))
    fixture.pool.hooks["CustomMessage"] = Self.function
    await #expect(throws: UserPoolError.hookRefused(trigger: "CustomMessage", text: "not today")) {
      try await fixture.enqueue()
    }
  }

  @Test func usersOfAddressesAreShownTheirAddress() async throws {
    var fixture = try MessagesFixture()
    fixture.user.name = fixture.user.sub
    fixture.pool.usernameAttributes = [.email]
    try await fixture.enqueue(.adminCreateUser, code: "Aa1<&x")
    let message = try await sent(fixture)
    #expect(message.body == "Your username is jane@example.com and temporary password is Aa1&lt;&amp;x. ")
    #expect(message.code == "Aa1<&x")
    #expect(message.userName == fixture.user.sub)
  }
}
