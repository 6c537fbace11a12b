internal import TokenSecurityBase

/// A change of one second factor: `Enabled` and `PreferredMfa` of its member; nil for what is not named.
package struct FactorPreference: Sendable, Hashable {
  package var factor: SecondFactor
  package var isEnabled: Bool?
  package var isPreferred: Bool?

  package init(_ factor: SecondFactor, isEnabled: Bool?, isPreferred: Bool?) {
    self.factor = factor
    self.isEnabled = isEnabled
    self.isPreferred = isPreferred
  }
}

extension User {
  /// Enables and disables second factors, and chooses the preferred one.
  ///
  /// - Parameters:
  ///   - preferences: the changes, at most one for each factor.
  ///   - pool: the user's pool.
  /// - Throws: `parameterRefused` for two preferred factors and for a preferred one that is not enabled,
  ///   `factorNotSetUp`.
  mutating func apply(_ preferences: [FactorPreference], in pool: UserPool) throws(UserPoolError) {
    guard preferences.count(where: { $0.isPreferred == true }) <= 1 else {
      throw .parameterRefused("PreferredMfa", rule: "at most one factor can be preferred")
    }
    for preference in preferences { try enable(preference, in: pool) }
    for preference in preferences where preference.isPreferred == true {
      guard enabledFactors.contains(preference.factor) else {
        throw .parameterRefused("PreferredMfa", rule: "a factor that is not enabled cannot be preferred")
      }
      preferredFactor = preference.factor
    }
  }

  private mutating func enable(_ preference: FactorPreference, in pool: UserPool) throws(UserPoolError) {
    let factor = preference.factor
    if preference.isEnabled == true { try checkSetUp(factor, in: pool) }
    if let isEnabled = preference.isEnabled { set(factor, isEnabled) }
    // Who may enable a factor decides that it is asked for again.
    if preference.isEnabled == true { open(factor) }
    if preference.isEnabled == false || preference.isPreferred == false, preferredFactor == factor {
      preferredFactor = nil
    }
  }

  /// Refuses a factor that a sign-in could not ask for.
  private func checkSetUp(_ factor: SecondFactor, in pool: UserPool) throws(UserPoolError) {
    switch factor {
    case .softwareToken:
      guard isSetUp(factor) else { throw .factorNotSetUp("User has not set up software token mfa") }
    case .sms, .email:
      guard pool.offers(factor) else {
        throw .factorNotSetUp("\(factor.name) is not enabled for this user pool")
      }
      guard isSetUp(factor) else {
        throw .factorNotSetUp("User does not have delivery config set to turn on \(factor.name)")
      }
    }
  }

  mutating func set(_ factor: SecondFactor, _ isEnabled: Bool) {
    switch factor {
    case .sms: smsFactor = isEnabled
    case .email: emailFactor = isEnabled
    case .softwareToken: softwareTokenFactor = isEnabled
    }
  }

  /// Removes the software token, and the one that waits for its verification.
  mutating func removeSoftwareToken() {
    softwareToken = nil
    pendingSoftwareToken = nil
    softwareTokenName = nil
    softwareTokenFactor = false
    open(.softwareToken)
    if preferredFactor == .softwareToken { preferredFactor = nil }
  }
}
