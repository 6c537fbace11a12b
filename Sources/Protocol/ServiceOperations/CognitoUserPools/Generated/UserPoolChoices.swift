// Made by Tools/operations.py from the model of cognito-idp in botocore 1.44.8. Not edited by hand.

/// A choice of `AuthFlowType`.
public enum AuthFlowType: ExactString, MemberChoice {
  /// `USER_SRP_AUTH`.
  case userSRPAuth = "USER_SRP_AUTH"
  /// `REFRESH_TOKEN_AUTH`.
  case refreshTokenAuth = "REFRESH_TOKEN_AUTH"
  /// `REFRESH_TOKEN`.
  case refreshToken = "REFRESH_TOKEN"
  /// `CUSTOM_AUTH`.
  case customAuth = "CUSTOM_AUTH"
  /// A password that a developer's server sends, by its older name.
  case adminNoSRPAuth = "ADMIN_NO_SRP_AUTH"
  /// `USER_PASSWORD_AUTH`.
  case userPasswordAuth = "USER_PASSWORD_AUTH"
  /// A password that a developer's server sends.
  case adminUserPasswordAuth = "ADMIN_USER_PASSWORD_AUTH"
  /// A first factor that the user selects.
  case userAuth = "USER_AUTH"
}

/// A choice of `ChallengeNameType`.
public enum ChallengeNameType: ExactString, MemberChoice {
  /// A code by SMS as the second factor.
  case smsMFA = "SMS_MFA"
  /// `EMAIL_OTP`.
  case emailOTP = "EMAIL_OTP"
  /// `SOFTWARE_TOKEN_MFA`.
  case softwareTokenMFA = "SOFTWARE_TOKEN_MFA"
  /// `SELECT_MFA_TYPE`.
  case selectMFAType = "SELECT_MFA_TYPE"
  /// `MFA_SETUP`.
  case mfaSetup = "MFA_SETUP"
  /// The proof of a password by SRP.
  case passwordVerifier = "PASSWORD_VERIFIER"
  /// `CUSTOM_CHALLENGE`.
  case customChallenge = "CUSTOM_CHALLENGE"
  /// `SELECT_CHALLENGE`.
  case selectChallenge = "SELECT_CHALLENGE"
  /// The beginning of a device's proof by SRP.
  case deviceSRPAuth = "DEVICE_SRP_AUTH"
  /// The proof of a device by SRP.
  case devicePasswordVerifier = "DEVICE_PASSWORD_VERIFIER"
  /// A password that a developer's server sends, by its older name.
  case adminNoSRPAuth = "ADMIN_NO_SRP_AUTH"
  /// `NEW_PASSWORD_REQUIRED`.
  case newPasswordRequired = "NEW_PASSWORD_REQUIRED"
  /// A code by SMS as the first factor.
  case smsOTP = "SMS_OTP"
  /// `PASSWORD`.
  case password = "PASSWORD"
  /// A passkey.
  case webAuthn = "WEB_AUTHN"
  /// `PASSWORD_SRP`.
  case passwordSRP = "PASSWORD_SRP"
}

/// A choice of `RevokeAssociatedSessionsType`.
public enum RevokeAssociatedSessionsType: ExactString, MemberChoice {
  /// `NONE`.
  case none = "NONE"
  /// `LINKED`.
  case linked = "LINKED"
}

/// A choice of `VerifySoftwareTokenResponseType`.
public enum VerifySoftwareTokenResponseType: ExactString, MemberChoice {
  /// `SUCCESS`.
  case success = "SUCCESS"
  /// `ERROR`.
  case error = "ERROR"
}

/// A choice of `DeviceRememberedStatusType`.
public enum DeviceRememberedStatusType: ExactString, MemberChoice {
  /// `remembered`.
  case remembered = "remembered"
  /// `not_remembered`.
  case notRemembered = "not_remembered"
}

/// A choice of `AliasAttributeType`.
public enum AliasAttributeType: ExactString, MemberChoice {
  /// `phone_number`.
  case phoneNumber = "phone_number"
  /// `email`.
  case email = "email"
  /// `preferred_username`.
  case preferredUsername = "preferred_username"
}

/// A choice of `UsernameAttributeType`.
public enum UsernameAttributeType: ExactString, MemberChoice {
  /// `phone_number`.
  case phoneNumber = "phone_number"
  /// `email`.
  case email = "email"
}

/// A choice of `UserPoolMfaType`.
public enum UserPoolMfaType: ExactString, MemberChoice {
  /// `OFF`.
  case off = "OFF"
  /// `ON`.
  case on = "ON"
  /// `OPTIONAL`.
  case optional = "OPTIONAL"
}

