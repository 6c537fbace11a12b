internal import Records
internal import TokenSecurityBase

/// How a pool compares user names and aliases.
package struct UserNaming: Sendable {
  private let folds: Bool

  package init(_ pool: UserPool) { folds = !pool.isCaseSensitive }

  /// A name as it is looked up. Pools that ignore case fold the letters of ASCII; other differences, such as Unicode's normal
  /// forms, make other names.
  package func canonical(_ name: String) -> String { folds ? name.lowercasedASCII : name }

  /// The value of an alias as it is looked up. Phone numbers have no case.
  package func canonical(_ value: String, of attribute: String) -> String {
    attribute == "phone_number" ? value : canonical(value)
  }

  /// The aliases that a name may be: what looks like an address may be one.
  static func aliases(of pool: UserPool) -> [String] {
    pool.usernameAttributes.isEmpty
      ? pool.aliasAttributes.map(\.name) : pool.usernameAttributes.map(\.name)
  }
}

extension ReadTransaction<UserPoolError> {
  /// Returns the user that an administrator names: by user name, alias or `sub`, in this order. Its work shows
  /// which users exist.
  package func user(named name: String, in pool: UserPool) throws(UserPoolError) -> User? {
    if let user = try user(typed: name, in: pool) { return user }
    return try user(sub: name, in: pool)
  }

  /// Returns the user that an administrator names, as ``user(named:in:)``.
  ///
  /// - Throws: `userUnknown`.
  package func existingUser(named name: String, in pool: UserPool) throws(UserPoolError) -> User {
    guard let user = try user(named: name, in: pool) else { throw .userUnknown }
    return user
  }
}
