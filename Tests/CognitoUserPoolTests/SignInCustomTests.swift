internal import SecureRemotePassword
internal import ServiceOperations
internal import Testing
internal import TokenLifetime
internal import TokenSecurityBase

@testable internal import CognitoUserPool

/// The flow CUSTOM_AUTH.
@Suite struct SignInCustomTests {
  static let triggers: [HookTrigger] = [
    .defineAuthChallenge, .createAuthChallenge, .verifyAuthChallengeResponse,
  ]

  /// A pool whose hooks ask a question, at most three times.
  static func bench(
    prevents: Bool = false, pool: (inout UserPool) -> Void = { _ in }
  ) async throws -> SignInBench {
    let bench = try await SignInBench(
      pool: {
        for trigger in triggers { $0.hooks[trigger.rawValue] = "arn:custom" }
        pool(&$0)
      }, client: { $0.preventsExistenceErrors = prevents })
    try await bench.addUser()
    bench.hooks.on(.defineAuthChallenge) { request throws(HookError) in
      let session = request["session"]?.array ?? []
      let last = session.last?.object
      if last?["challengeName"]?.string == "SRP_A" { return #"{"challengeName":"PASSWORD_VERIFIER"}"# }
      if last?["challengeName"]?.string == "CUSTOM_CHALLENGE", last?["challengeResult"]?.bool == true {
        return #"{"issueTokens":true}"#
      }
      let count = session.count { $0.object?["challengeName"]?.string == "CUSTOM_CHALLENGE" }
      return count < 3 ? #"{"challengeName":"CUSTOM_CHALLENGE"}"# : #"{"failAuthentication":true}"#
    }
    bench.hooks.on(.createAuthChallenge) { _ throws(HookError) in
      #"{"publicChallengeParameters":{"question":"6 * 7"},"privateChallengeParameters":{"answer":"42"},"challengeMetadata":"SUM"}"#
    }
    bench.hooks.on(.verifyAuthChallengeResponse) { request throws(HookError) in
      let expected = request["privateChallengeParameters"]?.object?["answer"]?.string
      let given = request["challengeAnswer"]?.string
      return #"{"answerCorrect":\#(expected == given)}"#
    }
    return bench
  }

  @Test func questions() async throws {
    let bench = try await Self.bench()
    let first = try await bench.initiate(.customAuth, ["USERNAME": "alice"]).challenge
    #expect(first.name == .customChallenge)
    #expect(first.parameters["question"] == "6 * 7" && first.parameters["USERNAME"] == "alice")
    #expect(first.parameters["answer"] == nil)
    let second = try await bench.respond(
      .customChallenge, ["USERNAME": "alice", "ANSWER": "41"], session: first.session
    ).challenge
    // A wrong answer serves once too: otherwise the hooks would not see how often a user guesses.
    await #expect(throws: UserPoolError.sessionUsed) {
      try await bench.respond(
        .customChallenge, ["USERNAME": "alice", "ANSWER": "42"], session: first.session)
    }
    _ = try await bench.respond(
      .customChallenge, ["USERNAME": "alice", "ANSWER": "42"], session: second.session
    ).tokens
    let history = try #require(bench.hooks.requests(.defineAuthChallenge).last?["session"]?.array)
    #expect(history.map { $0.object?["challengeResult"]?.bool } == [false, true])
    #expect(history.map { $0.object?["challengeMetadata"]?.string } == ["SUM", "SUM"])
  }