/// A choice of `ClientTypeType`.
public enum ClientTypeType: ExactString, MemberChoice {
  /// `REGULAR`.
  case regular = "REGULAR"
  /// `DCR`.
  case dcr = "DCR"
}

/// A choice of `MessageActionType`.
public enum MessageActionType: ExactString, MemberChoice {
  /// `RESEND`.
  case resend = "RESEND"
  /// `SUPPRESS`.
  case suppress = "SUPPRESS"
}

/// A choice of `DeliveryMediumType`.
public enum DeliveryMediumType: ExactString, MemberChoice {
  /// `SMS`.
  case sms = "SMS"
  /// `EMAIL`.
  case email = "EMAIL"
}

/// A choice of `UserStatusType`.
public enum UserStatusType: ExactString, MemberChoice {
  /// `UNCONFIRMED`.
  case unconfirmed = "UNCONFIRMED"
  /// `CONFIRMED`.
  case confirmed = "CONFIRMED"
  /// Not used.
  case archived = "ARCHIVED"
  /// Not used.
  case compromised = "COMPROMISED"
  /// Not used.
  case unknown = "UNKNOWN"
  /// The user must reset the password.
  case resetRequired = "RESET_REQUIRED"
  /// The user must replace a temporary password.
  case forceChangePassword = "FORCE_CHANGE_PASSWORD"
  /// The user signs in with another provider.
  case externalProvider = "EXTERNAL_PROVIDER"
}

/// A choice of `DeletionProtectionType`.
public enum DeletionProtectionType: ExactString, MemberChoice {
  /// `ACTIVE`.
  case active = "ACTIVE"
  /// `INACTIVE`.
  case inactive = "INACTIVE"
}

/// A choice of `VerifiedAttributeType`.
public enum VerifiedAttributeType: ExactString, MemberChoice {
  /// `phone_number`.
  case phoneNumber = "phone_number"
  /// `email`.
  case email = "email"
}

/// A choice of `UserPoolTierType`.
public enum UserPoolTierType: ExactString, MemberChoice {
  /// `LITE`.
  case lite = "LITE"
  /// `ESSENTIALS`.
  case essentials = "ESSENTIALS"
  /// `PLUS`.
  case plus = "PLUS"
}

/// A choice of `ExplicitAuthFlowsType`.
public enum ExplicitAuthFlowsType: ExactString, MemberChoice {
  /// A password that a developer's server sends, by its older name.
  case adminNoSRPAuth = "ADMIN_NO_SRP_AUTH"
  /// Challenges of hooks alone, by its older name.
  case customAuthFlowOnly = "CUSTOM_AUTH_FLOW_ONLY"
  /// `USER_PASSWORD_AUTH`.
  case userPasswordAuth = "USER_PASSWORD_AUTH"
  /// `ALLOW_ADMIN_USER_PASSWORD_AUTH`.
  case allowAdminUserPasswordAuth = "ALLOW_ADMIN_USER_PASSWORD_AUTH"
  /// `ALLOW_CUSTOM_AUTH`.
  case allowCustomAuth = "ALLOW_CUSTOM_AUTH"
  /// `ALLOW_USER_PASSWORD_AUTH`.
  case allowUserPasswordAuth = "ALLOW_USER_PASSWORD_AUTH"
  /// `ALLOW_USER_SRP_AUTH`.
  case allowUserSRPAuth = "ALLOW_USER_SRP_AUTH"
  /// `ALLOW_REFRESH_TOKEN_AUTH`.
  case allowRefreshTokenAuth = "ALLOW_REFRESH_TOKEN_AUTH"
  /// `ALLOW_USER_AUTH`.
  case allowUserAuth = "ALLOW_USER_AUTH"
  /// The exchange of a token for one with an actor.
  case allowTokenExchangeDelegation = "ALLOW_TOKEN_EXCHANGE_DELEGATION"
  /// The exchange of a token for another subject's.
  case allowTokenExchangeImpersonation = "ALLOW_TOKEN_EXCHANGE_IMPERSONATION"
}

/// A choice of `OAuthFlowType`.
public enum OAuthFlowType: ExactString, MemberChoice {
  /// `code`.
  case code = "code"
  /// `implicit`.
  case implicit = "implicit"
  /// `client_credentials`.
  case clientCredentials = "client_credentials"
}

/// A choice of `PreventUserExistenceErrorTypes`.
public enum PreventUserExistenceErrorTypes: ExactString, MemberChoice {
  /// Unknown users have errors of their own.
  case legacy = "LEGACY"
  /// `ENABLED`.
  case enabled = "ENABLED"
}

