public import TokenSecurityBase

/// Why a message is sent: `triggerSource` of CustomMessage after the trigger's name.
public enum MessageKind: ExactString, Sendable, Hashable, CaseIterable {
  /// The code that confirms a user who signed up.
  case signUp = "SignUp"
  /// The temporary password of a user that an administrator made.
  case adminCreateUser = "AdminCreateUser"
  /// Another code that confirms a user.
  case resendCode = "ResendCode"
  /// The code that resets a password.
  case forgotPassword = "ForgotPassword"
  /// The code that verifies an address after it changed.
  case updateUserAttribute = "UpdateUserAttribute"
  /// The code that verifies an address, which the user asked for.
  case verifyUserAttribute = "VerifyUserAttribute"
  /// The code of a sign-in.
  case authentication = "Authentication"
}
