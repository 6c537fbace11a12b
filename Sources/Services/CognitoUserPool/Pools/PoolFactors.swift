internal import ServiceOperations
internal import TokenLifetime
internal import TokenSecurityBase

/// The second factors of pools.
extension Pools {
  /// Sets the second factors of a pool (`SetUserPoolMfaConfig`). A factor that the request does not name is off.
  ///
  /// - Throws: `poolUnknown`, `parameterRefused`.
  package nonisolated(nonsending) func setFactors(
    _ input: SetUserPoolMfaConfig.Input, _ context: CallContext
  ) async throws(UserPoolError) -> MFAConfiguration {
    try await change(input.userPoolID, context) { pool throws(UserPoolError) in
      try pool.setFactors(input)
    }.factorsResponse
  }

  /// Replaces the settings of a pool and its second factors in one transaction.
  ///
  /// - Throws: `poolUnknown`, `parameterRefused`; `changedMeanwhile` if the pool is another one than `old` by now.
  nonisolated(nonsending) func replace(
    by input: UpdateUserPool.Input, _ factors: SetUserPoolMfaConfig.Input, over old: UserPool,
    _ context: CallContext
  ) async throws(UserPoolError) {
    // The mode is that of the factors, which are set last.
    var settings = input.settings
    settings.mfaConfiguration = nil
    let others = settings
    try await change(input.userPoolID, context) { [issuers] pool throws(UserPoolError) in
      guard pool.json == old.json else { throw .changedMeanwhile }
      if let name = input.poolName { pool.name = name }
      try pool.replace(by: others)
      try issuers.check(pool)
      try pool.setFactors(factors)
    }
  }

  /// Returns the second factors of a pool (`GetUserPoolMfaConfig`).
  ///
  /// - Throws: `poolUnknown`.
  package nonisolated(nonsending) func factors(
    ofPool id: String, at time: Timestamp
  ) async throws(UserPoolError) -> MFAConfiguration {
    try await store.read(at: time) { rows throws(UserPoolError) in try rows.existingPool(id).factorsResponse }
  }
}

extension UserPool {
  fileprivate mutating func setFactors(_ input: SetUserPoolMfaConfig.Input) throws(UserPoolError) {
    hasSMSFactor = input.smsMFAConfiguration != nil
    hasSoftwareTokenFactor = input.softwareTokenMFAConfiguration?.enabled ?? false
    hasEmailFactor = input.emailMFAConfiguration != nil
    mfa =
      try input.mfaConfiguration.map { (given) throws(UserPoolError) in
        try MFAMode.choice(given, "MfaConfiguration")
      } ?? .off
    // An absent member is OFF, too. Passkeys are not a second factor.
    let hasMembers =
      input.smsMFAConfiguration != nil || input.softwareTokenMFAConfiguration != nil
      || input.emailMFAConfiguration != nil
    guard mfa != .off || !hasMembers else {
      throw .settingsRefused(
        "Invalid MFA configuration given, can't turn off MFA and configure an MFA together.")
    }
    guard mfa == .off || hasFactor else {
      throw .settingsRefused(
        "Invalid MFA configuration given, can't disable all MFAs with a required or optional configuration.")
    }
    if let sms = input.smsMFAConfiguration { texts.smsAuthentication = sms.smsAuthenticationMessage }
    texts.emailFactor = input.emailMFAConfiguration?.message
    texts.emailFactorSubject = input.emailMFAConfiguration?.subject
    if let sms = input.smsMFAConfiguration?.smsConfiguration {
      echoed.merge(try UserPoolSettings { $0.smsConfiguration = sms }.echo()) { $1 }
    }
    echoed["WebAuthnConfiguration"] = nil
    if let passkeys = input.webAuthnConfiguration {
      echoed.merge(try MFAConfiguration { $0.webAuthnConfiguration = passkeys }.echo()) { $1 }
    }
  }

  /// The second factors as `GetUserPoolMfaConfig` has them.
  fileprivate var factorsResponse: MFAConfiguration {
    MFAConfiguration {
      $0.mfaConfiguration = UserPoolMfaType(rawValue: mfa.rawValue)
      if hasSMSFactor {
        $0.smsMFAConfiguration = SmsMfaConfigType {
          $0.smsAuthenticationMessage = texts.smsAuthentication
          $0.smsConfiguration = UserPoolSettings.echoed(echoed).smsConfiguration
        }
      }
      if hasSoftwareTokenFactor {
        $0.softwareTokenMFAConfiguration = SoftwareTokenMfaConfigType { $0.enabled = true }
      }
      if hasEmailFactor {
        $0.emailMFAConfiguration = EmailMfaConfigType {
          $0.message = texts.emailFactor
          $0.subject = texts.emailFactorSubject
        }
      }
      $0.webAuthnConfiguration =
        MFAConfiguration.echoed(echoed.filter { $0.key == "WebAuthnConfiguration" }).webAuthnConfiguration
    }
  }
}
