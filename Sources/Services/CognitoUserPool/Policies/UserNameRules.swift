internal import ServiceOperations
internal import TokenSecurityBase

/// The rules for names of new users.
package struct UserNameRules: Sendable {
  private let pool: UserPool

  /// The rules of a pool.
  ///
  /// - Parameter pool: the pool.
  package init(_ pool: UserPool) { self.pool = pool }

  /// The name by which a new user signs in.
  package enum NewName: Sendable, Hashable {
    /// A user name.
    case name(String)
    /// An address, which becomes an attribute; the user name is the `sub`.
    case address(UsernameAttribute, String)
  }

  /// Checks the name of a new user.
  ///
  /// - Parameter name: the name as it was given.
  /// - Returns: the name, or the address that replaces it.
  /// - Throws: `userNameRefused`.
  package func checkedNew(_ name: String) throws(UserPoolError) -> NewName {
    try checkBounds(name)
    guard pool.usernameAttributes.isEmpty else {
      for attribute in pool.usernameAttributes
      where VerifiedAttribute(rawValue: attribute.rawValue)?.isForm(of: name) ?? false {
        return .address(attribute, name)
      }
      throw .userNameRefused(rule: addressRule)
    }
    try checkForms(of: "Username", name)
    return .name(name)
  }

  /// Checks a preferred user name, with which a user can sign in.
  ///
  /// - Throws: `userNameRefused`.
  func checkAlias(_ name: String) throws(UserPoolError) {
    try checkBounds(name)
    try checkForms(of: "Preferred username", name)
  }

  private func checkBounds(_ name: String) throws(UserPoolError) {
    guard TextBounds.username.allows(name) else {
      throw .userNameRefused(
        rule: "Username should be 1 to 128 letters, marks, symbols, numbers and punctuation characters.")
    }
  }

  /// Checks that a name is not in the form of another user's address.
  private func checkForms(of what: String, _ name: String) throws(UserPoolError) {
    if pool.aliasAttributes.contains(.email), VerifiedAttribute.email.isForm(of: name) {
      throw .userNameRefused(
        rule: "\(what) cannot be of email format, since user pool is configured for email alias.")
    }
    if pool.aliasAttributes.contains(.phoneNumber), VerifiedAttribute.phoneNumber.isForm(of: name) {
      throw .userNameRefused(
        rule:
          "\(what) cannot be of phone number format, since user pool is configured for phone number alias.")
    }
  }

  private var addressRule: String {
    if pool.usernameAttributes.count > 1 { return "Username should be either an email or a phone number." }
    return pool.usernameAttributes.first == .email
      ? "Username should be an email." : "Username should be a phone number."
  }
}
