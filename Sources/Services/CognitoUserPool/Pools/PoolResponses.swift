internal import ServiceOperations
internal import TokenSecurityBase

// Pools as responses have them.

extension UserPool {
  /// The pool as `DescribeUserPool` has it.
  ///
  /// - Parameters:
  ///   - account: the account in ARNs.
  ///   - users: the number of users.
  /// - Returns: the pool.
  func response(account: String, users: Int) -> UserPoolType {
    UserPoolType {
      $0.id = id
      $0.name = name
      $0.arn = arn(account: account)
      $0.creationDate = created
      $0.lastModifiedDate = modified
      $0.estimatedNumberOfUsers = Int64(min(users, Int(Int32.max)))
      $0.schemaAttributes = allAttributes.map(\.response)
      $0.aliasAttributes = AliasAttributeType.responses(aliasAttributes)
      $0.usernameAttributes = UsernameAttributeType.responses(usernameAttributes)
      $0.usernameConfiguration = UsernameConfigurationType { $0.caseSensitive = isCaseSensitive }
      $0.settings = settingsResponse
    }
  }

  /// The pool's ARN.
  package func arn(account: String) -> String {
    "arn:aws:cognito-idp:\(region):\(account):userpool/\(id)"
  }

  private var settingsResponse: UserPoolSettings {
    var settings = UserPoolSettings.echoed(echoed)
    var email = settings.emailConfiguration ?? EmailConfigurationType()
    email.emailSendingAccount = email.emailSendingAccount ?? .cognitoDefault
    settings.emailConfiguration = email
    settings.policies = policiesResponse
    settings.deletionProtection = isProtectedFromDeletion ? .active : .inactive
    settings.issuerConfiguration = IssuerConfigurationType {
      $0.type = hasUpdatedIssuer ? .updated : .original
    }
    settings.lambdaConfig = hooksResponse
    settings.autoVerifiedAttributes = VerifiedAttributeType.responses(autoVerified)
    if !verifiedBeforeUpdate.isEmpty {
      settings.userAttributeUpdateSettings = UserAttributeUpdateSettingsType {
        $0.attributesRequireVerificationBeforeUpdate = VerifiedAttributeType.responses(verifiedBeforeUpdate)
      }
    }
    settings.smsVerificationMessage = texts.smsVerification
    settings.emailVerificationMessage = texts.emailVerification
    settings.emailVerificationSubject = texts.emailVerificationSubject
    settings.smsAuthenticationMessage = texts.smsAuthentication
    settings.verificationMessageTemplate = VerificationMessageTemplateType {
      $0.smsMessage = texts.smsVerification
      $0.emailMessage = texts.emailVerification
      $0.emailSubject = texts.emailVerificationSubject
      $0.emailMessageByLink = texts.emailByLink
      $0.emailSubjectByLink = texts.emailByLinkSubject
      $0.defaultEmailOption =
        texts.emailOption.flatMap { DefaultEmailOptionType(name: $0) } ?? .confirmWithCode
    }
    settings.mfaConfiguration = UserPoolMfaType(rawValue: mfa.rawValue)
    settings.deviceConfiguration = devices.map { rule in
      DeviceConfigurationType {
        $0.challengeRequiredOnNewDevice = rule.challengesNewDevices
        $0.deviceOnlyRememberedOnUserPrompt = rule.remembersOnPromptOnly
      }
    }
    settings.userPoolTags = tags.isEmpty ? nil : tags
    settings.adminCreateUserConfig = AdminCreateUserConfigType {
      $0.allowAdminCreateUserOnly = isCreatedByAdministratorsOnly
      $0.unusedAccountValidityDays = passwordPolicy.temporaryDays
      $0.inviteMessageTemplate = invitationResponse
    }
    settings.accountRecoverySetting = recovery.map { options in
      AccountRecoverySettingType {
        $0.recoveryMechanisms = options.enumerated().compactMap { index, option in
          RecoveryOptionNameType(rawValue: option.rawValue).map { name in
            RecoveryOptionType {
              $0.priority = Int64(index) + 1
              $0.name = name
            }
          }
        }
      }
    }
    return settings
  }

  private var invitationResponse: MessageTemplateType? {
    guard texts.inviteSMS != nil || texts.inviteEmail != nil || texts.inviteEmailSubject != nil else {
      return nil
    }
    return MessageTemplateType {
      $0.smsMessage = texts.inviteSMS
      $0.emailMessage = texts.inviteEmail
      $0.emailSubject = texts.inviteEmailSubject
    }
  }

  private var policiesResponse: UserPoolPolicyType {
    UserPoolPolicyType {
      $0.passwordPolicy = PasswordPolicyType {
        $0.minimumLength = passwordPolicy.least
        $0.requireUppercase = passwordPolicy.needsUppercase
        $0.requireLowercase = passwordPolicy.needsLowercase
        $0.requireNumbers = passwordPolicy.needsDigit
        $0.requireSymbols = passwordPolicy.needsSymbol
        $0.passwordHistorySize = passwordPolicy.history == 0 ? nil : passwordPolicy.history
        $0.temporaryPasswordValidityDays = passwordPolicy.temporaryDays
      }
      $0.signInPolicy = SignInPolicyType {
        $0.allowedFirstAuthFactors = AuthFactorType.responses(firstFactors)
      }
    }
  }

  /// The hooks; those of messages are only echoed.
  var hooksResponse: LambdaConfigType {
    var config =
      UserPoolSettings.echoed(echoed.filter { $0.key == "LambdaConfig" }).lambdaConfig
      ?? LambdaConfigType()
    for trigger in HookTrigger.allCases { config[trigger] = hook(trigger) }
    if let arn = hook(.preTokenGeneration),
      let version = PreTokenGenerationLambdaVersionType(name: tokenHookVersion)
    {
      config.preTokenGenerationConfig = PreTokenGenerationVersionConfigType {
        $0.lambdaVersion = version
        $0.lambdaARN = arn
      }
    }
    return config
  }
}

extension SchemaAttribute {
  /// The attribute as `SchemaAttributes` has it.
  var response: SchemaAttributeType {
    SchemaAttributeType {
      $0.name = fullName
      $0.attributeDataType = AttributeDataType(name: type)
      $0.developerOnlyAttribute = isDeveloperOnly
      $0.mutable = isMutable
      $0.required = isRequired
      if type == "String" {
        $0.stringAttributeConstraints = StringAttributeConstraintsType {
          $0.minLength = least
          $0.maxLength = greatest
        }
      }
      if type == "Number" {
        $0.numberAttributeConstraints = NumberAttributeConstraintsType {
          $0.minValue = least
          $0.maxValue = greatest
        }
      }
    }
  }
}
