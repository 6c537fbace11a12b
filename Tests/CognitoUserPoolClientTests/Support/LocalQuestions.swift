internal import CognitoUserPool
internal import TokenSecurityBase

extension LocalService {
  /// A pool whose triggers ask a question, at most twice, after the password if there is one.
  static func askingQuestions() async throws -> LocalService {
    let service = try await LocalService(hooks: [
      .defineAuthChallenge, .createAuthChallenge, .verifyAuthChallengeResponse,
    ])
    service.hooks.on(.defineAuthChallenge) { request throws(HookError) in
      let session = request["session"]?.array ?? []
      let last = session.last?.object
      let name = last?["challengeName"]?.string
      if name == "SRP_A" { return ["challengeName": "PASSWORD_VERIFIER"] }
      if name == "CUSTOM_CHALLENGE", last?["challengeResult"]?.bool == true { return ["issueTokens": true] }
      let count = session.count { $0.object?["challengeName"]?.string == "CUSTOM_CHALLENGE" }
      return count < 2 ? ["challengeName": "CUSTOM_CHALLENGE"] : ["failAuthentication": true]
    }
    service.hooks.on(.createAuthChallenge) { _ throws(HookError) in
      [
        "publicChallengeParameters": ["question": "6 * 7"],
        "privateChallengeParameters": ["answer": "42"],
      ]
    }
    service.hooks.on(.verifyAuthChallengeResponse) { request throws(HookError) in
      let expected = request["privateChallengeParameters"]?.object?["answer"]?.string
      return ["answerCorrect": .bool(request["challengeAnswer"]?.string == expected)]
    }
    return service
  }
}
