internal import ServiceOperations
internal import TokenSecurityBase

/// The progress of a sign-in after a response of the service.
enum SignInProgress: ~Copyable {
  case step(SignInStep)
  /// The pool does not know the device: the sign-in begins anew without it.
  case startOver
}

/// From the service's responses to steps.
extension SignInMachine {
  /// The first step. Flows that begin without a password send their first request.
  mutating func begin() async throws(UserPoolClientError) -> SignInStep {
    while true {
      let output: AuthOutput
      switch options.flow {
      case .passwordSRP: return .password(PasswordStep(self, PasswordMethod(.userSRPAuth, isSRP: true)))
      case .password: return .password(PasswordStep(self, PasswordMethod(.userPasswordAuth, isSRP: false)))
      case .custom(withPassword: true):
        return .password(PasswordStep(self, PasswordMethod(.customAuth, isSRP: true)))
      case .custom(withPassword: false): output = try await initiate(.customAuth, [:])
      case .choice(preferred: .passwordSRP):
        return .password(PasswordStep(self, PasswordMethod(.userAuth, isSRP: true)))
      case .choice(preferred: .password):
        return .password(PasswordStep(self, PasswordMethod(.userAuth, isSRP: false)))
      case .choice(let preferred):
        guard preferred != .passkey else { throw .inputInvalid(rule: "passkeys are not supported") }
        var parameters: [ExactString: SecretText] = [:]
        parameters["PREFERRED_CHALLENGE"] = preferred.map { SecretText($0.name) }
        output = try await initiate(.userAuth, parameters)
      case .confirmedSignUp(let session):
        output = try await initiate(.userAuth, [:], session: session.text)
      }
      // A device that the pool does not accept is forgotten, so that this ends.
      if case .step(let step) = try await advance(output) { return step }
    }
  }

  /// The next step after an answer that needs no password.
  mutating func next(after output: AuthOutput) async throws(UserPoolClientError) -> SignInStep {
    switch try await advance(output) {
    case .step(let step): return step
    case .startOver: return try await begin()
    }
  }

  /// Proves the device where the service asks for it, until the user must answer or is signed in.
  mutating func advance(_ first: AuthOutput) async throws(UserPoolClientError) -> SignInProgress {
    var output = first
    while true {
      if let result = output.authenticationResult { return .step(.done(try await finish(result))) }
      let challenge = try await note(output)
      switch challenge.name {
      case .deviceSRPAuth:
        guard let proved = try await proveDevice(challenge) else { return .startOver }
        output = proved
      default: return .step(try step(challenge, available: output.availableChallenges ?? []))
      }
    }
  }

  /// The step of a challenge that the user must answer.
  private func step(
    _ challenge: Challenge, available: [ChallengeNameType]
  ) throws(UserPoolClientError) -> SignInStep {
    switch challenge.name {
    case .smsMFA, .smsOTP, .emailOTP, .softwareTokenMFA: return CodeStep.step(self, challenge)
    case .selectMFAType:
      return .chooseFactor(FactorChoiceStep(self, offered: try challenge.list("MFAS_CAN_CHOOSE")))
    case .mfaSetup: return .setUpFactor(FactorSetUpStep(self, offered: try challenge.list("MFAS_CAN_SETUP")))
    case .newPasswordRequired: return .newPassword(try NewPasswordStep(self, challenge))
    case .customChallenge: return .custom(CustomStep(self, challenge))
    case .selectChallenge:
      let offered = options.flow.sendsPassword ? available : available.filter { $0 != .password }
      return .chooseFirstFactor(FirstFactorStep(self, offered: offered))
    case .password:
      guard options.flow.sendsPassword else {
        throw .responseMalformed(rule: "it asks for the password itself, which this flow never sends")
      }
      return .password(PasswordStep(self, PasswordMethod(.userAuth, isSRP: false, in: .password)))
    case .passwordSRP:
      return .password(PasswordStep(self, PasswordMethod(.userAuth, isSRP: true, in: .passwordSRP)))
    case .passwordVerifier, .deviceSRPAuth, .devicePasswordVerifier, .webAuthn, .adminNoSRPAuth:
      throw .responseMalformed(rule: "the challenge \(challenge.name.name) cannot be answered here")
    }
  }
}
