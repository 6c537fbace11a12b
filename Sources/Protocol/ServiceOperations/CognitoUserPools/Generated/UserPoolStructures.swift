// Made by Tools/operations.py from the model of cognito-idp in botocore 1.44.8. Not edited by hand.

/// The settings of a pool that can change.
public struct UserPoolSettings: Structure {
  /// `Policies`.
  public var policies: UserPoolPolicyType?
  /// `DeletionProtection`.
  public var deletionProtection: DeletionProtectionType?
  /// The hooks.
  public var lambdaConfig: LambdaConfigType?
  /// The attributes that a code verifies at sign-up.
  public var autoVerifiedAttributes: [VerifiedAttributeType]?
  /// `SmsVerificationMessage`: 6 to 140 characters.
  public var smsVerificationMessage: String?
  /// `EmailVerificationMessage`: 6 to 20000 characters.
  public var emailVerificationMessage: String?
  /// `EmailVerificationSubject`: 1 to 140 characters.
  public var emailVerificationSubject: String?
  /// `VerificationMessageTemplate`.
  public var verificationMessageTemplate: VerificationMessageTemplateType?
  /// `SmsAuthenticationMessage`: 6 to 140 characters.
  public var smsAuthenticationMessage: String?
  /// Whether sign-ins need a second factor.
  public var mfaConfiguration: UserPoolMfaType?
  /// `UserAttributeUpdateSettings`.
  public var userAttributeUpdateSettings: UserAttributeUpdateSettingsType?
  /// `DeviceConfiguration`.
  public var deviceConfiguration: DeviceConfigurationType?
  /// `EmailConfiguration`.
  public var emailConfiguration: EmailConfigurationType?
  /// `SmsConfiguration`.
  public var smsConfiguration: SmsConfigurationType?
  /// `UserPoolTags`.
  public var userPoolTags: [ExactString: String]?
  /// `AdminCreateUserConfig`.
  public var adminCreateUserConfig: AdminCreateUserConfigType?
  /// Threat protection.
  public var userPoolAddOns: UserPoolAddOnsType?
  /// `AccountRecoverySetting`.
  public var accountRecoverySetting: AccountRecoverySettingType?
  /// `UserPoolTier`.
  public var userPoolTier: UserPoolTierType?
  /// The form of `iss`.
  public var issuerConfiguration: IssuerConfigurationType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Policies", &policies)
    m.optional("DeletionProtection", &deletionProtection)
    m.optional("LambdaConfig", &lambdaConfig)
    m.optional("AutoVerifiedAttributes", &autoVerifiedAttributes, .init())
    m.optional("SmsVerificationMessage", &smsVerificationMessage, .smsVerificationMessage)
    m.optional("EmailVerificationMessage", &emailVerificationMessage, .emailVerificationMessage)
    m.optional("EmailVerificationSubject", &emailVerificationSubject, .emailVerificationSubject)
    m.optional("VerificationMessageTemplate", &verificationMessageTemplate)
    m.optional("SmsAuthenticationMessage", &smsAuthenticationMessage, .smsVerificationMessage)
    m.optional("MfaConfiguration", &mfaConfiguration)
    m.optional("UserAttributeUpdateSettings", &userAttributeUpdateSettings)
    m.optional("DeviceConfiguration", &deviceConfiguration)
    m.optional("EmailConfiguration", &emailConfiguration)
    m.optional("SmsConfiguration", &smsConfiguration)
    m.optional("UserPoolTags", &userPoolTags, .tags)
    m.optional("AdminCreateUserConfig", &adminCreateUserConfig)
    m.optional("UserPoolAddOns", &userPoolAddOns)
    m.optional("AccountRecoverySetting", &accountRecoverySetting)
    m.optional("UserPoolTier", &userPoolTier)
    m.optional("IssuerConfiguration", &issuerConfiguration)
  }
}

