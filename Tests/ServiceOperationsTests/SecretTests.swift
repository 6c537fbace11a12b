internal import ServiceOperations
internal import Testing

/// Secrets appear in no message and no description.
@Suite struct SecretTests {
  static let word = "hunter2-secret"

  @Test func messagesHaveNoSecrets() {
    let w = Self.word
    for body in [
      #"{"Password":"\#(w) \#(w)"}"#, #"{"Password":["\#(w)"]}"#, #"{"Password":{"\#(w)":"\#(w)"}}"#,
      #"{"Username":"\#(w)\u0000"}"#, #"{"UserAttributes":[{"Name":"a","Value":["\#(w)"]}]}"#,
      #"{"UserAttributes":"\#(w)"}"#, #"{"Password":"\#(w)"}"#,
    ] {
      let message = refusal(SignUp.self, body)
      #expect(!message.isEmpty && !message.contains("hunter2"), "\(message)")
    }
    for body in [
      #"{"Session":"\#(w)"}"#, #"{"ChallengeResponses":["\#(w)"]}"#,
      #"{"ChallengeResponses":{"PASSWORD":["\#(w)"]}}"#,
      #"{"ChallengeResponses":{"A":"\#(w)\#(String(repeating: "a", count: 140_000))"}}"#,
    ] {
      let message = refusal(RespondToAuthChallenge.self, body)
      #expect(!message.isEmpty && !message.contains("hunter2"), "\(message.prefix(300))")
    }
  }

  @Test func descriptionsHaveNoSecrets() throws {
    let input = try read(
      SignUp.self,
      #"{"ClientId":"c","Username":"\#(Self.word)","Password":"\#(Self.word)","#
        + #""UserAttributes":[{"Name":"email","Value":"\#(Self.word)"}]}"#)
    var dumped = ""
    dump(input, to: &dumped)
    for text in [
      "\(input)", String(reflecting: input), dumped, "\(input.password as Any)",
      String(reflecting: input.password), "\(input.attributes as Any)",
    ] {
      #expect(!text.contains("hunter2"), "\(text)")
    }
    #expect(
      input.description
        == #"{"ClientId":"c","Username":"***","Password":"***","UserAttributes":[{"Name":"email","Value":"***"}]}"#
    )
  }

  @Test func secretsArriveWhole() throws {
    let input = try read(
      SignUp.self, #"{"ClientId":"c","Username":"u","Password":"p\"\\\/\u00e9\ud83d\ude00\u007f"}"#)
    let secret = try #require(input.password)
    let text = secret.withBytes { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    }
    #expect(text == "p\"\\/é😀\u{7F}")
    let again = try read(SignUp.self, SignUp.encode(input, sampleUsers.binding).body)
    #expect(again.password?.withBytes { $0.count } == secret.withBytes { $0.count })
  }

  @Test func secretsAreText() {
    #expect(SecretText([0xFF, 0xFE].span) == nil)
    #expect(SecretText(Array("é".utf8).span) != nil)
  }
}
