internal import Records
internal import TokenSecurityEncodings

// Who owns which alias. Every change of a user goes through these functions.

extension UserPool {
  /// The aliases that a user has a right to.
  ///
  /// An address in place of a user name serves from the start; another one once it is verified, and a
  /// preferred user name once the user is confirmed.
  func aliases(of user: User) -> [ExactString: String] {
    var aliases: [ExactString: String] = [:]
    for attribute in usernameAttributes {
      aliases[attribute.rawValue] = user.attribute(attribute.rawValue.text)
    }
    for attribute in aliasAttributes {
      let isOwned =
        switch attribute {
        case .email: user.isVerified(.email)
        case .phoneNumber: user.isVerified(.phoneNumber)
        case .preferredUsername: user.status != .unconfirmed
        }
      if isOwned { aliases[attribute.rawValue] = user.attribute(attribute.rawValue.text) }
    }
    let naming = UserNaming(self)
    var canonical: [ExactString: String] = [:]
    for (name, value) in aliases { canonical[name] = naming.canonical(value, of: name.text) }
    return canonical
  }
}

extension WriteTransaction<UserPoolError> {
  /// Adds a user with the aliases.
  ///
  /// - Parameters:
  ///   - user: the user, with `canonicalName` and `sub`.
  ///   - pool: the pool.
  ///   - takesAliases: true to take verified addresses from other users, which lose their verification.
  /// - Throws: `userExists`, `addressTaken`, `aliasExists`.
  package func add(_ user: User, to pool: UserPool, takesAliases: Bool = false) throws(UserPoolError) {
    guard try self.user(canonicalName: user.canonicalName, in: pool) == nil,
      try owner(of: user.canonicalName, AliasAttribute.preferredUsername.rawValue.text, in: pool) == nil
    else { throw .userExists }
    if let attribute = try takenAddress(of: user, in: pool) { throw .addressTaken(attribute: attribute) }
    try put(user)
    try setAliases(of: user, before: [:], in: pool, takesAliases: takesAliases)
  }

  /// Replaces a user, and moves the aliases.
  ///
  /// - Parameters:
  ///   - user: the changed user. Name and `sub` are those of the user before.
  ///   - before: the user as it was read in this transaction.
  ///   - pool: the pool.
  ///   - takesAliases: true to take verified addresses from other users, which lose their verification.
  /// - Throws: `aliasExists`.
  package func change(
    _ user: User, before: User, in pool: UserPool, takesAliases: Bool = false
  ) throws(UserPoolError) {
    try put(user)
    try setAliases(of: user, before: pool.aliases(of: before), in: pool, takesAliases: takesAliases)
  }

  /// The address of a new user that another user signs in with; nil where there is none.
  private func takenAddress(of user: User, in pool: UserPool) throws(UserPoolError) -> String? {
    guard !pool.usernameAttributes.isEmpty else { return nil }
    for (name, value) in pool.aliases(of: user).sorted(by: { $0.key < $1.key }) {
      if try owner(of: value, name.text, in: pool) != nil { return name.text }
    }
    return nil
  }

  private func setAliases(
    of user: User, before: [ExactString: String], in pool: UserPool, takesAliases: Bool
  ) throws(UserPoolError) {
    let after = pool.aliases(of: user)
    for (name, value) in before where after[name] != value {
      try removeAlias(name.text, value, of: user)
    }
    for (name, value) in after.sorted(by: { $0.key < $1.key }) where before[name] != value {
      try takeAlias(name.text, value, for: user, in: pool, isForced: takesAliases)
    }
  }

  private func takeAlias(
    _ attribute: String, _ value: String, for user: User, in pool: UserPool, isForced: Bool
  ) throws(UserPoolError) {
    let address = VerifiedAttribute(name: attribute)
    if address == nil, let named = try self.user(canonicalName: value, in: pool), named.sub != user.sub {
      throw .aliasExists(attribute: attribute)
    }
    if var other = try owner(of: value, attribute, in: pool), other.sub != user.sub {
      // Users who sign in with nothing but an address keep it.
      guard isForced, let address, pool.usernameAttributes.isEmpty else {
        throw .aliasExists(attribute: attribute)
      }
      other.attributes[ExactString(address.flag)] = "false"
      other.modified = now.wholeSecond
      try put(other)
    }
    _ = try setAlias(attribute, value, of: user)
  }
}

extension ReadTransaction<UserPoolError> {
  /// The first alias that a user would get and another user owns; nil where there is none.
  ///
  /// - Parameters:
  ///   - user: the user after a change.
  ///   - pool: the pool.
  /// - Returns: the alias's attribute.
  /// - Throws: `storeFailed`.
  package func foreignAlias(of user: User, in pool: UserPool) throws(UserPoolError) -> String? {
    for (name, value) in pool.aliases(of: user).sorted(by: { $0.key < $1.key }) {
      if let owner = try owner(of: value, name.text, in: pool), owner.sub != user.sub { return name.text }
    }
    return nil
  }
}