/// The settings of a client that can change.
public struct UserPoolClientSettings: Structure {
  /// The lifetime of refresh tokens, in its unit.
  public var refreshTokenValidity: Int64?
  /// The lifetime of access tokens, in its unit.
  public var accessTokenValidity: Int64?
  /// The lifetime of ID tokens, in its unit.
  public var idTokenValidity: Int64?
  /// `TokenValidityUnits`.
  public var tokenValidityUnits: TokenValidityUnitsType?
  /// `ReadAttributes`.
  public var readAttributes: [String]?
  /// `WriteAttributes`.
  public var writeAttributes: [String]?
  /// `ExplicitAuthFlows`.
  public var explicitAuthFlows: [ExplicitAuthFlowsType]?
  /// `SupportedIdentityProviders`.
  public var supportedIdentityProviders: [String]?
  /// `CallbackURLs`: 0 to 100 elements.
  public var callbackURLs: [String]?
  /// `LogoutURLs`: 0 to 100 elements.
  public var logoutURLs: [String]?
  /// `DefaultRedirectURI`: 1 to 1024 characters.
  public var defaultRedirectURI: String?
  /// `AllowedOAuthFlows`: 0 to 3 elements.
  public var allowedOAuthFlows: [OAuthFlowType]?
  /// `AllowedOAuthScopes`: 0 to 50 elements.
  public var allowedOAuthScopes: [String]?
  /// `AllowedOAuthFlowsUserPoolClient`.
  public var allowedOAuthFlowsUserPoolClient: Bool?
  /// `AnalyticsConfiguration`.
  public var analyticsConfiguration: AnalyticsConfigurationType?
  /// Whether unknown users are answered as known ones.
  public var preventUserExistenceErrors: PreventUserExistenceErrorTypes?
  /// `EnableTokenRevocation`.
  public var enableTokenRevocation: Bool?
  /// True where the client may send the user's address.
  public var enablePropagateAdditionalUserContextData: Bool?
  /// The minutes in which a session of a sign-in is valid.
  public var authSessionValidity: Int64?
  /// `RefreshTokenRotation`.
  public var refreshTokenRotation: RefreshTokenRotationType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("RefreshTokenValidity", &refreshTokenValidity, .integer(0...315_360_000))
    m.optional("AccessTokenValidity", &accessTokenValidity, .integer(1...86_400))
    m.optional("IdTokenValidity", &idTokenValidity, .integer(1...86_400))
    m.optional("TokenValidityUnits", &tokenValidityUnits)
    m.optional("ReadAttributes", &readAttributes, .init(of: .clientPermission))
    m.optional("WriteAttributes", &writeAttributes, .init(of: .clientPermission))
    m.optional("ExplicitAuthFlows", &explicitAuthFlows, .init())
    m.optional("SupportedIdentityProviders", &supportedIdentityProviders, .init(of: .providerName))
    m.optional("CallbackURLs", &callbackURLs, .init(0...100, of: .redirectURL))
    m.optional("LogoutURLs", &logoutURLs, .init(0...100, of: .redirectURL))
    m.optional("DefaultRedirectURI", &defaultRedirectURI, .redirectURL)
    m.optional("AllowedOAuthFlows", &allowedOAuthFlows, .init(0...3))
    m.optional("AllowedOAuthScopes", &allowedOAuthScopes, .init(0...50, of: .scope))
    m.optional("AllowedOAuthFlowsUserPoolClient", &allowedOAuthFlowsUserPoolClient)
    m.optional("AnalyticsConfiguration", &analyticsConfiguration)
    m.optional("PreventUserExistenceErrors", &preventUserExistenceErrors)
    m.optional("EnableTokenRevocation", &enableTokenRevocation)
    m.optional("EnablePropagateAdditionalUserContextData", &enablePropagateAdditionalUserContextData)
    m.optional("AuthSessionValidity", &authSessionValidity, .integer(3...15))
    m.optional("RefreshTokenRotation", &refreshTokenRotation)
  }
}

/// The structure `AttributeType`.
public struct AttributeType: Structure {
  /// `Name`, required: 1 to 32 characters.
  public var name = ""
  /// `Value`: 0 to 2048 characters.
  public var value: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Name", &name, .attributeName)
    m.optional("Value", &value, .attributeValue)
  }
}

/// The structure `AnalyticsMetadataType`.
public struct AnalyticsMetadataType: Structure {
  /// `AnalyticsEndpointId`: 0 to 131072 characters.
  public var analyticsEndpointID: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AnalyticsEndpointId", &analyticsEndpointID, .text)
  }
}

/// A client's description of itself.
public struct UserContextDataType: Structure {
  /// `IpAddress`: 0 to 131072 characters.
  public var ipAddress: String?
  /// A fingerprint of the client. It is not used.
  public var encodedData: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IpAddress", &ipAddress, .text)
    m.optional("EncodedData", &encodedData, .text)
  }
}

/// The structure `CodeDeliveryDetailsType`.
public struct CodeDeliveryDetailsType: Structure {
  /// The masked address.
  public var destination: String?
  /// `DeliveryMedium`.
  public var deliveryMedium: DeliveryMediumType?
  /// `AttributeName`: 1 to 32 characters.
  public var attributeName: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Destination", &destination, .text)
    m.optional("DeliveryMedium", &deliveryMedium)
    m.optional("AttributeName", &attributeName, .attributeName)
  }
}

/// The user who gets a code.
public struct CodeRequest: Structure {
  /// `ClientId`, required: 1 to 128 characters.
  public var clientID = ""
  /// The digest of the user name and client id, keyed with the client's secret.
  public var secretHash: String?
  /// `Username`, required: 1 to 128 characters.
  public var username = ""
  /// The user's client.
  public var userContextData: UserContextDataType?
  /// For analytics. It is not used.
  public var analyticsMetadata: AnalyticsMetadataType?
  /// For hooks.
  public var clientMetadata: [ExactString: String]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("ClientId", &clientID, .clientID)
    m.optional("SecretHash", &secretHash, .secretHash)
    m.required("Username", &username, .username)
    m.optional("UserContextData", &userContextData)
    m.optional("AnalyticsMetadata", &analyticsMetadata)
    m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
  }
}

/// Where a code was sent.
public struct CodeDeliveryOutput: Structure {
  /// `CodeDeliveryDetails`.
  public var codeDeliveryDetails: CodeDeliveryDetailsType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("CodeDeliveryDetails", &codeDeliveryDetails)
  }
}

/// The next challenge, or the tokens.
public struct AuthOutput: Structure {
  /// `ChallengeName`.
  public var challengeName: ChallengeNameType?
  /// `Session`: 20 to 4096 characters.
  public var session: String?
  /// `ChallengeParameters`.
  public var challengeParameters: [ExactString: String]?
  /// `AuthenticationResult`.
  public var authenticationResult: AuthenticationResultType?
  /// The challenges to select from.
  public var availableChallenges: [ChallengeNameType]?
  /// True for a challenge of which the service stores nothing. It is no member.
  public var changedNothing = false

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("ChallengeName", &challengeName)
    m.optional("Session", &session, .session)
    m.optional("ChallengeParameters", &challengeParameters, .challengeParameters)
    m.optional("AuthenticationResult", &authenticationResult)
    m.optional("AvailableChallenges", &availableChallenges, .init())
  }
}

/// The tokens of a sign-in.
public struct AuthenticationResultType: Structure {
  /// `AccessToken`.
  public var accessToken: String?
  /// The seconds in which the access token is valid.
  public var expiresIn: Int64?
  /// The type: `Bearer`.
  public var tokenType: String?
  /// `RefreshToken`.
  public var refreshToken: SecretText?
  /// `IdToken`.
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

/// An access token.
public struct AccessTokenOnly: Structure {
  /// `AccessToken`, required.
  public var accessToken = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("AccessToken", &accessToken, .token)
  }
}

