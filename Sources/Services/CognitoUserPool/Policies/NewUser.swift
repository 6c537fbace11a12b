internal import Records
package import TokenLifetime
package import TokenSecurityBase

extension User {
  /// A new user, who is unconfirmed and enabled, with a random `sub`.
  ///
  /// - Parameters:
  ///   - name: the checked name. A user with an address instead is named by `sub`.
  ///   - attributes: the checked attributes, the address among them.
  ///   - pool: the pool.
  ///   - time: when the user is made.
  /// - Throws: `cryptoFailed`.
  package init(
    _ name: UserNameRules.NewName, attributes: [ExactString: String], in pool: UserPool, at time: Timestamp
  ) throws(UserPoolError) {
    self.init()
    poolID = pool.id
    sub = try UUIDText.new()
    switch name {
    case .name(let name): self.name = name
    case .address: self.name = sub
    }
    canonicalName = UserNaming(pool).canonical(self.name)
    created = time.wholeSecond
    modified = created
    self.attributes = attributes
  }
}

extension UserNameRules.NewName {
  /// The address instead of a name; nil for a name.
  package var address: (attribute: UsernameAttribute, value: String)? {
    guard case .address(let attribute, let value) = self else { return nil }
    return (attribute, value)
  }
}

extension ReadTransaction<UserPoolError> {
  /// Checks that no user has the name, or the address instead of it, of a new one, and that no name is another
  /// user's `sub`.
  ///
  /// - Parameters:
  ///   - user: the new user.
  ///   - pool: the pool.
  /// - Throws: `userExists`, `addressTaken`, `userNameRefused`; `storeFailed` where the random `sub` is a name that
  ///   a user has, so that the call can be repeated.
  package func checkIsNew(_ user: User, in pool: UserPool) throws(UserPoolError) {
    let alias = AliasAttribute.preferredUsername.name
    guard try self.user(canonicalName: user.canonicalName, in: pool) == nil,
      try owner(of: user.canonicalName, alias, in: pool) == nil
    else { throw .userExists }
    if try self.user(sub: user.canonicalName, in: pool) != nil {
      throw .userNameRefused(rule: "Username cannot be the sub of another user.")
    }
    guard try self.user(named: user.sub, in: pool) == nil else {
      throw .storeFailed("the new user's sub is a name already")
    }
    guard !pool.usernameAttributes.isEmpty else { return }
    if let other = try otherOwner(of: user.aliases(in: pool), than: user, in: pool) {
      throw .addressTaken(attribute: other.alias.attribute)
    }
  }
}

extension WriteTransaction<UserPoolError> {
  /// Adds a user with the aliases.
  ///
  /// - Parameters:
  ///   - user: the user.
  ///   - pool: the pool.
  ///   - forcing: true to take verified addresses from other users, which lose their verification.
  /// - Throws: `poolUnknown` where the pool was deleted meanwhile, `userExists`, `addressTaken`, `aliasExists`.
  package func add(_ user: User, to pool: UserPool, forcing: Bool = false) throws(UserPoolError) {
    _ = try existingPool(pool.id)
    try checkIsNew(user, in: pool)
    try store(user, replacing: nil, in: pool, forcing: forcing)
  }
}
