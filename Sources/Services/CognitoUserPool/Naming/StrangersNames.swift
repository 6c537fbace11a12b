internal import Records
internal import TokenSecurityBase

/// Users by names that a stranger may have typed.
///
/// All such reads go through here. Whatever the name, the store does the same work: one read by user name, one for
/// each kind of alias, and in pools with aliases one of the alias's owner. Where there is no such row, its neighbour
/// is read and decoded.
extension ReadTransaction<UserPoolError> {
  /// Returns the user that signs in with a name: by user name or alias. In a pool whose users sign in with
  /// addresses the user name is the `sub`, and clients send it back in later calls.
  package func user(typed name: String, in pool: UserPool) throws(UserPoolError) -> User? {
    let naming = UserNaming(pool)
    let canonical = naming.canonical(name)
    let named = try nearestUser(canonical, in: pool)
    let kinds = UserNaming.aliases(of: pool)
    guard !kinds.isEmpty else { return named }
    var (owner, neighbour): (String?, String?)
    for attribute in kinds {
      let key = UserPoolTables.aliasKey(pool.id, attribute, naming.canonical(name, of: attribute))
      let alias = try nearest(
        UserPoolTables.aliases, to: key, in: .prefix(RecordKey(pool.id, attribute)))
      guard let alias else { continue }
      neighbour = alias.row.canonicalName
      if alias.isExact, owner == nil { owner = alias.row.canonicalName }
    }
    let owned = try nearestUser(owner ?? neighbour ?? canonical, in: pool)
    if let named { return named }
    return owner == nil ? nil : owned
  }

  /// Returns a user as this transaction sees it, with the same work for a name that no user has.
  ///
  /// - Parameters:
  ///   - user: the user as an earlier transaction has found it; nil for an unknown name.
  ///   - name: the canonical name of the call, with which a neighbour is found.
  ///   - pool: the pool.
  /// - Returns: the user; nil where there was none, and for one who was deleted since.
  /// - Throws: `storeFailed`.
  func again(_ user: User?, named name: String, in pool: UserPool) throws(UserPoolError) -> User? {
    let found = try nearestUser(user?.canonicalName ?? name, in: pool)
    guard let user, let found, found.sub.isIdentical(to: user.sub) else { return nil }
    return found
  }

  /// Returns the user with a canonical name; without one the same work is done for a neighbour.
  func nearestUser(
    _ canonicalName: String, in pool: UserPool
  ) throws(UserPoolError) -> User? {
    let found = try nearest(
      UserPoolTables.users, to: UserPoolTables.userKey(pool.id, canonicalName),
      in: .prefix(RecordKey(pool.id)))
    return found.flatMap { $0.isExact ? $0.row : nil }
  }
}
