/// The rules of passwords and first factors.
public struct UserPoolPolicyType: Structure {
  /// The rules of passwords.
  public var passwordPolicy: PasswordPolicyType?
  /// The first factors.
  public var signInPolicy: SignInPolicyType?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("PasswordPolicy", &passwordPolicy)
    m.optional("SignInPolicy", &signInPolicy)
  }
}

/// The rules of passwords.
public struct PasswordPolicyType: Structure {
  /// The least length.
  public var minimumLength: Int64?
  /// True where an upper-case letter is needed.
  public var requireUppercase: Bool?
  /// True where a lower-case letter is needed.
  public var requireLowercase: Bool?
  /// True where a digit is needed.
  public var requireNumbers: Bool?
  /// True where a symbol is needed.
  public var requireSymbols: Bool?
  /// The number of earlier passwords that are refused.
  public var passwordHistorySize: Int64?
  /// The days in which a temporary password is valid.
  public var temporaryPasswordValidityDays: Int64?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("MinimumLength", &minimumLength, .passwordLength)
    m.optional("RequireUppercase", &requireUppercase)
    m.optional("RequireLowercase", &requireLowercase)
    m.optional("RequireNumbers", &requireNumbers)
    m.optional("RequireSymbols", &requireSymbols)
    m.optional("PasswordHistorySize", &passwordHistorySize, .passwordHistorySize)
    m.optional("TemporaryPasswordValidityDays", &temporaryPasswordValidityDays, .temporaryPasswordDays)
  }
}

/// The first factors.
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

/// How users get back into an account.
public struct AccountRecoverySettingType: Structure {
  /// The ways, by rank.
  public var recoveryMechanisms: [RecoveryOptionType]?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("RecoveryMechanisms", &recoveryMechanisms, .init(1...2))
  }
}

/// A way back into an account.
public struct RecoveryOptionType: Structure {
  /// The rank.
  public var priority: Int64 = 0
  /// The name.
  public var name = RecoveryOptionNameType.verifiedEmail

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Priority", &priority, .priority)
    m.required("Name", &name)
  }
}

/// A way back into an account.
public enum RecoveryOptionNameType: ExactString, MemberChoice {
  /// The verified e-mail address.
  case verifiedEmail = "verified_email"
  /// The verified phone number.
  case verifiedPhoneNumber = "verified_phone_number"
  /// Administrators alone.
  case adminOnly = "admin_only"
}

/// How user names are compared.
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

/// When attributes change.
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

/// How devices are tracked.
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
