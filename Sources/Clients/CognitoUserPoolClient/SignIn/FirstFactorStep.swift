internal import ServiceOperations
internal import TokenSecurityBase

/// A sign-in that waits for the choice of a first factor (`SELECT_CHALLENGE`).
public struct FirstFactorStep: ~Copyable, Sendable {
  /// The factors that the user has. Those that this module does not know are left out.
  public let available: [FirstFactor]
  private let machine: SignInMachine.Box
  private let offered: [ChallengeNameType]

  init(_ machine: SignInMachine, offered: [ChallengeNameType]) {
    self.machine = SignInMachine.Box(machine)
    self.offered = offered
    available = offered.compactMap { FirstFactor(rawValue: $0.rawValue) }
  }

  /// Chooses a factor. The service sends its code; a password is asked for without a call.
  ///
  /// - Parameter factor: one of the available factors.
  /// - Returns: the next step; this one again for a factor that is not available, and for passing failures.
  /// - Throws: `refused`, `responseMalformed`, `signInFailed`.
  public consuming func choose(_ factor: FirstFactor) async throws(UserPoolClientError) -> SignInOutcome {
    var machine = machine.value
    let offered = offered
    var members = AnswerMembers.success(["ANSWER": SecretText(factor.name)])
    if !available.contains(factor) {
      members = .failure(.inputInvalid(rule: "the user does not have the factor \(factor.name)"))
    } else {
      switch factor {
      case .passwordSRP:
        return .next(
          .password(PasswordStep(machine, PasswordMethod(.userAuth, isSRP: true, in: .selectChallenge))))
      case .password:
        return .next(
          .password(PasswordStep(machine, PasswordMethod(.userAuth, isSRP: false, in: .selectChallenge))))
      case .passkey: members = .failure(.inputInvalid(rule: "passkeys are not supported"))
      case .emailCode, .smsCode: break
      }
    }
    return try await machine.answer(.selectChallenge, members) {
      .chooseFirstFactor(FirstFactorStep($0, offered: offered))
    }
  }
}
