public import TokenSecurityBase

/// A second factor.
@nonexhaustive public enum MFAMethod: ExactString, Sendable, Hashable, CaseIterable {
  /// Codes in text messages.
  case sms = "SMS_MFA"
  /// Codes of an authenticator app (TOTP).
  case softwareToken = "SOFTWARE_TOKEN_MFA"
  /// Codes in e-mails.
  case email = "EMAIL_OTP"
}
