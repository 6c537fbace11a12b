internal import Records
internal import TokenSecurityEncodings

extension WriteTransaction<UserPoolError> {
  /// The most sign-ins that are removed with a user. Others end with the user, and expire.
  private static let mostSignIns = 1_000

  /// Removes a user with aliases, memberships, devices, sign-ins and codes.
  ///
  /// - Parameter user: the user.
  /// - Throws: `storeFailed`.
  package func remove(_ user: User) throws(UserPoolError) {
    let aliases = try keys(
      of: UserPoolTables.aliases, by: UserPoolTables.aliasOfUser,
      .only(UserPoolTables.userKey(user.poolID, user.canonicalName)), limit: 100)
    for key in aliases { try delete(key, from: UserPoolTables.aliases) }
    let rest = KeyRange.prefix(RecordKey(user.poolID, user.sub))
    let memberships = try keys(
      of: UserPoolTables.memberships, by: UserPoolTables.membershipOfUser, rest, limit: 1_000)
    for key in memberships { try delete(key, from: UserPoolTables.memberships) }
    let signIns = try keys(
      of: UserPoolTables.signIns, by: UserPoolTables.signInOfUser, rest, limit: Self.mostSignIns)
    for key in signIns { try delete(key, from: UserPoolTables.signIns) }
    try delete(rest, from: UserPoolTables.devices)
    try delete(rest, from: UserPoolTables.codes)
    try delete(rest, from: UserPoolTables.pendingSignIns)
    try delete(UserPoolTables.userKey(user.poolID, user.canonicalName), from: UserPoolTables.users)
  }
}
