internal import Records
internal import ServiceOperations
internal import TokenSecurityBase

/// The challenges SELECT_MFA_TYPE and MFA_SETUP.
extension SignIns {
  func factorChoice(
    _ name: ChallengeNameType, _ parameter: ExactString, _ factors: [SecondFactor], _ state: SignInState
  ) throws(UserPoolError) -> SignInOutcome {
    var state = state
    state.session.choices = factors.map(\.name)
    return try challenge(name, [parameter: .json(.array(factors.map { .string($0.name) }))], state)
  }

  /// Asks for the factor that the user selected. An answer that selects none is counted for the session.
  nonisolated(nonsending) func selectFactor(
    _ state: SignInState, _ responses: [ExactString: SecretText]
  ) async throws(UserPoolError) -> SignInOutcome {
    let answer = try responses.required("ANSWER")
    // The reference of the service also names the challenge EMAIL_OTP so.
    let name = answer == "EMAIL_MFA" ? SecondFactor.email.name : answer
    guard state.session.choices.contains(where: { $0 == name }), let factor = SecondFactor(name: name),
      let user = state.user
    else {
      try await countWrongAnswer(of: state.session, at: state.now)
      throw .parameterRefused(
        "ANSWER", rule: "it must be one of \(state.session.choices.joined(separator: ", "))")
    }
    try await use(state)
    var state = state
    state.session.choices = []
    return try await factorChallenge(state, user, factor)
  }

  /// Goes on with the session of VerifySoftwareToken.
  nonisolated(nonsending) func finishSetup(_ state: SignInState) async throws(UserPoolError) -> SignInOutcome
  {
    guard state.session.isFactorSetUp, let user = state.user, user.softwareToken != nil else {
      throw .sessionInvalid
    }
    try await use(state)
    return try await afterSecondFactor(state, user)
  }
}
