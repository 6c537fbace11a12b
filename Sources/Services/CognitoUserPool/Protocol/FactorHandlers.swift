internal import TokenSecurityBase

// The handlers of operations on second factors.

extension SecondFactors {
  func addHandlers(to table: inout Handlers) {
    table.on(AssociateSoftwareToken.self) { (input, context) throws(UserPoolError) in
      let made = try await associateSoftwareToken(
        TokenHolder(accessToken: input.accessToken, session: input.session), context)
      return AssociateSoftwareToken.Output {
        $0.secretCode = made.secret
        $0.session = made.session
      }
    }
    table.on(VerifySoftwareToken.self) { (input, context) throws(UserPoolError) in
      let session = try await verifySoftwareToken(
        input.userCode, name: input.friendlyDeviceName,
        TokenHolder(accessToken: input.accessToken, session: input.session), context)
      return VerifySoftwareToken.Output {
        $0.status = .success
        $0.session = session
      }
    }
    addOwnFactorHandlers(to: &table)
    addUserFactorHandlers(to: &table)
  }

  private func addOwnFactorHandlers(to table: inout Handlers) {
    table.on(SetUserMFAPreference.self) { (input, context) throws(UserPoolError) in
      let preferences = try FactorPreference.all(
        input.smsMFASettings, input.softwareTokenMFASettings, input.emailMFASettings,
        input.webAuthnMFASettings)
      try await setFactors(preferences, of: .token(input.accessToken), context)
      return NoMembers()
    }
    table.on(SetUserSettings.self) { (input, context) throws(UserPoolError) in
      let usesSMS = try FactorPreference.usesSMS(input.mfaOptions)
      try await setSMSFactor(usesSMS, of: .token(input.accessToken), context)
      return NoMembers()
    }
    table.on(GetUserAuthFactors.self) { (input, context) throws(UserPoolError) in
      try await factors(of: .token(input.accessToken), context).members
    }
  }

  private func addUserFactorHandlers(to table: inout Handlers) {
    table.on(AdminSetUserMFAPreference.self) { (input, context) throws(UserPoolError) in
      let preferences = try FactorPreference.all(
        input.smsMFASettings, input.softwareTokenMFASettings, input.emailMFASettings,
        input.webAuthnMFASettings)
      try await setFactors(preferences, of: .named(input.username, poolID: input.userPoolID), context)
      return NoMembers()
    }
    table.on(AdminSetUserSettings.self) { (input, context) throws(UserPoolError) in
      let usesSMS = try FactorPreference.usesSMS(input.mfaOptions)
      try await setSMSFactor(usesSMS, of: .named(input.username, poolID: input.userPoolID), context)
      return NoMembers()
    }
    table.on(AdminDeleteSoftwareToken.self) { (input, context) throws(UserPoolError) in
      try await removeSoftwareToken(of: .named(input.username, poolID: input.userPoolID), context)
      return NoMembers()
    }
    table.on(AdminGetUserAuthFactors.self) { (input, context) throws(UserPoolError) in
      try await factors(of: .named(input.username, poolID: input.userPoolID), context).members
    }
  }
}

extension FactorPreference {
  /// The changes that a request names.
  ///
  /// - Throws: `parameterRefused` for passkeys, which are not a second factor here.
  fileprivate static func all(
    _ sms: SMSMfaSettingsType?, _ token: SoftwareTokenMfaSettingsType?, _ email: EmailMfaSettingsType?,
    _ passkeys: WebAuthnMfaSettingsType?
  ) throws(UserPoolError) -> [FactorPreference] {
    guard passkeys?.enabled != true else {
      throw .parameterRefused("WebAuthnMfaSettings", rule: "passkeys are not a second factor")
    }
    let sms = sms.map { FactorPreference(.sms, isEnabled: $0.enabled, isPreferred: $0.preferredMFA) }
    let token = token.map {
      FactorPreference(.softwareToken, isEnabled: $0.enabled, isPreferred: $0.preferredMFA)
    }
    let email = email.map { FactorPreference(.email, isEnabled: $0.enabled, isPreferred: $0.preferredMFA) }
    return [sms, token, email].compactMap(\.self)
  }

  /// Whether a request of older clients switches codes by SMS on.
  ///
  /// - Throws: `parameterRefused` for another medium or attribute.
  fileprivate static func usesSMS(_ options: [MFAOptionType]) throws(UserPoolError) -> Bool {
    for option in options
    where option.deliveryMedium != .sms || (option.attributeName ?? "phone_number") != "phone_number" {
      throw .parameterRefused("MFAOptions", rule: "only SMS to phone_number can be set")
    }
    return !options.isEmpty
  }
}

extension UserFactors {
  fileprivate var members: AuthFactorsOutput {
    AuthFactorsOutput {
      $0.username = user.name
      $0.preferredMFASetting = user.preferredFactor?.name
      $0.userMFASettingList = user.factorsResponse
      $0.configuredUserAuthFactors = firstFactors.compactMap { AuthFactorType(rawValue: $0.rawValue) }
    }
  }
}
