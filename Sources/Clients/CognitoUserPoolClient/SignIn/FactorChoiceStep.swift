internal import ServiceOperations
internal import TokenSecurityBase

/// A sign-in that waits for the choice of a second factor (`SELECT_MFA_TYPE`).
public struct FactorChoiceStep: ~Copyable, Sendable {
  /// The factors that the user has. Those that this module does not know are left out.
  public let available: [MFAMethod]
  private let machine: SignInMachine.Box
  private let offered: [String]

  init(_ machine: SignInMachine, offered: [String]) {
    self.machine = SignInMachine.Box(machine)
    self.offered = offered
    available = offered.compactMap { MFAMethod(offered: $0) }
  }

  /// Chooses a factor. The service sends its code, if it is not an authenticator app's.
  ///
  /// - Parameter factor: one of the available factors.
  /// - Returns: the next step; this one again for a factor that is not available, and for passing failures.
  /// - Throws: `refused`, `responseMalformed`, `signInFailed`.
  public consuming func choose(_ factor: MFAMethod) async throws(UserPoolClientError) -> SignInOutcome {
    var machine = machine.value
    let offered = offered
    // As it was offered: the service has two names for codes in e-mails.
    let answer = offered.first { MFAMethod(offered: $0) == factor }
    let members: AnswerMembers =
      answer.map { .success(["ANSWER": SecretText($0)]) }
      ?? .failure(.inputInvalid(rule: "the user does not have the factor \(factor.name)"))
    return try await machine.answer(.selectMFAType, members) {
      .chooseFactor(FactorChoiceStep($0, offered: offered))
    }
  }
}

extension MFAMethod {
  /// A factor as a challenge names it.
  init?(offered name: String) {
    guard name != "EMAIL_MFA" else {
      self = .email
      return
    }
    self.init(name: name)
  }
}
