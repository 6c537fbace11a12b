/// A flow that signs in.
public enum AuthFlowType: ExactString, MemberChoice {
  /// A password by SRP.
  case userSRPAuth = "USER_SRP_AUTH"
  /// A refresh token.
  case refreshTokenAuth = "REFRESH_TOKEN_AUTH"
  /// A refresh token.
  case refreshToken = "REFRESH_TOKEN"
  /// Challenges of hooks.
  case customAuth = "CUSTOM_AUTH"
  /// A password that a developer's server sends, by its older name.
  case adminNoSRPAuth = "ADMIN_NO_SRP_AUTH"
  /// A password.
  case userPasswordAuth = "USER_PASSWORD_AUTH"
  /// A password that a developer's server sends.
  case adminUserPasswordAuth = "ADMIN_USER_PASSWORD_AUTH"
  /// A first factor that the user selects.
  case userAuth = "USER_AUTH"
}

/// A challenge.
public enum ChallengeNameType: ExactString, MemberChoice {
  /// A code by SMS as the second factor.
  case smsMFA = "SMS_MFA"
  /// A code by e-mail.
  case emailOTP = "EMAIL_OTP"
  /// A code of a software token.
  case softwareTokenMFA = "SOFTWARE_TOKEN_MFA"
  /// The selection of a second factor.
  case selectMFAType = "SELECT_MFA_TYPE"
  /// The setting up of a second factor.
  case mfaSetup = "MFA_SETUP"
  /// The proof of a password by SRP.
  case passwordVerifier = "PASSWORD_VERIFIER"
  /// A challenge of hooks.
  case customChallenge = "CUSTOM_CHALLENGE"
  /// The selection of a first factor.
  case selectChallenge = "SELECT_CHALLENGE"
  /// The beginning of a device's proof by SRP.
  case deviceSRPAuth = "DEVICE_SRP_AUTH"
  /// The proof of a device by SRP.
  case devicePasswordVerifier = "DEVICE_PASSWORD_VERIFIER"
  /// A password that a developer's server sends, by its older name.
  case adminNoSRPAuth = "ADMIN_NO_SRP_AUTH"
  /// A new password.
  case newPasswordRequired = "NEW_PASSWORD_REQUIRED"
  /// A code by SMS as the first factor.
  case smsOTP = "SMS_OTP"
  /// A password.
  case password = "PASSWORD"
  /// A passkey.
  case webAuthn = "WEB_AUTHN"
  /// A password by SRP.
  case passwordSRP = "PASSWORD_SRP"
}

/// The tokens of a sign-in.
public struct AuthenticationResultType: Structure {
  /// The access token.
  public var accessToken: String?
  /// The seconds in which the access token is valid.
  public var expiresIn: Int64?
  /// The type: `Bearer`.
  public var tokenType: String?
  /// The refresh token.
  public var refreshToken: SecretText?
  /// The ID token.
  public var idToken: String?
  /// The keys of a new device.
  public var newDeviceMetadata: NewDeviceMetadataType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AccessToken", &accessToken, .token)
    m.optional("ExpiresIn", &expiresIn, .integer)
    m.optional("TokenType", &tokenType, .text)
    m.optional("RefreshToken", &refreshToken, .token)
    m.optional("IdToken", &idToken, .token)
    m.optional("NewDeviceMetadata", &newDeviceMetadata)
  }
}

/// The keys of a new device.
public struct NewDeviceMetadataType: Structure {
  /// The device's key.
  public var deviceKey: String?
  /// The key of the device's group.
  public var deviceGroupKey: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("DeviceKey", &deviceKey, .deviceKey)
    m.optional("DeviceGroupKey", &deviceGroupKey, .text)
  }
}

/// A first factor.
public enum AuthFactorType: ExactString, MemberChoice {
  /// A password.
  case password = "PASSWORD"
  /// A code by e-mail.
  case emailOTP = "EMAIL_OTP"
  /// A code by SMS as the first factor.
  case smsOTP = "SMS_OTP"
  /// A passkey.
  case webAuthn = "WEB_AUTHN"
  /// A software token.
  case softwareToken = "SOFTWARE_TOKEN"
}
