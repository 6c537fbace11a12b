internal import CognitoUserPool
internal import Synchronization
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityTesting

/// Calls of functions.
@Suite struct HooksRunnerTests {
  private static let response = Result<HookResponse, HookError>.success(
    HookResponse(json: #"{"response": {"autoConfirmUser": true}}"#))

  private static var quick: HookRunner.Limits {
    var limits = HookRunner.Limits()
    limits.pause = .zero
    return limits
  }

  @Test func withoutAFunctionDefaultsApply() async throws {
    let script = HookScript { _ in Self.response }
    for runner in [HookRunner(nil), HookRunner(script)] {
      let user = HookUser.test([])
      #expect(try await runner.preSignUp(user, validationData: [:]) == SignUpDecision())
      try await runner.postConfirmation(user, .signUp)
      try await runner.preAuthentication(user)
      try await runner.postAuthentication(user)
      #expect(try await runner.preTokenGeneration(user, .signIn, groups: TokenGroups()) == nil)
      #expect(try await runner.customMessage(user, .signUp) == nil)
      #expect(try await runner.migrateForReset(user, validationData: [:]) == nil)
      let password = SecretBytes("secret".utf8.span)
      #expect(try await runner.migrate(user, password: password, validationData: [:]) == nil)
    }
    #expect(script.events.isEmpty)
  }

  @Test func customChallengesNeedTheirFunctions() async throws {
    let runner = HookRunner(HookScript { _ in Self.response })
    let triggers: [HookTrigger] = [.defineAuthChallenge, .createAuthChallenge, .verifyAuthChallengeResponse]
    for trigger in triggers {
      let user = HookUser.test(HookTrigger.allCases.filter { $0 != trigger })
      let missing = UserPoolError.hookMissing(trigger: trigger.rawValue.text)
      #expect(throws: missing) { try runner.checkCustomFlow(user.pool) }
      await #expect(throws: missing) {
        switch trigger {
        case .defineAuthChallenge: _ = try await runner.defineAuthChallenge(user, session: [])
        case .createAuthChallenge: _ = try await runner.createAuthChallenge(user, session: [])
        default: _ = try await runner.verifyAuthChallenge(user, privateParameters: [:], answer: "")
        }
      }
    }
    try runner.checkCustomFlow(HookUser.test(triggers).pool)
  }

  @Test func aFunctionThatDoesNotExistFailsTheCall() async throws {
    let user = HookUser.test()
    let function = HookUser.function(.preSignUp)
    let expected = UserPoolError.hookFailed(
      trigger: "PreSignUp", reason: "the service has no function \"\(function)\"")
    let script = HookScript(serves: { _ in false }) { _ in Self.response }
    for runner in [HookRunner(nil), HookRunner(script)] {
      await #expect(throws: expected) { try await runner.preSignUp(user, validationData: [:]) }
      #expect(!runner.serves(function))
    }
    #expect(script.events.isEmpty)
    #expect(expected.type == "UnexpectedLambdaException")
  }

  @Test func aFunctionThatCannotBeReachedIsTriedThreeTimes() async throws {
    for (failures, error) in [(2, HookError.unreachable("no connection")), (2, .timeout)] {
      let script = HookScript { $0 < failures ? .failure(error) : Self.response }
      let decision = try await HookRunner(script, limits: Self.quick).preSignUp(.test(), validationData: [:])
      #expect(decision.confirmsUser)
      #expect(script.events.count == 3)
    }
    let script = HookScript { _ in .failure(.unreachable("no connection")) }
    let expected = UserPoolError.hookFailed(
      trigger: "PreSignUp", reason: "the function cannot be called: no connection")
    await #expect(throws: expected) {
      try await HookRunner(script, limits: Self.quick).preSignUp(.test(), validationData: [:])
    }
    #expect(script.events.count == 3)
    // Callers do not learn about the operator's network.
    #expect(!expected.publicMessage.contains("connection"))
  }

