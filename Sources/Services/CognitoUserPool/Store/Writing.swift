package import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// Changes of user pools' tables.
extension WriteTransaction<UserPoolError> {
  package func put(_ user: User) throws(UserPoolError) { try put(user, in: UserPoolTables.users) }

  /// Uses a value up.
  ///
  /// - Returns: false where it was used before.
  package func use(
    _ value: [UInt8], _ kind: SingleUse, in poolID: String, until end: Timestamp
  ) throws(UserPoolError) -> Bool {
    var row = UsedValue()
    row.poolID = poolID
    row.kind = kind.name
    row.value = value
    // A second more than the value is accepted.
    row.end = end.wholeSecond + .seconds(1)
    return try insert(row, in: UserPoolTables.usedValues)
  }

  /// Makes a user the owner of an alias.
  package func setAlias(
    _ attribute: String, _ value: String, of user: User
  ) throws(UserPoolError) {
    var alias = UserAlias()
    alias.poolID = user.poolID
    alias.attribute = attribute
    alias.value = value
    alias.canonicalName = user.canonicalName
    try put(alias, in: UserPoolTables.aliases)
  }

  /// Removes an alias, if it is this user's.
  package func removeAlias(_ attribute: String, _ value: String, of user: User) throws(UserPoolError) {
    let key = UserPoolTables.aliasKey(user.poolID, attribute, value)
    guard let alias = try get(UserPoolTables.aliases, key), alias.canonicalName == user.canonicalName
    else { return }
    try delete(key, from: UserPoolTables.aliases)
  }
}
