public import TokenSecurityBase

// Settings with a fixed set of values, named as in the protocol.

/// An attribute that users sign in with instead of a user name.
public enum UsernameAttribute: ExactString, Sendable, Hashable, CaseIterable {
  case phoneNumber = "phone_number"
  case email
}

/// An attribute that users may also sign in with.
public enum AliasAttribute: ExactString, Sendable, Hashable, CaseIterable {
  case phoneNumber = "phone_number"
  case email
  case preferredUsername = "preferred_username"
}

/// An attribute that a code verifies.
public enum VerifiedAttribute: ExactString, Sendable, Hashable, CaseIterable {
  case phoneNumber = "phone_number"
  case email

  /// The attribute's name.
  public var name: String { rawValue.text }
  /// The attribute that says whether it is verified.
  public var flag: String { "\(name)_verified" }
  /// The medium of its messages.
  public var medium: DeliveryMedium { self == .email ? .email : .sms }
}

/// How a message is sent.
public enum DeliveryMedium: ExactString, Sendable, Hashable, CaseIterable {
  case sms = "SMS"
  case email = "EMAIL"
}

/// Whether sign-ins need a second factor.
public enum MFAMode: ExactString, Sendable, Hashable, CaseIterable {
  case off = "OFF"
  case on = "ON"
  case optional = "OPTIONAL"
}

/// A first factor of `USER_AUTH`.
package enum FirstFactor: ExactString, Sendable, Hashable, CaseIterable {
  case password = "PASSWORD"
  case emailCode = "EMAIL_OTP"
  case smsCode = "SMS_OTP"
  case webAuthn = "WEB_AUTHN"
}

/// A second factor, by the name of its challenge.
public enum SecondFactor: ExactString, Sendable, Hashable, CaseIterable {
  case sms = "SMS_MFA"
  case softwareToken = "SOFTWARE_TOKEN_MFA"
  case email = "EMAIL_OTP"
}

/// How a user gets back into the account.
public enum RecoveryOption: ExactString, Sendable, Hashable, CaseIterable {
  case verifiedEmail = "verified_email"
  case verifiedPhone = "verified_phone_number"
  case administratorOnly = "admin_only"
}

/// A trigger of a hook, by its name in `LambdaConfig`.
public enum HookTrigger: ExactString, Sendable, Hashable, CaseIterable {
  case preSignUp = "PreSignUp"
  case customMessage = "CustomMessage"
  case postConfirmation = "PostConfirmation"
  case preAuthentication = "PreAuthentication"
  case postAuthentication = "PostAuthentication"
  case defineAuthChallenge = "DefineAuthChallenge"
  case createAuthChallenge = "CreateAuthChallenge"
  case verifyAuthChallengeResponse = "VerifyAuthChallengeResponse"
  case preTokenGeneration = "PreTokenGeneration"
  case userMigration = "UserMigration"
}

/// A user's status.
public enum UserStatus: ExactString, Sendable, Hashable, CaseIterable {
  case unconfirmed = "UNCONFIRMED"
  case confirmed = "CONFIRMED"
  case resetRequired = "RESET_REQUIRED"
  case forceChangePassword = "FORCE_CHANGE_PASSWORD"
}

/// A way to sign in that a client allows.
public enum AuthFlow: ExactString, Sendable, Hashable, CaseIterable {
  case adminNoSRP = "ADMIN_NO_SRP_AUTH"
  case customFlowOnly = "CUSTOM_AUTH_FLOW_ONLY"
  case userPassword = "USER_PASSWORD_AUTH"
  case allowAdminUserPassword = "ALLOW_ADMIN_USER_PASSWORD_AUTH"
  case allowCustom = "ALLOW_CUSTOM_AUTH"
  case allowUserPassword = "ALLOW_USER_PASSWORD_AUTH"
  case allowUserSRP = "ALLOW_USER_SRP_AUTH"
  case allowRefreshToken = "ALLOW_REFRESH_TOKEN_AUTH"
  case allowUser = "ALLOW_USER_AUTH"
}

/// A unit of a token's lifetime.
public enum LifetimeUnit: ExactString, Sendable, Hashable, CaseIterable {
  case seconds, minutes, hours, days

  /// The unit in seconds.
  package var seconds: Int64 {
    switch self {
    case .seconds: 1
    case .minutes: 60
    case .hours: 3_600
    case .days: 86_400
    }
  }
}
