public import TokenSecurityBase

/// A first factor: what a sign-in begins with.
@nonexhaustive public enum FirstFactor: ExactString, Sendable, Hashable, CaseIterable {
  /// A password, proved by SRP without being sent.
  case passwordSRP = "PASSWORD_SRP"
  /// A password, sent to the service.
  case password = "PASSWORD"
  /// A code in an e-mail.
  case emailCode = "EMAIL_OTP"
  /// A code in a text message.
  case smsCode = "SMS_OTP"
  /// A passkey. This module does not sign in with it.
  case passkey = "WEB_AUTHN"
}
