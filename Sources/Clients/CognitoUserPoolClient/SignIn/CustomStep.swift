internal import ServiceOperations
public import TokenSecurityBase

/// A sign-in that waits for the answer to a challenge of the pool's triggers (`CUSTOM_CHALLENGE`).
public struct CustomStep: ~Copyable, Sendable {
  /// The challenge's public parameters.
  public let parameters: [ExactString: String]
  private let machine: SignInMachine.Box
  private let challenge: Challenge

  init(_ machine: SignInMachine, _ challenge: Challenge) {
    self.machine = SignInMachine.Box(machine)
    self.challenge = challenge
    var parameters = challenge.parameters
    parameters["USERNAME"] = nil
    parameters["USER_ID_FOR_SRP"] = nil
    self.parameters = parameters
  }

  /// Answers the challenge. After a wrong answer the triggers decide: they give another challenge, or refuse the
  /// sign-in.
  ///
  /// - Parameter answer: the answer.
  /// - Returns: the next step; this one again for passing failures.
  /// - Throws: `refused` (`NotAuthorizedException`), `responseMalformed`, `signInFailed`.
  public consuming func answer(_ answer: String) async throws(UserPoolClientError) -> SignInOutcome {
    var machine = machine.value
    let challenge = challenge
    return try await machine.answer(.customChallenge, .success(["ANSWER": SecretText(answer)])) {
      .custom(CustomStep($0, challenge))
    }
  }
}
