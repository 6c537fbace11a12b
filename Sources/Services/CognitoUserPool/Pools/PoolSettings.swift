internal import ServiceOperations
internal import TokenSecurityBase

// The settings of pools that requests set.

extension UserPool {
  /// Replaces the settings that can change. What `settings` does not name gets its default, except for tags.
  ///
  /// - Throws: `parameterRefused`.
  mutating func replace(by settings: UserPoolSettings) throws(UserPoolError) {
    try setPolicies(settings.policies, settings.adminCreateUserConfig)
    isProtectedFromDeletion = settings.deletionProtection == .active
    hasUpdatedIssuer = settings.issuerConfiguration?.type == .updated
    try setHooks(settings.lambdaConfig)
    autoVerified = try VerifiedAttribute.choices(settings.autoVerifiedAttributes, "AutoVerifiedAttributes")
    verifiedBeforeUpdate = try VerifiedAttribute.choices(
      settings.userAttributeUpdateSettings?.attributesRequireVerificationBeforeUpdate,
      "AttributesRequireVerificationBeforeUpdate")
    guard verifiedBeforeUpdate.allSatisfy(autoVerified.contains) else {
      throw .parameterRefused(
        "AttributesRequireVerificationBeforeUpdate", rule: "its attributes must be in AutoVerifiedAttributes")
    }
    devices = settings.deviceConfiguration.map { given in
      var rule = DeviceRule()
      rule.challengesNewDevices = given.challengeRequiredOnNewDevice ?? false
      rule.remembersOnPromptOnly = given.deviceOnlyRememberedOnUserPrompt ?? false
      return rule
    }
    try setRecovery(settings.accountRecoverySetting)
    setTexts(settings)
    if let tags = settings.userPoolTags {
      try Self.check(tags, "UserPoolTags")
      self.tags = tags
    }
    hasSMSFactor = settings.smsConfiguration != nil
    mfa =
      try settings.mfaConfiguration.map { (given) throws(UserPoolError) in
        try MFAMode.choice(given, "MfaConfiguration")
      } ?? .off
    try checkFactors()
    // The echoed settings of WebAuthnConfiguration belong to the pool's factors.
    let kept = echoed["WebAuthnConfiguration"]
    echoed = try UserPoolSettings {
      $0.emailConfiguration = settings.emailConfiguration
      $0.smsConfiguration = settings.smsConfiguration
      $0.userPoolAddOns = settings.userPoolAddOns
      $0.userPoolTier = settings.userPoolTier
      $0.lambdaConfig = settings.lambdaConfig.flatMap(Self.echoedHooks)
    }.echo()
    echoed["WebAuthnConfiguration"] = kept
  }

  private mutating func setPolicies(
    _ policies: UserPoolPolicyType?, _ creation: AdminCreateUserConfigType?
  ) throws(UserPoolError) {
    passwordPolicy = PasswordPolicy()
    if let given = policies?.passwordPolicy {
      passwordPolicy.least = given.minimumLength ?? passwordPolicy.least
      passwordPolicy.needsUppercase = given.requireUppercase ?? false
      passwordPolicy.needsLowercase = given.requireLowercase ?? false
      passwordPolicy.needsDigit = given.requireNumbers ?? false
      passwordPolicy.needsSymbol = given.requireSymbols ?? false
      passwordPolicy.history = given.passwordHistorySize ?? 0
    }
    let days = policies?.passwordPolicy?.temporaryPasswordValidityDays
    let older = creation?.unusedAccountValidityDays
    if let days, let older, days != older, days != 0, older != 0 {
      throw .parameterRefused(
        "UnusedAccountValidityDays", rule: "it must be absent where TemporaryPasswordValidityDays is set")
    }
    // 0 is the default.
    if let days = [days, older].compactMap({ $0 }).first(where: { $0 > 0 }) {
      passwordPolicy.temporaryDays = days
    }
    let factors = try FirstFactor.choices(
      policies?.signInPolicy?.allowedFirstAuthFactors, "AllowedFirstAuthFactors")
    guard factors.isEmpty || factors.contains(.password) else {
      throw .parameterRefused(
        "AllowedFirstAuthFactors",
        rule: "PASSWORD should be configured as one of the allowed first auth factors")
    }
    firstFactors = factors.isEmpty ? [.password] : factors
    isCreatedByAdministratorsOnly = creation?.allowAdminCreateUserOnly ?? false
  }

