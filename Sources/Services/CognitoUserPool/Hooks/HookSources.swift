package import TokenSecurityBase

extension HookTrigger {
  /// The first part of `triggerSource`: the trigger's name, but for tokens.
  var sourceName: String { self == .preTokenGeneration ? "TokenGeneration" : name }
}

// The event for which a trigger with several sources calls its function: `triggerSource` after the trigger's
// ``HookTrigger/sourceName``.

/// When users are confirmed.
package enum ConfirmationSource: ExactString, Sendable, Hashable, CaseIterable {
  case signUp = "ConfirmSignUp"
  case forgottenPassword = "ConfirmForgotPassword"
}

/// When tokens are issued.
package enum TokenGenerationSource: ExactString, Sendable, Hashable, CaseIterable {
  case signIn = "Authentication"
  case newPassword = "NewPasswordChallenge"
  case device = "AuthenticateDevice"
  case refresh = "RefreshTokens"
}
