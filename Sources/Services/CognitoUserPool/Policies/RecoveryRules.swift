internal import TokenSecurityBase

extension UserPool {
  /// The address to which a code for a new password is sent; nil where the user has none that serves.
  ///
  /// Without a setting it is the verified telephone number, else the verified e-mail address. With one it is the
  /// first verified address of the setting that is not a second factor as well: who has it would have both
  /// factors.
  ///
  /// - Parameters:
  ///   - user: the user.
  ///   - byAdministrator: true where an administrator resets the password, whom the setting does not exclude.
  /// - Returns: the address's attribute.
  package func recoveryAttribute(of user: User, byAdministrator: Bool = false) -> VerifiedAttribute? {
    guard let recovery else { return user.firstVerified(of: [.phoneNumber, .email]) }
    let factors = user.secondFactors(in: self)
    var ways: [VerifiedAttribute] = []
    for option in recovery {
      switch option {
      case .verifiedEmail: if !factors.contains(.email) { ways.append(.email) }
      case .verifiedPhone: if !factors.contains(.sms) { ways.append(.phoneNumber) }
      case .administratorOnly: if byAdministrator { ways += [.email, .phoneNumber] }
      }
    }
    return user.firstVerified(of: ways)
  }

  /// True where only administrators reset passwords.
  package var isRecoveredByAdministratorsOnly: Bool { recovery?.contains(.administratorOnly) ?? false }
}

extension User {
  /// The first verified one of some addresses. A closure would copy the user.
  fileprivate func firstVerified(of attributes: [VerifiedAttribute]) -> VerifiedAttribute? {
    for attribute in attributes where isVerified(attribute) { return attribute }
    return nil
  }
}
