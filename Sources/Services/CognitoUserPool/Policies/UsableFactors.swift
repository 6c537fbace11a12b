internal import TokenSecurityBase

/// The step of a sign-in after the password.
package enum SecondFactorStep: Sendable, Hashable {
  /// Nothing.
  case none
  /// One factor.
  case factor(SecondFactor)
  /// The user chooses one of several (`SELECT_MFA_TYPE`).
  case choice([SecondFactor])
  /// A refusal: all of the user's factors had too many wrong codes in a row. The one that would be asked for.
  case closed(SecondFactor)
  /// The pool requires a second factor and the user has none: one of these is set up first (`MFA_SETUP`).
  case setup([SecondFactor])
}

extension UserPool {
  /// True where the pool has a second factor.
  package func offers(_ factor: SecondFactor) -> Bool {
    switch factor {
    case .sms: hasSMSFactor
    case .email: hasEmailFactor
    case .softwareToken: hasSoftwareTokenFactor
    }
  }

  /// True where users can sign in without a password, and need none: with codes. Passkeys are not built.
  package var isPasswordless: Bool { firstFactors.contains { $0 == .emailCode || $0 == .smsCode } }
}

extension User {
  /// True where the user has what a factor needs: a number, an address, a verified token. Numbers and addresses
  /// need no verification: the first right code verifies them.
  package func isSetUp(_ factor: SecondFactor) -> Bool {
    switch factor {
    case .sms: attribute("phone_number") != nil
    case .email: attribute("email") != nil
    case .softwareToken: softwareToken != nil
    }
  }

  /// The factors that user or administrator enabled, in the protocol's order (`UserMFASettingList`).
  package var enabledFactors: [SecondFactor] {
    SecondFactor.allCases.filter { factor in
      switch factor {
      case .sms: smsFactor
      case .email: emailFactor
      case .softwareToken: softwareTokenFactor
      }
    }
  }

  /// The second factors that a sign-in may ask for. In pools that require one, what is set up counts where
  /// nothing was enabled. A token that was set up serves even where the pool no longer offers new ones.
  package func secondFactors(in pool: UserPool) -> [SecondFactor] {
    guard pool.mfa != .off else { return [] }
    let usable = SecondFactor.allCases.filter { factor in
      isSetUp(factor) && (pool.offers(factor) || factor == .softwareToken)
    }
    let enabled = enabledFactors.filter { usable.contains($0) }
    return enabled.isEmpty && pool.mfa == .on ? usable : enabled
  }

  /// The step of a sign-in after the password: the preferred factor, the only one, or a choice. Factors with too
  /// many wrong codes in a row are left out.
  package func secondFactorStep(in pool: UserPool) -> SecondFactorStep {
    let all = secondFactors(in: pool)
    guard let firstOfAll = all.first else {
      return pool.mfa == .on ? .setup(SecondFactor.allCases.filter { pool.offers($0) }) : .none
    }
    let preferred = preferredFactor.flatMap { all.contains($0) ? $0 : nil }
    let asked = all.filter { !isClosed($0) }
    if let preferred, asked.contains(preferred) { return .factor(preferred) }
    guard let first = asked.first else { return .closed(preferred ?? firstOfAll) }
    return asked.count == 1 ? .factor(first) : .choice(asked)
  }

  /// The first factors that the user can use in `USER_AUTH` (`ConfiguredUserAuthFactors`).
  package func firstFactors(in pool: UserPool) -> [FirstFactor] {
    pool.firstFactors.filter { factor in
      switch factor {
      case .password: password != nil
      case .emailCode: isVerified(.email)
      case .smsCode: isVerified(.phoneNumber)
      case .webAuthn: false
      }
    }
  }
}
