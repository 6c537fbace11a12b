internal import TokenSecurityBase
public import TokenSecurityCrypto

extension UserPoolClient {
  /// Begins a sign-in. Devices are not remembered; `UserPoolSessions` has the same call with devices.
  ///
  /// - Parameters:
  ///   - username: the user's name or alias.
  ///   - options: how the sign-in begins. Default: with a password by SRP.
  /// - Returns: what the sign-in waits for. Flows that begin with a password send nothing yet.
  /// - Throws: `inputInvalid`, `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func signIn(
    username: String, options: SignInOptions = SignInOptions()
  ) async throws(UserPoolClientError) -> SignInStep {
    try await signIn(username: username, options: options, devices: nil)
  }

  /// Begins a sign-in, and answers its first step with a password.
  ///
  /// - Parameters:
  ///   - username: the user's name or alias.
  ///   - password: the password.
  ///   - options: how the sign-in begins. Default: with a password by SRP.
  /// - Returns: what the sign-in waits for: usually nothing, or a second factor.
  /// - Throws: `refused` for a wrong password; `inputInvalid` if the sign-in does not begin with a password;
  ///   `responseMalformed`, `unreachable`, `signInFailed`, `cancelled`.
  public func signIn(
    username: String, password: borrowing SecretBytes, options: SignInOptions = SignInOptions()
  ) async throws(UserPoolClientError) -> SignInStep {
    try await signIn(username: username, options: options, devices: nil).answered(password).next()
  }

  /// Begins a sign-in with a keeper of devices.
  func signIn(
    username: String, options: SignInOptions, devices: (any DeviceKeeping)?
  ) async throws(UserPoolClientError) -> SignInStep {
    var machine = try await SignInMachine(
      calls: calls, username: username, options: options, keeper: devices)
    return try await machine.begin()
  }
}

extension SignInStep {
  /// Answers with a password, if the sign-in waits for that. In a choice of first factors it chooses the password.
  consuming func answered(
    _ password: borrowing SecretBytes
  ) async throws(UserPoolClientError) -> SignInOutcome {
    switch consume self {
    case .password(let step): return try await step.answer(password)
    case .chooseFirstFactor(let step):
      let factor: FirstFactor = step.available.contains(.passwordSRP) ? .passwordSRP : .password
      return try await step.choose(factor).next().answered(password)
    default: throw .inputInvalid(rule: "the sign-in does not begin with a password")
    }
  }
}