/// A choice of `AuthFactorType`.
public enum AuthFactorType: ExactString, MemberChoice {
  /// `PASSWORD`.
  case password = "PASSWORD"
  /// `EMAIL_OTP`.
  case emailOTP = "EMAIL_OTP"
  /// A code by SMS as the first factor.
  case smsOTP = "SMS_OTP"
  /// A passkey.
  case webAuthn = "WEB_AUTHN"
  /// `SOFTWARE_TOKEN`.
  case softwareToken = "SOFTWARE_TOKEN"
}

/// A choice of `AttributeDataType`.
public enum AttributeDataType: ExactString, MemberChoice {
  /// `String`.
  case string = "String"
  /// `Number`.
  case number = "Number"
  /// `DateTime`.
  case dateTime = "DateTime"
  /// `Boolean`.
  case boolean = "Boolean"
}

/// A choice of `StatusType`.
public enum StatusType: ExactString, MemberChoice {
  /// `Enabled`.
  case enabled = "Enabled"
  /// `Disabled`.
  case disabled = "Disabled"
}

/// A choice of `UserVerificationType`.
public enum UserVerificationType: ExactString, MemberChoice {
  /// `required`.
  case required = "required"
  /// `preferred`.
  case preferred = "preferred"
}

/// A choice of `WebAuthnFactorConfigurationType`.
public enum WebAuthnFactorConfigurationType: ExactString, MemberChoice {
  /// `SINGLE_FACTOR`.
  case singleFactor = "SINGLE_FACTOR"
  /// `MULTI_FACTOR_WITH_USER_VERIFICATION`.
  case multiFactorWithUserVerification = "MULTI_FACTOR_WITH_USER_VERIFICATION"
}

/// A choice of `DefaultEmailOptionType`.
public enum DefaultEmailOptionType: ExactString, MemberChoice {
  /// `CONFIRM_WITH_LINK`.
  case confirmWithLink = "CONFIRM_WITH_LINK"
  /// `CONFIRM_WITH_CODE`.
  case confirmWithCode = "CONFIRM_WITH_CODE"
}

/// A choice of `EmailSendingAccountType`.
public enum EmailSendingAccountType: ExactString, MemberChoice {
  /// `COGNITO_DEFAULT`.
  case cognitoDefault = "COGNITO_DEFAULT"
  /// `DEVELOPER`.
  case developer = "DEVELOPER"
}

/// A choice of `AdvancedSecurityModeType`.
public enum AdvancedSecurityModeType: ExactString, MemberChoice {
  /// `OFF`.
  case off = "OFF"
  /// It observes.
  case audit = "AUDIT"
  /// It refuses sign-ins.
  case enforced = "ENFORCED"
}

/// A choice of `IssuerType`.
public enum IssuerType: ExactString, MemberChoice {
  /// `https://cognito-idp.REGION.amazonaws.com/POOL`.
  case original = "ORIGINAL"
  /// `https://issuer-cognito-idp.REGION.amazonaws.com/POOL`.
  case updated = "UPDATED"
}

/// A choice of `TimeUnitsType`.
public enum TimeUnitsType: ExactString, MemberChoice {
  /// `seconds`.
  case seconds = "seconds"
  /// `minutes`.
  case minutes = "minutes"
  /// `hours`.
  case hours = "hours"
  /// `days`.
  case days = "days"
}

/// A choice of `FeatureType`.
public enum FeatureType: ExactString, MemberChoice {
  /// `ENABLED`.
  case enabled = "ENABLED"
  /// `DISABLED`.
  case disabled = "DISABLED"
}

/// A choice of `PreTokenGenerationLambdaVersionType`.
public enum PreTokenGenerationLambdaVersionType: ExactString, MemberChoice {
  /// `V1_0`.
  case version1 = "V1_0"
  /// `V2_0`.
  case version2 = "V2_0"
  /// `V3_0`.
  case version3 = "V3_0"
}

/// A choice of `CustomSMSSenderLambdaVersionType`.
public enum CustomSMSSenderLambdaVersionType: ExactString, MemberChoice {
  /// `V1_0`.
  case version1 = "V1_0"
}

/// A choice of `CustomEmailSenderLambdaVersionType`.
public enum CustomEmailSenderLambdaVersionType: ExactString, MemberChoice {
  /// `V1_0`.
  case version1 = "V1_0"
}

/// A choice of `AdvancedSecurityEnabledModeType`.
public enum AdvancedSecurityEnabledModeType: ExactString, MemberChoice {
  /// It observes.
  case audit = "AUDIT"
  /// It refuses sign-ins.
  case enforced = "ENFORCED"
}

/// A choice of `RecoveryOptionNameType`.
public enum RecoveryOptionNameType: ExactString, MemberChoice {
  /// `verified_email`.
  case verifiedEmail = "verified_email"
  /// `verified_phone_number`.
  case verifiedPhoneNumber = "verified_phone_number"
  /// Administrators alone.
  case adminOnly = "admin_only"
}