/// A medium of a second factor.
public struct MFAOptionType: Structure {
  /// `DeliveryMedium`.
  public var deliveryMedium: DeliveryMediumType?
  /// `AttributeName`: 1 to 32 characters.
  public var attributeName: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("DeliveryMedium", &deliveryMedium)
    m.optional("AttributeName", &attributeName, .attributeName)
  }
}

/// The structure `SMSMfaSettingsType`.
public struct SMSMfaSettingsType: Structure {
  /// `Enabled`.
  public var enabled: Bool?
  /// `PreferredMfa`.
  public var preferredMFA: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Enabled", &enabled)
    m.optional("PreferredMfa", &preferredMFA)
  }
}

/// The structure `SoftwareTokenMfaSettingsType`.
public struct SoftwareTokenMfaSettingsType: Structure {
  /// `Enabled`.
  public var enabled: Bool?
  /// `PreferredMfa`.
  public var preferredMFA: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Enabled", &enabled)
    m.optional("PreferredMfa", &preferredMFA)
  }
}

/// The structure `EmailMfaSettingsType`.
public struct EmailMfaSettingsType: Structure {
  /// `Enabled`.
  public var enabled: Bool?
  /// `PreferredMfa`.
  public var preferredMFA: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Enabled", &enabled)
    m.optional("PreferredMfa", &preferredMFA)
  }
}

/// The structure `WebAuthnMfaSettingsType`.
public struct WebAuthnMfaSettingsType: Structure {
  /// `Enabled`.
  public var enabled: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Enabled", &enabled)
  }
}

/// The factors of a user.
public struct AuthFactorsOutput: Structure {
  /// `Username`, required: 1 to 128 characters.
  public var username = ""
  /// `PreferredMfaSetting`: 0 to 131072 characters.
  public var preferredMFASetting: String?
  /// `UserMFASettingList`.
  public var userMFASettingList: [String]?
  /// `ConfiguredUserAuthFactors`: 0 to 8 elements.
  public var configuredUserAuthFactors: [AuthFactorType]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Username", &username, .username)
    m.optional("PreferredMfaSetting", &preferredMFASetting, .text)
    m.optional("UserMFASettingList", &userMFASettingList, .init(of: .text))
    m.optional("ConfiguredUserAuthFactors", &configuredUserAuthFactors, .init(0...8))
  }
}

/// The secret of a device, as the service keeps it.
public struct DeviceSecretVerifierConfigType: Structure {
  /// The verifier, in base64.
  public var passwordVerifier: String?
  /// The salt, in base64.
  public var salt: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("PasswordVerifier", &passwordVerifier, .text)
    m.optional("Salt", &salt, .text)
  }
}

/// The structure `ListDevicesResponse`.
public struct DevicePage: Structure {
  /// `Devices`.
  public var devices: [DeviceType]?
  /// `PaginationToken`: 1 to 131072 characters.
  public var paginationToken: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Devices", &devices, .init())
    m.optional("PaginationToken", &paginationToken, .paginationToken)
  }
}

/// A device of the user.
public struct OwnDeviceName: Structure {
  /// `AccessToken`.
  public var accessToken: String?
  /// `DeviceKey`, required: 1 to 55 characters.
  public var deviceKey = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AccessToken", &accessToken, .token)
    m.required("DeviceKey", &deviceKey, .deviceKey)
  }
}

/// The structure `GetDeviceResponse`.
public struct DeviceOutput: Structure {
  /// `Device`, required.
  public var device = DeviceType()

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Device", &device)
  }
}

/// The structure `SchemaAttributeType`.
public struct SchemaAttributeType: Structure {
  /// `Name`: 1 to 20 characters.
  public var name: String?
  /// `AttributeDataType`.
  public var attributeDataType: AttributeDataType?
  /// True where only administrators see it.
  public var developerOnlyAttribute: Bool?
  /// `Mutable`.
  public var mutable: Bool?
  /// `Required`.
  public var required: Bool?
  /// `NumberAttributeConstraints`.
  public var numberAttributeConstraints: NumberAttributeConstraintsType?
  /// `StringAttributeConstraints`.
  public var stringAttributeConstraints: StringAttributeConstraintsType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Name", &name, .customAttributeName)
    m.optional("AttributeDataType", &attributeDataType)
    m.optional("DeveloperOnlyAttribute", &developerOnlyAttribute)
    m.optional("Mutable", &mutable)
    m.optional("Required", &required)
    m.optional("NumberAttributeConstraints", &numberAttributeConstraints)
    m.optional("StringAttributeConstraints", &stringAttributeConstraints)
  }
}

/// The structure `UsernameConfigurationType`.
public struct UsernameConfigurationType: Structure {
  /// True where names are compared with regard to case.
  public var caseSensitive = false

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("CaseSensitive", &caseSensitive)
  }
}

/// The structure `CreateUserPoolResponse`.
public struct UserPoolOutput: Structure {
  /// `UserPool`.
  public var userPool: UserPoolType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("UserPool", &userPool)
  }
}

/// The id of a pool.
public struct UserPoolName: Structure {
  /// `UserPoolId`, required: 1 to 55 characters.
  public var userPoolID = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
  }
}

/// The structure `UserPoolDescriptionType`.
public struct UserPoolDescriptionType: Structure {
  /// `Id`: 1 to 55 characters.
  public var id: String?
  /// `Name`: 1 to 128 characters.
  public var name: String?
  /// The hooks.
  public var lambdaConfig: LambdaConfigType?
  /// `Status`.
  public var status: StatusType?
  /// When it was last changed.
  public var lastModifiedDate: Timestamp?
  /// When it was made.
  public var creationDate: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Id", &id, .userPoolID)
    m.optional("Name", &name, .userPoolName)
    m.optional("LambdaConfig", &lambdaConfig)
    m.optional("Status", &status)
    m.optional("LastModifiedDate", &lastModifiedDate)
    m.optional("CreationDate", &creationDate)
  }
}

