internal import ServiceOperations
internal import TokenSecurityBase

/// A sign-in that waits for a code: from a message, or of the user's authenticator app.
public struct CodeStep: ~Copyable, Sendable {
  /// Where the code was sent; nil for an authenticator app.
  public let delivery: CodeDelivery?
  /// The name of the authenticator app's device; nil if it has none.
  public let deviceName: String?
  private let machine: SignInMachine.Box
  private let challenge: Challenge

  init(_ machine: SignInMachine, _ challenge: Challenge) {
    self.machine = SignInMachine.Box(machine)
    self.challenge = challenge
    guard challenge.name != .softwareTokenMFA else {
      delivery = nil
      deviceName = challenge.parameters["FRIENDLY_DEVICE_NAME"].flatMap { $0.isEmpty ? nil : $0 }
      return
    }
    let isEmail = challenge.name == .emailOTP
    let medium = challenge.parameters["CODE_DELIVERY_DELIVERY_MEDIUM"] ?? (isEmail ? "EMAIL" : "SMS")
    delivery = CodeDelivery(
      destination: challenge.parameters["CODE_DELIVERY_DESTINATION"] ?? "",
      medium: CodeDelivery.Medium(name: medium), attribute: isEmail ? "email" : "phone_number")
    deviceName = nil
  }

  /// The step of a challenge for a code.
  static func step(_ machine: SignInMachine, _ challenge: Challenge) -> SignInStep {
    switch challenge.name {
    case .emailOTP: .emailCode(CodeStep(machine, challenge))
    case .softwareTokenMFA: .softwareTokenCode(CodeStep(machine, challenge))
    default: .smsCode(CodeStep(machine, challenge))
    }
  }

  /// Answers with a code.
  ///
  /// - Parameter code: the code, without white space.
  /// - Returns: the next step; this one again for a wrong or used code, and for passing failures.
  /// - Throws: `refused` if the sign-in is over (`NotAuthorizedException`); `responseMalformed`,
  ///   `signInFailed`; `unreachable` and `cancelled` for a failure after the right code.
  public consuming func answer(_ code: String) async throws(UserPoolClientError) -> SignInOutcome {
    var machine = machine.value
    let challenge = challenge
    let isPossible = TextBounds.confirmationCode.allows(code)
    let members: AnswerMembers =
      isPossible
      ? .success([ExactString("\(challenge.name.name)_CODE"): SecretText(code)])
      : .failure(.inputInvalid(rule: "a code has no white space and is not empty"))
    return try await machine.answer(challenge.name, members) { CodeStep.step($0, challenge) }
  }
}
