internal import TokenSecurityBase
internal import TokenSecurityCrypto

extension UserPoolClient {
  /// Signs a user in, and asks a delegate for what each step wants. Devices are not remembered;
  /// `UserPoolSessions` has the same call with devices.
  ///
  /// - Parameters:
  ///   - delegate: answers the steps.
  ///   - username: the user's name or alias. Default: the delegate is asked for it.
  ///   - lastUsername: the name that the delegate is shown. Default: none.
  ///   - options: how the sign-in begins. Default: with a password by SRP.
  /// - Returns: the signed-in user.
  /// - Throws: `cancelled` if the delegate gives up; the error of a step that is not to be tried again.
  public func signIn(
    delegate: some SignInDelegate, username: String? = nil, lastUsername: String? = nil,
    options: SignInOptions = SignInOptions()
  ) async throws(UserPoolClientError) -> SignedIn {
    try await signIn(
      delegate: delegate, username: username, lastUsername: lastUsername, options: options, devices: nil)
  }

  /// Signs a user in by a delegate, with a keeper of devices.
  func signIn(
    delegate: any SignInDelegate, username: String?, lastUsername: String?, options: SignInOptions,
    devices: (any DeviceKeeping)?
  ) async throws(UserPoolClientError) -> SignedIn {
    let driver = DelegatedSignIn(client: self, delegate: delegate, options: options, devices: devices)
    return try await driver.run(username: username, lastUsername: lastUsername)
  }
}

/// Drives the steps of a sign-in with a delegate's answers.
private struct DelegatedSignIn: Sendable {
  let client: UserPoolClient
  let delegate: any SignInDelegate
  let options: SignInOptions
  let devices: (any DeviceKeeping)?

  /// Result of a sign-in attempt.
  private enum Attempt {
    case signedIn(SignedIn)
    /// A step ended it; the delegate is not informed yet.
    case ended(SignInStepKind, UserPoolClientError)
    /// The delegate does not try the step again.
    case givenUp(UserPoolClientError)
  }

  func run(username: String?, lastUsername: String?) async throws(UserPoolClientError) -> SignedIn {
    var name = username
    while true {
      switch await attempt(&name, lastUsername) {
      case .signedIn(let signedIn): return signedIn
      case .givenUp(let error): throw error
      case .ended(let kind, let error): guard await isRetried(kind, error) else { throw error }
      }
    }
  }

  /// A sign-in from its beginning.
  private func attempt(_ name: inout String?, _ lastUsername: String?) async -> Attempt {
    var kind = SignInStepKind.beginning
    do throws(UserPoolClientError) {
      var password: UserPassword?
      let first = try await beginning(name, lastUsername, &password, &kind)
      name = first
      return try await answerAll(begin(first), &password, &name, &kind)
    } catch { return .ended(kind, error) }
  }

  /// The name to begin with, and the password if the delegate is asked for both at once.
  private func beginning(
    _ name: String?, _ lastUsername: String?, _ password: inout UserPassword?, _ kind: inout SignInStepKind
  ) async throws(UserPoolClientError) -> String {
    if let name { return name }
    guard options.flow.beginsWithPassword else {
      return try given(await delegate.username(lastUsername: lastUsername))
    }
    kind = .password
    let first = try given(await delegate.password(lastUsername: lastUsername))
    let username = first.username
    password = consume first
    return username
  }

  /// Answers steps until there are tokens or the delegate gives up.
  private func answerAll(
    _ first: consuming SignInStep, _ password: inout UserPassword?, _ name: inout String?,
    _ kind: inout SignInStepKind
  ) async throws(UserPoolClientError) -> Attempt {
    var step = first
    while true {
      kind = step.kind
      switch try await answer(step, &password, &name) {
      case .signedIn(let signedIn): return .signedIn(signedIn)
      case .answered(.next(let next)):
        await delegate.stepSucceeded(kind)
        step = next
      case .answered(.again(let same, let error)):
        guard await isRetried(kind, error) else { return .givenUp(error) }
        step = same
      }
    }
  }

  /// Result of one step.
  private enum Answered: ~Copyable {
    case signedIn(SignedIn)
    case answered(SignInOutcome)
  }