/// The structure `SmsMfaConfigType`.
public struct SmsMfaConfigType: Structure {
  /// `SmsAuthenticationMessage`: 6 to 140 characters.
  public var smsAuthenticationMessage: String?
  /// `SmsConfiguration`.
  public var smsConfiguration: SmsConfigurationType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SmsAuthenticationMessage", &smsAuthenticationMessage, .smsVerificationMessage)
    m.optional("SmsConfiguration", &smsConfiguration)
  }
}

/// The structure `SoftwareTokenMfaConfigType`.
public struct SoftwareTokenMfaConfigType: Structure {
  /// `Enabled`.
  public var enabled: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Enabled", &enabled)
  }
}

/// The structure `EmailMfaConfigType`.
public struct EmailMfaConfigType: Structure {
  /// `Message`: 6 to 20000 characters.
  public var message: String?
  /// `Subject`.
  public var subject: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Message", &message, .emailMFAMessage)
    m.optional("Subject", &subject, .emailMFASubject)
  }
}

/// The structure `WebAuthnConfigurationType`.
public struct WebAuthnConfigurationType: Structure {
  /// `RelyingPartyId`: 1 to 127 characters.
  public var relyingPartyID: String?
  /// `UserVerification`.
  public var userVerification: UserVerificationType?
  /// Whether passkeys are one factor or two.
  public var factorConfiguration: WebAuthnFactorConfigurationType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("RelyingPartyId", &relyingPartyID, .relyingPartyID)
    m.optional("UserVerification", &userVerification)
    m.optional("FactorConfiguration", &factorConfiguration)
  }
}

/// The structure `SetUserPoolMfaConfigResponse`.
public struct MFAConfiguration: Structure {
  /// `SmsMfaConfiguration`.
  public var smsMFAConfiguration: SmsMfaConfigType?
  /// `SoftwareTokenMfaConfiguration`.
  public var softwareTokenMFAConfiguration: SoftwareTokenMfaConfigType?
  /// `EmailMfaConfiguration`.
  public var emailMFAConfiguration: EmailMfaConfigType?
  /// Whether sign-ins need a second factor.
  public var mfaConfiguration: UserPoolMfaType?
  /// `WebAuthnConfiguration`.
  public var webAuthnConfiguration: WebAuthnConfigurationType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SmsMfaConfiguration", &smsMFAConfiguration)
    m.optional("SoftwareTokenMfaConfiguration", &softwareTokenMFAConfiguration)
    m.optional("EmailMfaConfiguration", &emailMFAConfiguration)
    m.optional("MfaConfiguration", &mfaConfiguration)
    m.optional("WebAuthnConfiguration", &webAuthnConfiguration)
  }
}

/// The structure `CreateUserPoolClientResponse`.
public struct UserPoolClientOutput: Structure {
  /// `UserPoolClient`.
  public var userPoolClient: UserPoolClientType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("UserPoolClient", &userPoolClient)
  }
}

/// The ids of a pool and a client.
public struct UserPoolClientName: Structure {
  /// `UserPoolId`, required: 1 to 55 characters.
  public var userPoolID = ""
  /// `ClientId`, required: 1 to 128 characters.
  public var clientID = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("ClientId", &clientID, .clientID)
  }
}

/// The structure `UserPoolClientDescription`.
public struct UserPoolClientDescription: Structure {
  /// `ClientId`: 1 to 128 characters.
  public var clientID: String?
  /// `UserPoolId`: 1 to 55 characters.
  public var userPoolID: String?
  /// `ClientName`: 1 to 128 characters.
  public var clientName: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("ClientId", &clientID, .clientID)
    m.optional("UserPoolId", &userPoolID, .userPoolID)
    m.optional("ClientName", &clientName, .clientName)
  }
}

/// The structure `UserType`.
public struct UserType: Structure {
  /// `Username`: 1 to 128 characters.
  public var username: String?
  /// `Attributes`.
  public var attributes: [AttributeType]?
  /// `UserCreateDate`.
  public var userCreateDate: Timestamp?
  /// `UserLastModifiedDate`.
  public var userLastModifiedDate: Timestamp?
  /// `Enabled`.
  public var enabled: Bool?
  /// `UserStatus`.
  public var userStatus: UserStatusType?
  /// The media of second factors, as older clients set them.
  public var mfaOptions: [MFAOptionType]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Username", &username, .username)
    m.optional("Attributes", &attributes, .init())
    m.optional("UserCreateDate", &userCreateDate)
    m.optional("UserLastModifiedDate", &userLastModifiedDate)
    m.optional("Enabled", &enabled)
    m.optional("UserStatus", &userStatus)
    m.optional("MFAOptions", &mfaOptions, .init())
  }
}

/// A user of a pool.
public struct UserName: Structure {
  /// `UserPoolId`, required: 1 to 55 characters.
  public var userPoolID = ""
  /// `Username`, required: 1 to 128 characters.
  public var username = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("Username", &username, .username)
  }
}

/// A user of a pool, and what hooks get.
public struct UserNameWithMetadata: Structure {
  /// `UserPoolId`, required: 1 to 55 characters.
  public var userPoolID = ""
  /// `Username`, required: 1 to 128 characters.
  public var username = ""
  /// For hooks.
  public var clientMetadata: [ExactString: String]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("Username", &username, .username)
    m.optional("ClientMetadata", &clientMetadata, .clientMetadata)
  }
}

