internal import Records
internal import TokenSecurityBase

/// A user that was looked up by a typed name, and the row that was read last.
struct FoundUser: Sendable {
  /// False for a name that no user has.
  let isUser: Bool
  /// The user's row, or the neighbour's. Rules that must take as long for all names are applied to it. It shows in no answer.
  let row: User

  /// The user; nil for a name that no user has. A copy, which takes time for users alone.
  var user: User? { isUser ? row : nil }

  /// The user, taken out of this value, so that it need not be copied.
  consuming func taken() -> User? { isUser ? row : nil }
}

/// Users by names that a stranger may have typed.
///
/// All such reads go through here. Whatever the name, the store does the same work: one read by user name, one for
/// each kind of alias, and in pools with aliases one of the alias's owner. Where there is no such row, its neighbour
/// is read and decoded.
extension ReadTransaction<UserPoolError> {
  /// Returns the user that signs in with a name: by user name or alias. In a pool whose users sign in with
  /// addresses the user name is the `sub`, and clients send it back in later calls.
  package func user(typed name: String, in pool: UserPool) throws(UserPoolError) -> User? {
    try found(typed: name, in: pool).taken()
  }

  /// Returns the user as ``user(typed:in:)``, and the row that was read last.
  func found(typed name: String, in pool: UserPool) throws(UserPoolError) -> FoundUser {
    let naming = UserNaming(pool)
    let canonical = naming.canonical(name)
    let named = try nearestRow(canonical, in: pool)
    let kinds = UserNaming.aliases(of: pool)
    guard !kinds.isEmpty else { return FoundUser(named) }
    var (owner, neighbour): (String?, String?)
    for attribute in kinds {
      let key = UserPoolTables.aliasKey(pool.id, attribute, naming.canonical(name, of: attribute))
      let alias = try nearest(
        UserPoolTables.aliases, to: key, in: .prefix(RecordKey(pool.id, attribute)))
      guard let alias else { continue }
      neighbour = alias.row.canonicalName
      if alias.isExact, owner == nil { owner = alias.row.canonicalName }
    }
    let owned = try nearestRow(owner ?? neighbour ?? canonical, in: pool)
    if let named, named.isExact { return FoundUser(named) }
    return FoundUser(owned, isUser: owner != nil)
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
    let found = try nearestFound(user?.canonicalName ?? name, in: pool)
    guard let user, found.isUser, found.row.sub.isIdentical(to: user.sub) else { return nil }
    return found.row
  }

  /// Returns the user with a canonical name, or the neighbour's row.
  func nearestFound(_ canonicalName: String, in pool: UserPool) throws(UserPoolError) -> FoundUser {
    FoundUser(try nearestRow(canonicalName, in: pool))
  }

  private func nearestRow(
    _ canonicalName: String, in pool: UserPool
  ) throws(UserPoolError) -> NearestRow<User>? {
    try nearest(
      UserPoolTables.users, to: UserPoolTables.userKey(pool.id, canonicalName),
      in: .prefix(RecordKey(pool.id)))
  }
}

extension FoundUser {
  /// - Parameters:
  ///   - nearest: the row that was read; nil in a pool without users, and where the neighbour is damaged.
  ///   - isUser: false where even a row of the key is not the user's. Default: true.
  fileprivate init(_ nearest: NearestRow<User>?, isUser: Bool = true) {
    row = nearest?.row ?? User()
    self.isUser = isUser && nearest?.isExact == true
  }

  /// A user who was found in another way.
  init(_ user: User) { self.init(isUser: true, row: user) }
}
