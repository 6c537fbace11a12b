public import TokenSecurityBase

/// Answers the steps of a sign-in, such as an interface that asks the user.
///
/// A function that returns nil gives up: the sign-in throws `cancelled`. Functions with a default are for pools
/// that need them.
///
///     @MainActor final class SignInView: SignInDelegate {
///       func password(lastUsername: String?) async -> UserPassword? { await passwordSheet(lastUsername) }
///       func code(from source: CodeSource) async -> String? { await codeSheet(source) }
///       func stepFailed(_ step: SignInStepKind, _ error: UserPoolClientError) async -> Bool {
///         await alert("\(error)")      // true for "Try again"
///       }
///     }
public protocol SignInDelegate: Sendable {
  /// Asks for the user's name and password.
  ///
  /// - Parameter lastUsername: the name of this sign-in, or of the user who signed in last.
  /// - Returns: name and password.
  func password(lastUsername: String?) async -> UserPassword?

  /// Asks for a code.
  ///
  /// - Parameter source: where the user finds it.
  /// - Returns: the code.
  func code(from source: CodeSource) async -> String?

  /// Asks for the user's name alone, for flows that do not begin with a password. Default: the last name.
  ///
  /// - Parameter lastUsername: the name of the user who signed in last.
  /// - Returns: the name.
  func username(lastUsername: String?) async -> String?

  /// Asks for a second factor. Default: the first one.
  ///
  /// - Parameter available: the factors that the user has.
  /// - Returns: one of them.
  func chooseFactor(_ available: [MFAMethod]) async -> MFAMethod?

  /// Asks for a first factor. Default: a password by SRP, else the first one.
  ///
  /// - Parameter available: the factors that the user has.
  /// - Returns: one of them.
  func chooseFirstFactor(_ available: [FirstFactor]) async -> FirstFactor?

  /// Shows the secret of an authenticator app, and asks for its first code. After a wrong code it is called
  /// again with the same secret. Default: nil.
  ///
  /// - Parameter secret: the secret.
  /// - Returns: the code, and a name of the user's device.
  func setUpSoftwareToken(_ secret: borrowing SoftwareTokenSecret) async -> SoftwareTokenSetUp?

  /// Asks for a new password instead of a temporary one. Default: nil.
  ///
  /// - Parameters:
  ///   - existing: the attributes that the user has.
  ///   - required: the names of attributes that the user must have and does not have yet.
  /// - Returns: the password, and values of the required attributes.
  func newPassword(existing: [UserAttribute], required: [String]) async -> NewUserPassword?

  /// Asks for the answer to a challenge of the pool's triggers. Default: nil.
  ///
  /// - Parameter parameters: the challenge's public parameters.
  /// - Returns: the answer.
  func answer(toCustom parameters: [ExactString: String]) async -> String?

  /// Asks whether the pool is to remember this new device, where the pool asks the user first. It is asked by
  /// `UserPoolSessions`, after the tokens are kept. Default: false.
  ///
  /// - Returns: true to remember it: later sign-ins on it need no second factor.
  func remembersDevice() async -> Bool

  /// Reports that a step had no success. Default: returns false.
  ///
  /// - Parameters:
  ///   - step: the step.
  ///   - error: why.
  /// - Returns: true to try again: the same step, or the whole sign-in where the service has ended it. With
  ///   false the sign-in throws the error.
  func stepFailed(_ step: SignInStepKind, _ error: UserPoolClientError) async -> Bool

  /// Reports that a step had success. Default: does nothing.
  ///
  /// - Parameter step: the step.
  func stepSucceeded(_ step: SignInStepKind) async
}

extension SignInDelegate {
  /// The last name.
  public func username(lastUsername: String?) async -> String? { lastUsername }

  /// The first factor of the list.
  public func chooseFactor(_ available: [MFAMethod]) async -> MFAMethod? { available.first }

  /// A password by SRP, else the first factor of the list.
  public func chooseFirstFactor(_ available: [FirstFactor]) async -> FirstFactor? {
    available.contains(.passwordSRP) ? .passwordSRP : available.first
  }

  /// Nil.
  public func setUpSoftwareToken(_ secret: borrowing SoftwareTokenSecret) async -> SoftwareTokenSetUp? { nil }

  /// Nil.
  public func newPassword(existing: [UserAttribute], required: [String]) async -> NewUserPassword? { nil }

  /// Nil.
  public func answer(toCustom parameters: [ExactString: String]) async -> String? { nil }

  /// False.
  public func remembersDevice() async -> Bool { false }

  /// False.
  public func stepFailed(_ step: SignInStepKind, _ error: UserPoolClientError) async -> Bool { false }

  /// Nothing.
  public func stepSucceeded(_ step: SignInStepKind) async {}
}