/// The description of the user's client by a developer's server.
public struct ContextDataType: Structure {
  /// `IpAddress`, required: 0 to 131072 characters.
  public var ipAddress = ""
  /// `ServerName`, required: 0 to 131072 characters.
  public var serverName = ""
  /// `ServerPath`, required: 0 to 131072 characters.
  public var serverPath = ""
  /// `HttpHeaders`, required.
  public var httpHeaders: [HttpHeader] = []
  /// A fingerprint of the client. It is not used.
  public var encodedData: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("IpAddress", &ipAddress, .text)
    m.required("ServerName", &serverName, .text)
    m.required("ServerPath", &serverPath, .text)
    m.required("HttpHeaders", &httpHeaders, .init())
    m.optional("EncodedData", &encodedData, .text)
  }
}

/// A device of a user of a pool.
public struct DeviceName: Structure {
  /// `UserPoolId`, required: 1 to 55 characters.
  public var userPoolID = ""
  /// `Username`, required: 1 to 128 characters.
  public var username = ""
  /// `DeviceKey`, required: 1 to 55 characters.
  public var deviceKey = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("Username", &username, .username)
    m.required("DeviceKey", &deviceKey, .deviceKey)
  }
}

/// A group and its settings.
public struct GroupSettings: Structure {
  /// `UserPoolId`, required: 1 to 55 characters.
  public var userPoolID = ""
  /// `GroupName`, required: 1 to 128 characters.
  public var groupName = ""
  /// `Description`: 0 to 2048 characters.
  public var description: String?
  /// `RoleArn`: 20 to 2048 characters.
  public var roleARN: String?
  /// The rank; 0 comes first.
  public var precedence: Int64?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("GroupName", &groupName, .groupName)
    m.optional("Description", &description, .description)
    m.optional("RoleArn", &roleARN, .arn)
    m.optional("Precedence", &precedence, .integer(0...))
  }
}

/// The structure `CreateGroupResponse`.
public struct GroupOutput: Structure {
  /// `Group`.
  public var group: GroupType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Group", &group)
  }
}

/// The structure `GetGroupRequest`.
public struct GroupName: Structure {
  /// `UserPoolId`, required: 1 to 55 characters.
  public var userPoolID = ""
  /// `GroupName`, required: 1 to 128 characters.
  public var groupName = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("GroupName", &groupName, .groupName)
  }
}

/// The structure `ListGroupsResponse`.
public struct GroupPage: Structure {
  /// `Groups`.
  public var groups: [GroupType]?
  /// The token of a page; nil for the first one, and after the last one.
  public var nextToken: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Groups", &groups, .init())
    m.optional("NextToken", &nextToken, .nextToken)
  }
}

/// A user of a pool, and a group.
public struct MembershipName: Structure {
  /// `UserPoolId`, required: 1 to 55 characters.
  public var userPoolID = ""
  /// `Username`, required: 1 to 128 characters.
  public var username = ""
  /// `GroupName`, required: 1 to 128 characters.
  public var groupName = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("UserPoolId", &userPoolID, .userPoolID)
    m.required("Username", &username, .username)
    m.required("GroupName", &groupName, .groupName)
  }
}

/// The structure `UserPoolPolicyType`.
public struct UserPoolPolicyType: Structure {
  /// `PasswordPolicy`.
  public var passwordPolicy: PasswordPolicyType?
  /// `SignInPolicy`.
  public var signInPolicy: SignInPolicyType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("PasswordPolicy", &passwordPolicy)
    m.optional("SignInPolicy", &signInPolicy)
  }
}

/// The functions that a pool calls, by their triggers.
public struct LambdaConfigType: Structure {
  /// The function before a sign-up.
  public var preSignUp: String?
  /// The function that makes texts of messages.
  public var customMessage: String?
  /// `PostConfirmation`: 20 to 2048 characters.
  public var postConfirmation: String?
  /// `PreAuthentication`: 20 to 2048 characters.
  public var preAuthentication: String?
  /// `PostAuthentication`: 20 to 2048 characters.
  public var postAuthentication: String?
  /// `DefineAuthChallenge`: 20 to 2048 characters.
  public var defineAuthChallenge: String?
  /// `CreateAuthChallenge`: 20 to 2048 characters.
  public var createAuthChallenge: String?
  /// `VerifyAuthChallengeResponse`: 20 to 2048 characters.
  public var verifyAuthChallengeResponse: String?
  /// `PreTokenGeneration`: 20 to 2048 characters.
  public var preTokenGeneration: String?
  /// The function that brings users from another directory.
  public var userMigration: String?
  /// `PreTokenGenerationConfig`.
  public var preTokenGenerationConfig: PreTokenGenerationVersionConfigType?
  /// `CustomSMSSender`.
  public var customSMSSender: CustomSMSLambdaVersionConfigType?
  /// `CustomEmailSender`.
  public var customEmailSender: CustomEmailLambdaVersionConfigType?
  /// The key that encrypts codes for functions.
  public var kmsKeyID: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("PreSignUp", &preSignUp, .arn)
    m.optional("CustomMessage", &customMessage, .arn)
    m.optional("PostConfirmation", &postConfirmation, .arn)
    m.optional("PreAuthentication", &preAuthentication, .arn)
    m.optional("PostAuthentication", &postAuthentication, .arn)
    m.optional("DefineAuthChallenge", &defineAuthChallenge, .arn)
    m.optional("CreateAuthChallenge", &createAuthChallenge, .arn)
    m.optional("VerifyAuthChallengeResponse", &verifyAuthChallengeResponse, .arn)
    m.optional("PreTokenGeneration", &preTokenGeneration, .arn)
    m.optional("UserMigration", &userMigration, .arn)
    m.optional("PreTokenGenerationConfig", &preTokenGenerationConfig)
    m.optional("CustomSMSSender", &customSMSSender)
    m.optional("CustomEmailSender", &customEmailSender)
    m.optional("KMSKeyID", &kmsKeyID, .arn)
  }
}

