internal import Records
internal import TokenSecurityBase

/// An address or name with which a user signs in besides the user name.
package struct OwnedAlias: Sendable, Hashable {
  /// `email`, `phone_number` or `preferred_username`.
  package let attribute: String
  /// The value as it is looked up.
  package let value: String
}

extension User {
  /// The aliases of this user: addresses once they are verified, and the preferred user name once the user is
  /// confirmed. An address instead of the user name need not be verified.
  ///
  /// - Parameter pool: the user's pool.
  /// - Returns: the aliases.
  package func aliases(in pool: UserPool) -> [OwnedAlias] {
    let naming = UserNaming(pool)
    return UserNaming.aliases(of: pool).compactMap { attribute in
      guard let value = self.attribute(attribute) else { return nil }
      if pool.usernameAttributes.isEmpty {
        let address = VerifiedAttribute(name: attribute)
        guard address.map(isVerified) ?? (status != .unconfirmed) else { return nil }
      }
      return OwnedAlias(attribute: attribute, value: naming.canonical(value, of: attribute))
    }
  }
}

extension ReadTransaction<UserPoolError> {
  /// Returns another user that has a text as user name or as `sub`: administrators name users by both. Nil if none
  /// exists.
  func otherUser(
    named canonicalName: String, than user: User, in pool: UserPool
  ) throws(UserPoolError) -> User? {
    for found in [
      try self.user(canonicalName: canonicalName, in: pool), try self.user(sub: canonicalName, in: pool),
    ] {
      if let found, found.sub != user.sub { return found }
    }
    return nil
  }

  /// Returns the other user that owns one of a user's aliases, or has it as user name or `sub`, and the alias; nil
  /// if none exists.
  package func otherOwner(
    of aliases: [OwnedAlias], than user: User, in pool: UserPool
  ) throws(UserPoolError) -> (owner: User, alias: OwnedAlias)? {
    for alias in aliases {
      if let owner = try owner(of: alias.value, alias.attribute, in: pool), owner.sub != user.sub {
        return (owner, alias)
      }
      // Addresses are never user names.
      if alias.attribute == AliasAttribute.preferredUsername.name,
        let named = try otherUser(named: alias.value, than: user, in: pool)
      {
        return (named, alias)
      }
    }
    return nil
  }
}

extension WriteTransaction<UserPoolError> {
  /// Stores a user, and makes the user the owner of the aliases that it has now. An alias has one owner.
  ///
  /// - Parameters:
  ///   - user: the user.
  ///   - before: the user as it is stored; nil for a new one.
  ///   - pool: the user's pool.
  ///   - forcing: true where another owner loses an address, which is not verified any more. Default: no.
  /// - Throws: `aliasExists` where another user owns an alias, `storeFailed`.
  package func store(
    _ user: User, replacing before: User?, in pool: UserPool, forcing: Bool = false
  ) throws(UserPoolError) {
    let old = before?.aliases(in: pool) ?? []
    let new = user.aliases(in: pool)
    for alias in old where !new.contains(alias) {
      try removeAlias(alias.attribute, alias.value, of: user)
    }
    for alias in new where !old.contains(alias) {
      let address = VerifiedAttribute(name: alias.attribute)
      // A preferred user name is never another user's name or `sub`.
      if address == nil, try otherUser(named: alias.value, than: user, in: pool) != nil {
        throw .aliasExists(attribute: alias.attribute)
      }
      if let other = try otherOwner(of: [alias], than: user, in: pool) {
        // Users who sign in with nothing but an address keep it.
        guard forcing, let address, pool.usernameAttributes.isEmpty else {
          throw .aliasExists(attribute: alias.attribute)
        }
        var owner = other.owner
        owner.attributes[ExactString(address.flag)] = "false"
        owner.modified = now.wholeSecond
        try put(owner)
      }
      try setAlias(alias.attribute, alias.value, of: user)
    }
    try put(user)
  }

  /// Changes a user, with the time of the change and the owners of aliases.
  ///
  /// - Parameters:
  ///   - sub: the user's `sub`.
  ///   - pool: the user's pool.
  ///   - body: changes the user.
  /// - Throws: `userUnknown`, `aliasExists`, `storeFailed`, the errors of `body`.
  func changeUser(
    sub: String, in pool: UserPool, _ body: (inout User) throws(UserPoolError) -> Void
  ) throws(UserPoolError) {
    let before = try existingUser(sub: sub, in: pool)
    var user = before
    try body(&user)
    user.modified = now.wholeSecond
    try store(user, replacing: before, in: pool)
  }
}
