internal import HTTPExchange
package import TokenSecurityBase
package import TokenSecurityCrypto

/// Calls the functions of pools. Without a function for a trigger the defaults apply; a function that cannot be
/// called fails the operation.
package final class HookRunner: Sendable {
  private let hooks: (any UserPoolHooks)?
  private let limits: Limits
  /// Bounds the calls of each function that run at a time.
  private let gate = KeyedGate<ExactString>(running: 64, waiting: 256)

  /// The limits of calls.
  package struct Limits: Sendable {
    /// The time of one call, and the time that it waits for a slot.
    package var timeout = Duration.seconds(5)
    /// How often a function is called that cannot be reached or does not respond.
    package var tries = 3
    /// The pause before the second try; it doubles.
    package var pause = Duration.milliseconds(100)
    /// The clock of these times.
    package var timers: any Clock<Duration> = ContinuousClock()

    package init() {}
  }

  package init(_ hooks: (any UserPoolHooks)?, limits: Limits = Limits()) {
    self.hooks = hooks
    self.limits = limits
  }

  /// Returns whether a function can be called, for checks of settings.
  package func serves(_ functionARN: String) -> Bool { hooks?.serves(functionARN) ?? false }

  /// Calls the trigger's function; nil where the pool has none, whose event is then not made.
  func answer(
    _ trigger: HookTrigger, _ user: HookUser, _ parts: @autoclosure () -> HookEventWriter.Parts
  ) async throws(UserPoolError) -> HookResponseMembers? {
    guard let function = user.pool.hook(trigger) else { return nil }
    let parts = parts()
    return try await call(
      function, trigger, parts.source, HookEventWriter.event(trigger, parts, user))
  }

  /// Calls the function of an event that was written.
  func call(
    _ function: String, _ trigger: HookTrigger, _ source: String, _ json: SecretJSON
  ) async throws(UserPoolError) -> HookResponseMembers {
    let name = trigger.name
    guard let hooks, hooks.serves(function) else {
      throw .hookFailed(trigger: name, reason: "the service has no function \(function.quoted(upTo: 200))")
    }
    let key = ExactString(function)
    guard await gate.enter(key, within: limits.timeout, timers: limits.timers) else {
      throw .hookFailed(trigger: name, reason: "too many calls of the function are running")
    }
    defer { gate.leave(key) }
    let event = HookEvent(
      functionARN: function, trigger: trigger, source: "\(trigger.sourceName)_\(source)", json: json)
    var last = HookError.timeout
    for attempt in 0..<max(1, limits.tries) {
      if attempt > 0 {
        let pause = TimeLimit.bounded(limits.pause * (1 << min(attempt - 1, 8)))
        do { try await limits.timers.sleep(for: pause) } catch { break }
      }
      let late = Result<HookResponse, HookError>.failure(.timeout)
      let result = await TimeLimit.run(within: limits.timeout, else: late, timers: limits.timers) {
        do throws(HookError) { return .success(try await hooks.invoke(event)) } catch {
          return .failure(error)
        }
      }
      switch result {
      case .success(let response): return try HookResponseMembers(trigger, response.json)
      case .failure(.refused(let text)): throw HookResponseMembers.refusal(trigger, text)
      case .failure(.responseInvalid(let rule)): throw .hookResponseInvalid(trigger: name, rule: rule)
      case .failure(let error): last = error
      }
      if Task.isCancelled { break }
    }
    throw .hookFailed(trigger: name, reason: "\(last)")
  }
}

/// Sign-up.
extension HookRunner {
  /// Calls PreSignUp.
  ///
  /// - Throws: `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func preSignUp(
    _ user: HookUser, validationData: [ExactString: String], byAdministrator: Bool = false
  ) async throws(UserPoolError) -> SignUpDecision {
    let answer = try await answer(
      .preSignUp, user,
      .preSignUp(user, validationData: validationData, byAdministrator: byAdministrator))
    return try answer.map { members throws(UserPoolError) in try SignUpDecision(members) } ?? SignUpDecision()
  }

  /// Calls PostConfirmation.
  ///
  /// - Throws: `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func postConfirmation(
    _ user: HookUser, _ source: ConfirmationSource
  ) async throws(UserPoolError) {
    _ = try await answer(.postConfirmation, user, .postConfirmation(user, source))
  }

  /// Calls UserMigration for a sign-in.
  ///
  /// - Returns: the user; nil where the pool has no function, or the function found no user.
  /// - Throws: `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func migrate(
    _ user: HookUser, password: borrowing SecretBytes, validationData: [ExactString: String]
  ) async throws(UserPoolError) -> MigratedUser? {
    guard let function = user.pool.hook(.userMigration) else { return nil }
    let parts = HookEventWriter.Parts.userMigration(user, isSignIn: true, validationData: validationData)
    let json = HookEventWriter.event(.userMigration, parts, user, password: password)
    return try await MigratedUser(call(function, .userMigration, parts.source, json))
  }

  /// Calls UserMigration for a forgotten password.
  ///
  /// - Returns: the user; nil where the pool has no function, or the function found no user.
  /// - Throws: `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func migrateForReset(
    _ user: HookUser, validationData: [ExactString: String]
  ) async throws(UserPoolError) -> MigratedUser? {
    let answer = try await answer(
      .userMigration, user, .userMigration(user, isSignIn: false, validationData: validationData))
    guard let answer else { return nil }
    return try MigratedUser(answer)
  }

  /// Calls CustomMessage.
  ///
  /// - Returns: the texts; nil where the pool has no function.
  /// - Throws: `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func customMessage(
    _ user: HookUser, _ kind: MessageKind
  ) async throws(UserPoolError) -> CustomTexts? {
    guard let answer = try await answer(.customMessage, user, .customMessage(user, kind)) else { return nil }
    return try CustomTexts(answer)
  }
}