/// The structure `VerificationMessageTemplateType`.
public struct VerificationMessageTemplateType: Structure {
  /// `SmsMessage`: 6 to 140 characters.
  public var smsMessage: String?
  /// `EmailMessage`: 6 to 20000 characters.
  public var emailMessage: String?
  /// `EmailSubject`: 1 to 140 characters.
  public var emailSubject: String?
  /// `EmailMessageByLink`: 6 to 20000 characters.
  public var emailMessageByLink: String?
  /// `EmailSubjectByLink`: 1 to 140 characters.
  public var emailSubjectByLink: String?
  /// `DefaultEmailOption`.
  public var defaultEmailOption: DefaultEmailOptionType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SmsMessage", &smsMessage, .smsVerificationMessage)
    m.optional("EmailMessage", &emailMessage, .emailVerificationMessage)
    m.optional("EmailSubject", &emailSubject, .emailVerificationSubject)
    m.optional("EmailMessageByLink", &emailMessageByLink, .emailVerificationMessageByLink)
    m.optional("EmailSubjectByLink", &emailSubjectByLink, .emailVerificationSubjectByLink)
    m.optional("DefaultEmailOption", &defaultEmailOption)
  }
}

/// The structure `UserAttributeUpdateSettingsType`.
public struct UserAttributeUpdateSettingsType: Structure {
  /// The attributes that change only once the new value is verified.
  public var attributesRequireVerificationBeforeUpdate: [VerifiedAttributeType]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional(
      "AttributesRequireVerificationBeforeUpdate", &attributesRequireVerificationBeforeUpdate, .init())
  }
}

/// The structure `DeviceConfigurationType`.
public struct DeviceConfigurationType: Structure {
  /// True where devices are challenged.
  public var challengeRequiredOnNewDevice: Bool?
  /// True where a device is remembered only if the user says so.
  public var deviceOnlyRememberedOnUserPrompt: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("ChallengeRequiredOnNewDevice", &challengeRequiredOnNewDevice)
    m.optional("DeviceOnlyRememberedOnUserPrompt", &deviceOnlyRememberedOnUserPrompt)
  }
}

/// The structure `EmailConfigurationType`.
public struct EmailConfigurationType: Structure {
  /// `SourceArn`: 20 to 2048 characters.
  public var sourceARN: String?
  /// `ReplyToEmailAddress`.
  public var replyToEmailAddress: String?
  /// `EmailSendingAccount`.
  public var emailSendingAccount: EmailSendingAccountType?
  /// `From`: 0 to 131072 characters.
  public var from: String?
  /// `ConfigurationSet`: 1 to 64 characters.
  public var configurationSet: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SourceArn", &sourceARN, .arn)
    m.optional("ReplyToEmailAddress", &replyToEmailAddress, .emailAddress)
    m.optional("EmailSendingAccount", &emailSendingAccount)
    m.optional("From", &from, .text)
    m.optional("ConfigurationSet", &configurationSet, .sesConfigurationSet)
  }
}

/// The structure `SmsConfigurationType`.
public struct SmsConfigurationType: Structure {
  /// `SnsCallerArn`: 0 to 2048 characters.
  public var snsCallerARN: String?
  /// `ExternalId`: 0 to 131072 characters.
  public var externalID: String?
  /// `SnsRegion`: 5 to 32 characters.
  public var snsRegion: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SnsCallerArn", &snsCallerARN, .optionalARN)
    m.optional("ExternalId", &externalID, .text)
    m.optional("SnsRegion", &snsRegion, .regionCode)
  }
}

/// The structure `AdminCreateUserConfigType`.
public struct AdminCreateUserConfigType: Structure {
  /// `AllowAdminCreateUserOnly`.
  public var allowAdminCreateUserOnly: Bool?
  /// The days in which a temporary password is valid, as older clients set them.
  public var unusedAccountValidityDays: Int64?
  /// `InviteMessageTemplate`.
  public var inviteMessageTemplate: MessageTemplateType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AllowAdminCreateUserOnly", &allowAdminCreateUserOnly)
    m.optional("UnusedAccountValidityDays", &unusedAccountValidityDays, .integer(0...365))
    m.optional("InviteMessageTemplate", &inviteMessageTemplate)
  }
}

/// The structure `UserPoolAddOnsType`.
public struct UserPoolAddOnsType: Structure {
  /// `AdvancedSecurityMode`, required.
  public var advancedSecurityMode = AdvancedSecurityModeType.off
  /// `AdvancedSecurityAdditionalFlows`.
  public var advancedSecurityAdditionalFlows: AdvancedSecurityAdditionalFlowsType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("AdvancedSecurityMode", &advancedSecurityMode)
    m.optional("AdvancedSecurityAdditionalFlows", &advancedSecurityAdditionalFlows)
  }
}

/// The structure `AccountRecoverySettingType`.
public struct AccountRecoverySettingType: Structure {
  /// `RecoveryMechanisms`: 1 to 2 elements.
  public var recoveryMechanisms: [RecoveryOptionType]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("RecoveryMechanisms", &recoveryMechanisms, .init(1...2))
  }
}

/// The structure `IssuerConfigurationType`.
public struct IssuerConfigurationType: Structure {
  /// `Type`.
  public var type: IssuerType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Type", &type)
  }
}

/// The structure `TokenValidityUnitsType`.
public struct TokenValidityUnitsType: Structure {
  /// `AccessToken`.
  public var accessToken: TimeUnitsType?
  /// `IdToken`.
  public var idToken: TimeUnitsType?
  /// `RefreshToken`.
  public var refreshToken: TimeUnitsType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AccessToken", &accessToken)
    m.optional("IdToken", &idToken)
    m.optional("RefreshToken", &refreshToken)
  }
}