  /// Answers one step.
  private func answer(
    _ step: consuming SignInStep, _ password: inout UserPassword?, _ name: inout String?
  ) async throws(UserPoolClientError) -> Answered {
    switch consume step {
    case .done(let signedIn): return .signedIn(signedIn)
    case .password(let waiting): return .answered(try await answer(waiting, password.take(), &name))
    case .smsCode(let waiting): return .answered(try await answer(waiting))
    case .emailCode(let waiting): return .answered(try await answer(waiting))
    case .softwareTokenCode(let waiting): return .answered(try await answer(waiting))
    case .chooseFactor(let waiting):
      let factor = try given(await delegate.chooseFactor(waiting.available))
      return .answered(try await waiting.choose(factor))
    case .setUpFactor(let waiting): return .answered(try await waiting.setUpSoftwareToken())
    case .setUpSoftwareToken(let waiting):
      let setUp = try given(await delegate.setUpSoftwareToken(waiting.secret))
      return .answered(try await waiting.answer(setUp.code, deviceName: setUp.deviceName))
    case .newPassword(let waiting):
      let new = try given(
        await delegate.newPassword(existing: waiting.attributes, required: waiting.requiredAttributes))
      return .answered(try await waiting.answer(new.password, attributes: new.attributes))
    case .custom(let waiting):
      let answer = try given(await delegate.answer(toCustom: waiting.parameters))
      return .answered(try await waiting.answer(answer))
    case .chooseFirstFactor(let waiting):
      let factor = try given(await delegate.chooseFirstFactor(waiting.available))
      return .answered(try await waiting.choose(factor))
    }
  }

  private func begin(_ username: String) async throws(UserPoolClientError) -> SignInStep {
    try await client.signIn(username: username, options: options, devices: devices)
  }

  private func answer(_ step: consuming CodeStep) async throws(UserPoolClientError) -> SignInOutcome {
    let code = try given(await delegate.code(from: step.source))
    return try await step.answer(code)
  }

  /// Answers with a password that was given before, or asks for one. With it the user can give another name.
  private func answer(
    _ step: consuming PasswordStep, _ earlier: consuming UserPassword?, _ name: inout String?
  ) async throws(UserPoolClientError) -> SignInOutcome {
    let given: UserPassword
    switch consume earlier {
    case .some(let password): given = password
    case .none: given = try self.given(await delegate.password(lastUsername: step.username))
    }
    guard given.username != step.username else { return try await step.answer(given.password) }
    name = given.username
    return try await begin(given.username).answered(given.password)
  }

  /// The delegate's word, unless the task is cancelled or the delegate has given up.
  private func isRetried(_ kind: SignInStepKind, _ error: UserPoolClientError) async -> Bool {
    guard error != .cancelled, !Task.isCancelled else { return false }
    return await delegate.stepFailed(kind, error)
  }

  /// The answer of the delegate; throws for none.
  private func given<Answer: ~Copyable>(
    _ answer: consuming Answer?
  ) throws(UserPoolClientError) -> Answer {
    guard !Task.isCancelled else { throw .cancelled }
    switch consume answer {
    case .some(let answer): return answer
    case .none: throw .cancelled
    }
  }
}

extension SignInFlow {
  /// True where the user's name is asked for together with a password.
  fileprivate var beginsWithPassword: Bool {
    switch self {
    case .passwordSRP, .password, .custom(withPassword: true), .choice(preferred: .passwordSRP),
      .choice(preferred: .password):
      true
    default: false
    }
  }
}

extension SignInStep {
  /// For reports.
  var kind: SignInStepKind {
    borrowing get {
      switch self {
      // Not in one pattern: the compiler cannot match several in a value that is not copyable.
      case .password: .password
      case .done: .password
      case .smsCode: .code
      case .emailCode: .code
      case .softwareTokenCode: .code
      case .chooseFactor: .factorChoice
      case .setUpFactor: .factorSetUp
      case .setUpSoftwareToken: .factorSetUp
      case .newPassword: .newPassword
      case .custom: .custom
      case .chooseFirstFactor: .firstFactorChoice
      }
    }
  }
}

extension CodeStep {
  fileprivate var source: CodeSource {
    delivery.map { .message($0) } ?? .softwareToken(deviceName: deviceName)
  }
}