/// Signing in.
extension HookRunner {
  /// Calls PreAuthentication.
  ///
  /// - Throws: `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func preAuthentication(
    _ user: HookUser, validationData: [ExactString: String] = [:], userNotFound: Bool = false
  ) async throws(UserPoolError) {
    _ = try await answer(
      .preAuthentication, user,
      .preAuthentication(user, validationData: validationData, userNotFound: userNotFound))
  }

  /// Calls PostAuthentication.
  ///
  /// - Throws: `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func postAuthentication(
    _ user: HookUser, newDeviceUsed: Bool = false
  ) async throws(UserPoolError) {
    _ = try await answer(
      .postAuthentication, user, .postAuthentication(user, newDeviceUsed: newDeviceUsed))
  }

  /// Calls PreTokenGeneration with the user's groups and their roles, and for events of version 2 with the
  /// scopes of the access token.
  ///
  /// - Returns: the changes; nil where nothing changes.
  /// - Throws: `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func preTokenGeneration(
    _ user: HookUser, _ source: TokenGenerationSource, groups: TokenGroups, scopes: [String] = []
  ) async throws(UserPoolError) -> TokenChanges? {
    let answer = try await answer(
      .preTokenGeneration, user, .preTokenGeneration(user, source, groups: groups, scopes: scopes))
    guard let answer else { return nil }
    return try TokenChanges(answer, version: user.pool.tokenHookVersion)
  }
}

/// Custom challenges. Their three functions are required.
extension HookRunner {
  /// Checks that a pool has the three functions of custom challenges.
  ///
  /// - Throws: `hookMissing`.
  package func checkCustomFlow(_ pool: UserPool) throws(UserPoolError) {
    for trigger in [HookTrigger.defineAuthChallenge, .createAuthChallenge, .verifyAuthChallengeResponse]
    where pool.hook(trigger) == nil {
      throw .hookMissing(trigger: trigger.name)
    }
  }

  /// Calls DefineAuthChallenge with the challenges so far; `SRP_A` is the first where the flow begins with SRP.
  /// - Throws: `hookMissing`, `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func defineAuthChallenge(
    _ user: HookUser, session: [ChallengeRecord], userNotFound: Bool = false
  ) async throws(UserPoolError) -> NextChallenge {
    let parts = HookEventWriter.Parts.defineAuthChallenge(user, session: session, userNotFound: userNotFound)
    return try await NextChallenge(required(.defineAuthChallenge, user, parts))
  }

  /// Calls CreateAuthChallenge.
  ///
  /// - Throws: `hookMissing`, `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func createAuthChallenge(
    _ user: HookUser, challengeName: String = "CUSTOM_CHALLENGE", session: [ChallengeRecord],
    userNotFound: Bool = false
  ) async throws(UserPoolError) -> CustomChallenge {
    let parts = HookEventWriter.Parts.createAuthChallenge(
      user, challengeName: challengeName, session: session, userNotFound: userNotFound)
    return try await CustomChallenge(required(.createAuthChallenge, user, parts))
  }

  /// Calls VerifyAuthChallengeResponse with the private parameters of ``CustomChallenge``.
  ///
  /// - Returns: whether the answer is right; false where the function does not say so.
  /// - Throws: `hookMissing`, `hookRefused`, `hookFailed`, `hookResponseInvalid`.
  package func verifyAuthChallenge(
    _ user: HookUser, privateParameters: [ExactString: String], answer: String, userNotFound: Bool = false
  ) async throws(UserPoolError) -> Bool {
    let parts = HookEventWriter.Parts.verifyAuthChallenge(
      user, privateParameters: privateParameters, answer: answer, userNotFound: userNotFound)
    return try await required(.verifyAuthChallengeResponse, user, parts).flag("answerCorrect") ?? false
  }

  private func required(
    _ trigger: HookTrigger, _ user: HookUser, _ parts: HookEventWriter.Parts
  ) async throws(UserPoolError) -> HookResponseMembers {
    guard let answer = try await answer(trigger, user, parts) else {
      throw .hookMissing(trigger: trigger.name)
    }
    return answer
  }
}