/// The structure `AnalyticsConfigurationType`.
public struct AnalyticsConfigurationType: Structure {
  /// `ApplicationId`.
  public var applicationID: String?
  /// `ApplicationArn`: 20 to 2048 characters.
  public var applicationARN: String?
  /// `RoleArn`: 20 to 2048 characters.
  public var roleARN: String?
  /// `ExternalId`: 0 to 131072 characters.
  public var externalID: String?
  /// `UserDataShared`.
  public var userDataShared: Bool?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("ApplicationId", &applicationID, .hexString)
    m.optional("ApplicationArn", &applicationARN, .arn)
    m.optional("RoleArn", &roleARN, .arn)
    m.optional("ExternalId", &externalID, .text)
    m.optional("UserDataShared", &userDataShared)
  }
}

/// The structure `RefreshTokenRotationType`.
public struct RefreshTokenRotationType: Structure {
  /// `Feature`, required.
  public var feature = FeatureType.enabled
  /// The seconds in which the replaced token serves.
  public var retryGracePeriodSeconds: Int64?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Feature", &feature)
    m.optional("RetryGracePeriodSeconds", &retryGracePeriodSeconds, .integer(0...60))
  }
}

/// The keys of a new device.
public struct NewDeviceMetadataType: Structure {
  /// `DeviceKey`: 1 to 55 characters.
  public var deviceKey: String?
  /// `DeviceGroupKey`: 0 to 131072 characters.
  public var deviceGroupKey: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("DeviceKey", &deviceKey, .deviceKey)
    m.optional("DeviceGroupKey", &deviceGroupKey, .text)
  }
}

/// The structure `DeviceType`.
public struct DeviceType: Structure {
  /// `DeviceKey`: 1 to 55 characters.
  public var deviceKey: String?
  /// `DeviceAttributes`.
  public var deviceAttributes: [AttributeType]?
  /// `DeviceCreateDate`.
  public var deviceCreateDate: Timestamp?
  /// `DeviceLastModifiedDate`.
  public var deviceLastModifiedDate: Timestamp?
  /// `DeviceLastAuthenticatedDate`.
  public var deviceLastAuthenticatedDate: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("DeviceKey", &deviceKey, .deviceKey)
    m.optional("DeviceAttributes", &deviceAttributes, .init())
    m.optional("DeviceCreateDate", &deviceCreateDate)
    m.optional("DeviceLastModifiedDate", &deviceLastModifiedDate)
    m.optional("DeviceLastAuthenticatedDate", &deviceLastAuthenticatedDate)
  }
}

/// The structure `NumberAttributeConstraintsType`.
public struct NumberAttributeConstraintsType: Structure {
  /// `MinValue`: 0 to 131072 characters.
  public var minValue: String?
  /// `MaxValue`: 0 to 131072 characters.
  public var maxValue: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("MinValue", &minValue, .text)
    m.optional("MaxValue", &maxValue, .text)
  }
}

/// The structure `StringAttributeConstraintsType`.
public struct StringAttributeConstraintsType: Structure {
  /// `MinLength`: 0 to 131072 characters.
  public var minLength: String?
  /// `MaxLength`: 0 to 131072 characters.
  public var maxLength: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("MinLength", &minLength, .text)
    m.optional("MaxLength", &maxLength, .text)
  }
}

/// The structure `UserPoolType`.
public struct UserPoolType: Structure {
  /// `Id`: 1 to 55 characters.
  public var id: String?
  /// `Name`: 1 to 128 characters.
  public var name: String?
  /// `Status`.
  public var status: StatusType?
  /// When it was last changed.
  public var lastModifiedDate: Timestamp?
  /// When it was made.
  public var creationDate: Timestamp?
  /// `SchemaAttributes`.
  public var schemaAttributes: [SchemaAttributeType]?
  /// The attributes that users may also sign in with.
  public var aliasAttributes: [AliasAttributeType]?
  /// The attributes that users sign in with instead of a user name.
  public var usernameAttributes: [UsernameAttributeType]?
  /// The number of users, roughly.
  public var estimatedNumberOfUsers: Int64?
  /// `UsernameConfiguration`.
  public var usernameConfiguration: UsernameConfigurationType?
  /// `Arn`: 20 to 2048 characters.
  public var arn: String?
  /// The settings of a pool that can change.
  public var settings = UserPoolSettings()

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Id", &id, .userPoolID)
    m.optional("Name", &name, .userPoolName)
    m.optional("Status", &status)
    m.optional("LastModifiedDate", &lastModifiedDate)
    m.optional("CreationDate", &creationDate)
    m.optional("SchemaAttributes", &schemaAttributes, .init())
    m.optional("AliasAttributes", &aliasAttributes, .init())
    m.optional("UsernameAttributes", &usernameAttributes, .init())
    m.optional("EstimatedNumberOfUsers", &estimatedNumberOfUsers, .integer)
    m.optional("UsernameConfiguration", &usernameConfiguration)
    m.optional("Arn", &arn, .arn)
    settings.members(&m)
  }
}

/// The structure `UserPoolClientType`.
public struct UserPoolClientType: Structure {
  /// `UserPoolId`: 1 to 55 characters.
  public var userPoolID: String?
  /// `ClientName`: 1 to 128 characters.
  public var clientName: String?
  /// `ClientId`: 1 to 128 characters.
  public var clientID: String?
  /// `ClientSecret`: 24 to 64 characters.
  public var clientSecret: SecretText?
  /// When it was last changed.
  public var lastModifiedDate: Timestamp?
  /// When it was made.
  public var creationDate: Timestamp?
  /// `ClientType`.
  public var clientType: ClientTypeType?
  /// The settings of a client that can change.
  public var settings = UserPoolClientSettings()

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("UserPoolId", &userPoolID, .userPoolID)
    m.optional("ClientName", &clientName, .clientName)
    m.optional("ClientId", &clientID, .clientID)
    m.optional("ClientSecret", &clientSecret, .clientSecret)
    m.optional("LastModifiedDate", &lastModifiedDate)
    m.optional("CreationDate", &creationDate)
    m.optional("ClientType", &clientType)
    settings.members(&m)
  }
}