  @Test func threeWrongAnswers() async throws {
    let bench = try await Self.bench()
    var session = try await bench.initiate(.customAuth, ["USERNAME": "alice"]).challenge.session
    for _ in 0..<2 {
      session = try await bench.respond(
        .customChallenge, ["USERNAME": "alice", "ANSWER": "x"], session: session
      ).challenge.session
    }
    let last = session
    await #expect(throws: UserPoolError.customAnswerRefused) {
      try await bench.respond(.customChallenge, ["USERNAME": "alice", "ANSWER": "x"], session: last)
    }
  }

  @Test func srpFirst() async throws {
    let bench = try await Self.bench()
    let client = try CognitoPasswordSignIn(userPoolID: bench.pool.id, client: bench.app, username: "alice")
    let key = try #require(client.request.parameters["SRP_A"])
    await #expect(throws: UserPoolError.parameterMissing("SRP_A")) {
      try await bench.initiate(.customAuth, ["USERNAME": "alice", "CHALLENGE_NAME": "SRP_A"])
    }
    let challenge = try await bench.initiate(
      .customAuth, ["USERNAME": "alice", "CHALLENGE_NAME": "SRP_A", "SRP_A": key]
    ).challenge
    #expect(challenge.name == .passwordVerifier)
    #expect(challenge.session != nil)
    let responses = try bench.proof(client, challenge, SignInBench.password)
    let question = try await bench.respond(.passwordVerifier, responses, session: challenge.session)
      .challenge
    #expect(question.name == .customChallenge)
    _ = try await bench.respond(
      .customChallenge, ["USERNAME": "alice", "ANSWER": "42"], session: question.session
    ).tokens
    let history = try #require(bench.hooks.requests(.defineAuthChallenge).last?["session"]?.array)
    #expect(
      history.map { $0.object?["challengeName"]?.string } == [
        "SRP_A", "PASSWORD_VERIFIER", "CUSTOM_CHALLENGE",
      ])
  }

  @Test func hooksThatAreMissing() async throws {
    for missing in Self.triggers {
      let bench = try await Self.bench(pool: { $0.hooks[missing.rawValue] = nil })
      await #expect(throws: UserPoolError.hookMissing(trigger: missing.name)) {
        try await bench.initiate(.customAuth, ["USERNAME": "alice"])
      }
    }
  }

  @Test func answersOfHooks() async throws {
    let bench = try await Self.bench()
    for answer in [#"{"challengeName":"PASSWORD_VERIFIER"}"#, #"{"challengeName":"SMS_MFA"}"#, "{}"] {
      bench.hooks.on(.defineAuthChallenge) { _ throws(HookError) in answer }
      let error = await #expect(throws: UserPoolError.self) {
        try await bench.initiate(.customAuth, ["USERNAME": "alice"])
      }
      #expect(error?.code == .hookResponseInvalid)
    }
    let long = String(repeating: "x", count: 3_000)
    bench.hooks.on(.defineAuthChallenge) { _ throws(HookError) in #"{"challengeName":"CUSTOM_CHALLENGE"}"# }
    bench.hooks.on(.createAuthChallenge) { _ throws(HookError) in
      #"{"privateChallengeParameters":{"answer":"\#(long)"}}"#
    }
    let error = await #expect(throws: UserPoolError.self) {
      try await bench.initiate(.customAuth, ["USERNAME": "alice"])
    }
    #expect(error?.code == .hookResponseInvalid)
  }

  /// Hooks see that a user does not exist; whatever they say, there are no tokens.
  @Test func unknownUsers() async throws {
    let bench = try await Self.bench(prevents: true)
    let known = try await bench.initiate(.customAuth, ["USERNAME": "alice"]).challenge
    let challenge = try await bench.initiate(.customAuth, ["USERNAME": "nobody"]).challenge
    #expect(challenge.name == .customChallenge && challenge.parameters["USERNAME"] == "nobody")
    #expect(challenge.session?.utf8.count == known.session?.utf8.count)
    #expect(bench.hooks.requests(.defineAuthChallenge).last?["userNotFound"]?.bool == true)
    await #expect(throws: UserPoolError.customAnswerRefused) {
      try await bench.respond(
        .customChallenge, ["USERNAME": "nobody", "ANSWER": "42"], session: challenge.session)
    }
    let open = try await Self.bench(prevents: false)
    await #expect(throws: UserPoolError.userUnknown) {
      try await open.initiate(.customAuth, ["USERNAME": "nobody"])
    }
  }
}
