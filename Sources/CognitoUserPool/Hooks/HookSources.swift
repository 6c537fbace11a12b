package import TokenSecurityEncodings

// What happened when a trigger with several sources calls its function: `triggerSource` after the trigger's
// name.

/// When users are confirmed.
package enum ConfirmationSource: ExactString, Sendable, Hashable, CaseIterable {
  case signUp = "ConfirmSignUp"
  case forgottenPassword = "ConfirmForgotPassword"
}

/// When tokens are issued.
package enum TokenGenerationSource: ExactString, Sendable, Hashable, CaseIterable {
  case hostedPages = "HostedAuth"
  case signIn = "Authentication"
  case newPassword = "NewPasswordChallenge"
  case device = "AuthenticateDevice"
  case refresh = "RefreshTokens"
}