/// The structure `HttpHeader`.
public struct HttpHeader: Structure {
  /// `headerName`: 0 to 131072 characters.
  public var headerName: String?
  /// `headerValue`: 0 to 131072 characters.
  public var headerValue: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("headerName", &headerName, .text)
    m.optional("headerValue", &headerValue, .text)
  }
}

/// The structure `GroupType`.
public struct GroupType: Structure {
  /// `GroupName`: 1 to 128 characters.
  public var groupName: String?
  /// `UserPoolId`: 1 to 55 characters.
  public var userPoolID: String?
  /// `Description`: 0 to 2048 characters.
  public var description: String?
  /// `RoleArn`: 20 to 2048 characters.
  public var roleARN: String?
  /// The rank; 0 comes first.
  public var precedence: Int64?
  /// When it was last changed.
  public var lastModifiedDate: Timestamp?
  /// When it was made.
  public var creationDate: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("GroupName", &groupName, .groupName)
    m.optional("UserPoolId", &userPoolID, .userPoolID)
    m.optional("Description", &description, .description)
    m.optional("RoleArn", &roleARN, .arn)
    m.optional("Precedence", &precedence, .integer(0...))
    m.optional("LastModifiedDate", &lastModifiedDate)
    m.optional("CreationDate", &creationDate)
  }
}

/// The structure `PasswordPolicyType`.
public struct PasswordPolicyType: Structure {
  /// `MinimumLength`: 6 to 99.
  public var minimumLength: Int64?
  /// `RequireUppercase`.
  public var requireUppercase: Bool?
  /// `RequireLowercase`.
  public var requireLowercase: Bool?
  /// `RequireNumbers`.
  public var requireNumbers: Bool?
  /// `RequireSymbols`.
  public var requireSymbols: Bool?
  /// `PasswordHistorySize`: 0 to 24.
  public var passwordHistorySize: Int64?
  /// The days in which a temporary password is valid.
  public var temporaryPasswordValidityDays: Int64?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("MinimumLength", &minimumLength, .integer(6...99))
    m.optional("RequireUppercase", &requireUppercase)
    m.optional("RequireLowercase", &requireLowercase)
    m.optional("RequireNumbers", &requireNumbers)
    m.optional("RequireSymbols", &requireSymbols)
    m.optional("PasswordHistorySize", &passwordHistorySize, .integer(0...24))
    m.optional("TemporaryPasswordValidityDays", &temporaryPasswordValidityDays, .integer(0...365))
  }
}

/// The structure `SignInPolicyType`.
public struct SignInPolicyType: Structure {
  /// The first factors of `USER_AUTH`.
  public var allowedFirstAuthFactors: [AuthFactorType]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("AllowedFirstAuthFactors", &allowedFirstAuthFactors, .init(1...5))
  }
}

/// The structure `PreTokenGenerationVersionConfigType`.
public struct PreTokenGenerationVersionConfigType: Structure {
  /// `LambdaVersion`, required.
  public var lambdaVersion = PreTokenGenerationLambdaVersionType.version1
  /// `LambdaArn`, required: 20 to 2048 characters.
  public var lambdaARN = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("LambdaVersion", &lambdaVersion)
    m.required("LambdaArn", &lambdaARN, .arn)
  }
}

/// The structure `CustomSMSLambdaVersionConfigType`.
public struct CustomSMSLambdaVersionConfigType: Structure {
  /// `LambdaVersion`, required.
  public var lambdaVersion = CustomSMSSenderLambdaVersionType.version1
  /// `LambdaArn`, required: 20 to 2048 characters.
  public var lambdaARN = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("LambdaVersion", &lambdaVersion)
    m.required("LambdaArn", &lambdaARN, .arn)
  }
}

/// The structure `CustomEmailLambdaVersionConfigType`.
public struct CustomEmailLambdaVersionConfigType: Structure {
  /// `LambdaVersion`, required.
  public var lambdaVersion = CustomEmailSenderLambdaVersionType.version1
  /// `LambdaArn`, required: 20 to 2048 characters.
  public var lambdaARN = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("LambdaVersion", &lambdaVersion)
    m.required("LambdaArn", &lambdaARN, .arn)
  }
}

/// The structure `MessageTemplateType`.
public struct MessageTemplateType: Structure {
  /// `SMSMessage`: 6 to 140 characters.
  public var smsMessage: String?
  /// `EmailMessage`: 6 to 20000 characters.
  public var emailMessage: String?
  /// `EmailSubject`: 1 to 140 characters.
  public var emailSubject: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("SMSMessage", &smsMessage, .smsInviteMessage)
    m.optional("EmailMessage", &emailMessage, .emailInviteMessage)
    m.optional("EmailSubject", &emailSubject, .emailVerificationSubject)
  }
}

/// The structure `AdvancedSecurityAdditionalFlowsType`.
public struct AdvancedSecurityAdditionalFlowsType: Structure {
  /// `CustomAuthMode`.
  public var customAuthMode: AdvancedSecurityEnabledModeType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("CustomAuthMode", &customAuthMode)
  }
}

/// The structure `RecoveryOptionType`.
public struct RecoveryOptionType: Structure {
  /// `Priority`, required: 1 to 2.
  public var priority: Int64 = 0
  /// `Name`, required.
  public var name = RecoveryOptionNameType.verifiedEmail

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Priority", &priority, .integer(1...2))
    m.required("Name", &name)
  }
}