  @Test func aFunctionThatHangsIsGivenUp() async throws {
    let gate = Gate()
    let timers = SettableClock()
    let script = HookScript(gate: gate) { _ in Self.response }
    var limits = Self.quick
    limits.timers = timers
    let runner = HookRunner(script, limits: limits)
    await #expect(
      throws: UserPoolError.hookFailed(
        trigger: "PreSignUp", reason: "the function did not respond in time")
    ) {
      try await timers.advancing(by: .seconds(1)) {
        try await runner.preSignUp(.test(), validationData: [:]).confirmsUser
      }
    }
    // A call may begin after its time has passed.
    try await eventually { script.events.count == 3 }
    gate.open()
  }

  @Test func aRefusalIsNotTriedAgain() async throws {
    let refused = HookScript { _ in .failure(.refused("only our domain")) }
    let error = UserPoolError.hookRefused(trigger: "PreSignUp", text: "only our domain")
    await #expect(throws: error) { try await HookRunner(refused).preSignUp(.test(), validationData: [:]) }
    #expect(refused.events.count == 1)
    #expect(error.type == "UserLambdaValidationException")
    #expect(error.publicMessage == "PreSignUp failed with error only our domain.")
    let invalid = HookScript { _ in .success(HookResponse(json: "[]")) }
    let rule = UserPoolError.hookResponseInvalid(
      trigger: "PostConfirmation", rule: "it is an array, not an object")
    await #expect(throws: rule) { try await HookRunner(invalid).postConfirmation(.test(), .signUp) }
    #expect(invalid.events.count == 1)
    #expect(rule.type == "InvalidLambdaResponseException")
  }

  @Test func atMost64CallsOfAFunctionRun() async throws {
    let gate = Gate()
    let script = HookScript(gate: gate) { _ in Self.response }
    var limits = Self.quick
    // Nothing here ends by time.
    limits.timeout = .seconds(3_600)
    let runner = HookRunner(script, limits: limits)
    let calls = (0..<100).map { _ in
      Task { try await runner.preSignUp(.test(), validationData: [:]).confirmsUser }
    }
    try await eventually { gate.waiting == 64 }
    // Another function has slots of its own.
    let other = Task { try await runner.postConfirmation(.test(), .signUp) }
    try await eventually { gate.waiting == 65 }
    #expect(script.events.count == 65)
    gate.open()
    for call in calls { #expect(try await call.value) }
    try await other.value
    #expect(script.events.count == 101)
    #expect(script.mostRunning == 65)
  }

  private final class Count: Sendable {
    let value = Mutex(0)
  }

  @Test func callsThatFindNoSlotAreRefused() async throws {
    let gate = Gate()
    let script = HookScript(gate: gate) { _ in Self.response }
    var limits = Self.quick
    // Nothing here ends by time.
    limits.timeout = .seconds(3_600)
    let runner = HookRunner(script, limits: limits)
    let refused = Count()
    let calls = (0..<400).map { _ in
      Task { () -> UserPoolError? in
        do throws(UserPoolError) {
          _ = try await runner.preSignUp(.test(), validationData: [:])
          return nil
        } catch {
          refused.value.withLock { $0 += 1 }
          return error
        }
      }
    }
    // 64 run, 256 wait.
    try await eventually { refused.value.withLock { $0 } == 80 && script.events.count == 64 }
    #expect(script.events.count == 64)
    gate.open()
    var errors: [UserPoolError?] = []
    for call in calls { errors.append(await call.value) }
    let full = UserPoolError.hookFailed(
      trigger: "PreSignUp", reason: "too many calls of the function are running")
    #expect(errors.count { $0 == full } == 80)
    #expect(errors.count { $0 == nil } == 320)
    // All slots are free again.
    #expect(try await runner.preSignUp(.test(), validationData: [:]).confirmsUser)
  }

  @Test func anAnswerThatSaysNothingIsWrong() async throws {
    for (response, expected) in [
      (#"{"answerCorrect": true}"#, true), (#"{"answerCorrect": false}"#, false),
      (#"{"answerCorrect": null}"#, false), ("{}", false),
    ] {
      let script = HookScript { _ in .success(HookResponse(json: #"{"response": \#(response)}"#)) }
      let isRight = try await HookRunner(script).verifyAuthChallenge(
        .test(), privateParameters: [:], answer: "x")
      #expect(isRight == expected)
    }
  }
}