  private mutating func setHooks(_ given: LambdaConfigType?) throws(UserPoolError) {
    hooks = [:]
    for trigger in HookTrigger.allCases { hooks[trigger.rawValue] = given?[trigger] }
    if let arn = given?.preTokenGenerationConfig?.lambdaARN {
      hooks[HookTrigger.preTokenGeneration.rawValue] = arn
    }
    if let one = given?.preTokenGeneration, let other = given?.preTokenGenerationConfig?.lambdaARN,
      one != other
    {
      throw .parameterRefused(
        "PreTokenGeneration", rule: "it must be the function of PreTokenGenerationConfig, or absent")
    }
    tokenHookVersion = given?.preTokenGenerationConfig?.lambdaVersion.name ?? "V1_0"
  }

  private static func echoedHooks(_ given: LambdaConfigType) -> LambdaConfigType? {
    guard given.customSMSSender != nil || given.customEmailSender != nil || given.kmsKeyID != nil else {
      return nil
    }
    return LambdaConfigType {
      $0.customSMSSender = given.customSMSSender
      $0.customEmailSender = given.customEmailSender
      $0.kmsKeyID = given.kmsKeyID
    }
  }

  private mutating func setRecovery(_ given: AccountRecoverySettingType?) throws(UserPoolError) {
    guard let given, let mechanisms = given.recoveryMechanisms else {
      recovery = nil
      return
    }
    let member = "RecoveryMechanisms"
    let sorted = mechanisms.sorted { $0.priority < $1.priority }
    for (one, next) in zip(sorted, sorted.dropFirst()) where one.priority == next.priority {
      throw .parameterRefused(member, rule: "each must have a priority of its own")
    }
    let options = try RecoveryOption.choices(sorted.map(\.name), member)
    guard options.count == sorted.count else { throw .parameterRefused(member, rule: "a name is duplicated") }
    guard options.count == 1 || !options.contains(.administratorOnly) else {
      throw .parameterRefused(member, rule: "admin_only excludes the others")
    }
    recovery = options
  }

  private mutating func setTexts(_ settings: UserPoolSettings) {
    let template = settings.verificationMessageTemplate
    let invitation = settings.adminCreateUserConfig?.inviteMessageTemplate
    // Those of the second factor belong to the pool's factors.
    let (factor, subject) = (texts.emailFactor, texts.emailFactorSubject)
    texts = MessageTexts()
    texts.emailFactor = factor
    texts.emailFactorSubject = subject
    texts.smsVerification = template?.smsMessage ?? settings.smsVerificationMessage
    texts.smsAuthentication = settings.smsAuthenticationMessage
    texts.emailVerification = template?.emailMessage ?? settings.emailVerificationMessage
    texts.emailVerificationSubject = template?.emailSubject ?? settings.emailVerificationSubject
    texts.emailByLink = template?.emailMessageByLink
    texts.emailByLinkSubject = template?.emailSubjectByLink
    texts.emailOption = template?.defaultEmailOption?.name
    texts.inviteSMS = invitation?.smsMessage
    texts.inviteEmail = invitation?.emailMessage
    texts.inviteEmailSubject = invitation?.emailSubject
  }

  /// True where there is a second factor.
  var hasFactor: Bool { hasSMSFactor || hasSoftwareTokenFactor || hasEmailFactor }

  /// Checks that sign-ins with a second factor have one.
  private func checkFactors() throws(UserPoolError) {
    guard mfa == .off || hasFactor else {
      throw .parameterRefused(
        "MfaConfiguration",
        rule: "Invalid MFA configuration given, can't turn on MFA without configuring an MFA.")
    }
  }
}
