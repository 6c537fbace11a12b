/// A pool.
public struct UserPoolType: Structure {
  /// The id.
  public var id: String?
  /// The name.
  public var name: String?
  /// The status.
  public var status: StatusType?
  /// When it was last changed.
  public var lastModifiedDate: Timestamp?
  /// When it was made.
  public var creationDate: Timestamp?
  /// The attributes of users.
  public var schemaAttributes: [SchemaAttributeType]?
  /// The attributes that users may also sign in with.
  public var aliasAttributes: [AliasAttributeType]?
  /// The attributes that users sign in with in place of a user name.
  public var usernameAttributes: [UsernameAttributeType]?
  /// The number of users, roughly.
  public var estimatedNumberOfUsers: Int64?
  /// How user names are compared.
  public var usernameConfiguration: UsernameConfigurationType?
  /// The ARN.
  public var arn: String?
  /// The settings that can change.
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

/// The settings of a pool that can change.
public struct UserPoolSettings: Structure {
  /// The rules of passwords and first factors.
  public var policies: UserPoolPolicyType?
  /// Whether deletion is refused.
  public var deletionProtection: DeletionProtectionType?
  /// The hooks.
  public var lambdaConfig: LambdaConfigType?
  /// The attributes that a code verifies at sign-up.
  public var autoVerifiedAttributes: [VerifiedAttributeType]?
  /// The text of SMS that verify.
  public var smsVerificationMessage: String?
  /// The text of e-mail that verifies.
  public var emailVerificationMessage: String?
  /// The subject of e-mail that verifies.
  public var emailVerificationSubject: String?
  /// The texts of messages that verify.
  public var verificationMessageTemplate: VerificationMessageTemplateType?
  /// The text of SMS that authenticate.
  public var smsAuthenticationMessage: String?
  /// When attributes change.
  public var userAttributeUpdateSettings: UserAttributeUpdateSettingsType?
  /// Whether sign-ins need a second factor.
  public var mfaConfiguration: UserPoolMfaType?
  /// How devices are tracked.
  public var deviceConfiguration: DeviceConfigurationType?
  /// How e-mail is sent.
  public var emailConfiguration: EmailConfigurationType?
  /// How SMS are sent.
  public var smsConfiguration: SmsConfigurationType?
  /// The tags.
  public var userPoolTags: [ExactString: String]?
  /// How administrators create users.
  public var adminCreateUserConfig: AdminCreateUserConfigType?
  /// Threat protection.
  public var userPoolAddOns: UserPoolAddOnsType?
  /// How users get back into an account.
  public var accountRecoverySetting: AccountRecoverySettingType?
  /// The tier.
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
    m.optional("UserAttributeUpdateSettings", &userAttributeUpdateSettings)
    m.optional("MfaConfiguration", &mfaConfiguration)
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

/// The form of `iss` in a pool's tokens.
public struct IssuerConfigurationType: Structure {
  /// The form.
  public var type: IssuerType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Type", &type)
  }
}

/// A form of `iss`.
public enum IssuerType: ExactString, MemberChoice {
  /// `https://cognito-idp.REGION.amazonaws.com/POOL`.
  case original = "ORIGINAL"
  /// `https://issuer-cognito-idp.REGION.amazonaws.com/POOL`.
  case updated = "UPDATED"
}

/// A pool in a list.
public struct UserPoolDescriptionType: Structure {
  /// The id.
  public var id: String?
  /// The name.
  public var name: String?
  /// The hooks.
  public var lambdaConfig: LambdaConfigType?
  /// The status.
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

/// A status, which is not used.
public enum StatusType: ExactString, MemberChoice {
  /// It is on.
  case enabled = "Enabled"
  /// It is off.
  case disabled = "Disabled"
}

/// Whether deletion is refused.
public enum DeletionProtectionType: ExactString, MemberChoice {
  /// Deletion is refused.
  case active = "ACTIVE"
  /// Deletion is allowed.
  case inactive = "INACTIVE"
}

/// A tier.
public enum UserPoolTierType: ExactString, MemberChoice {
  /// The least features.
  case lite = "LITE"
  /// The usual features.
  case essentials = "ESSENTIALS"
  /// Threat protection, too.
  case plus = "PLUS"
}
