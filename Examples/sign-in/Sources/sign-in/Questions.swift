import CognitoUserPoolClient

/// What the program asks the user.
enum Question: Sendable {
  case hasAccount
  case username(last: String?)
  case email
  case setUpAuthenticator
  case rememberDevice
  case tryAgain
  case signOut

  var text: String {
    switch self {
    case .hasAccount: "Do you have an account?"
    case .username(let last): last.map { "User name [\($0)]" } ?? "User name"
    case .email: "E-mail address"
    case .setUpAuthenticator: "Set up an authenticator app?"
    case .rememberDevice: "Remember this computer?"
    case .tryAgain: "Try again?"
    case .signOut: "Sign out?"
    }
  }
}

/// Answers questions: the user at a terminal, or the demonstration by itself.
protocol Questions: Sendable {
  /// The answer; nil to give up.
  func answer(_ question: Question) async -> String?
  /// The answer to a question of yes or no.
  func isYes(_ question: Question) async -> Bool
  /// A password; nil to give up.
  func password() async -> SecretBytes?
  /// A code; nil to give up.
  func code(from source: CodeSource) async -> String?
  /// Takes the secret of an authenticator app: shows it, or keeps it.
  func take(_ secret: borrowing SoftwareTokenSecret, account: String) async throws
}

/// Asks for what a sign-in wants.
struct Screen: SignInDelegate {
  let questions: any Questions
  /// Whether the user is asked to let the pool remember a new computer.
  let asksToRemember: Bool

  func password(lastUsername: String?) async -> UserPassword? {
    guard let name = await questions.answer(.username(last: lastUsername)),
      let password = await questions.password()
    else { return nil }
    return UserPassword(username: name, password: password)
  }

  func code(from source: CodeSource) async -> String? { await questions.code(from: source) }

  func setUpSoftwareToken(_ secret: borrowing SoftwareTokenSecret) async -> SoftwareTokenSetUp? {
    do { try await questions.take(secret, account: "user") } catch { return nil }
    guard let code = await questions.code(from: .softwareToken(deviceName: nil)) else { return nil }
    return SoftwareTokenSetUp(code: code)
  }

  func newPassword(existing: [UserAttribute], required: [String]) async -> NewUserPassword? {
    print("A new password is required.")
    guard let password = await questions.password() else { return nil }
    return NewUserPassword(password: password)
  }

  func remembersDevice() async -> Bool {
    guard asksToRemember else { return false }
    return await questions.isYes(.rememberDevice)
  }

  func stepFailed(_ step: SignInStepKind, _ error: UserPoolClientError) async -> Bool {
    print(error)
    return await questions.isYes(.tryAgain)
  }
}
