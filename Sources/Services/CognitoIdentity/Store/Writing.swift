internal import Records
internal import TokenLifetime

/// Changes of identity pools' tables.
///
/// Every `put` adds a value or replaces the one with its key. It calls the value's `check()`, which
/// checks that a store can read the value back unchanged, and throws its errors: with `status` 400, they name the violated
/// rule. Every call throws `storeFailed` where the store cannot be written.
extension WriteTransaction<IdentityError> {
  /// Adds or replaces a pool.
  public func put(_ pool: IdentityPool) throws(IdentityError) {
    try pool.check()
    // Rows of an earlier pool with this id are not the new one's.
    if try isRemoving(pool.id) { try removeRest(ofPool: pool.id) }
    try put(pool, in: IdentityTables.pools)
  }

  /// Adds or replaces an identity.
  public func put(_ identity: Identity) throws(IdentityError) {
    try identity.check()
    try put(identity, in: IdentityTables.identities)
  }

  /// Removes an identity with its logins, even those that cannot be read.
  public func remove(_ identity: Identity) throws(IdentityError) {
    let logins = try keys(
      of: IdentityTables.logins, by: IdentityTables.loginOfIdentity, .prefix(RecordKey(identity.id)),
      limit: 1_000)
    for key in logins { try delete(key, from: IdentityTables.logins) }
    try delete(
      IdentityTables.identityKey(identity.id, inPool: identity.poolID), from: IdentityTables.identities)
  }

  /// Adds or replaces a login. A new login comes after the identity's others.
  public func put(_ login: LinkedLogin) throws(IdentityError) {
    try login.check()
    let key = try IdentityTables.loginKey(
      inPool: login.poolID, kind: login.kind, provider: login.provider, user: login.user)
    var order = try get(IdentityTables.logins, key)?.order
    if order == nil {
      let last = try scan(
        IdentityTables.logins, by: IdentityTables.loginOfIdentity, .prefix(RecordKey(login.identityID)),
        limit: 1, isDescending: true)
      let previous = last.first?.order ?? 0
      order = max(now.microseconds, previous == .max ? previous : previous + 1)
    }
    try put(StoredLogin(login: login, order: order ?? 0), in: IdentityTables.logins)
  }

  /// Removes a login.
  public func removeLogin(
    inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String
  ) throws(IdentityError) {
    let key = try IdentityTables.loginKey(inPool: poolID, kind: kind, provider: provider, user: user)
    try delete(key, from: IdentityTables.logins)
  }

  /// Adds or replaces a role.
  public func put(_ role: StoredRole) throws(IdentityError) {
    try role.check()
    try put(role, in: IdentityTables.roles)
  }

  /// Removes a role.
  public func removeRole(_ arn: String) throws(IdentityError) {
    try delete(IdentityTables.roleKey(arn), from: IdentityTables.roles)
  }

  /// Adds or replaces a login provider's settings.
  public func put(_ provider: LoginProviderSettings) throws(IdentityError) {
    try provider.check()
    try put(provider, in: IdentityTables.loginProviders)
  }

  /// Removes a login provider's settings.
  public func removeLoginProvider(_ name: String) throws(IdentityError) {
    try delete(RecordKey(name), from: IdentityTables.loginProviders)
  }

  /// Adds or replaces a signing key.
  public func put(_ key: StoredSigningKey) throws(IdentityError) {
    try key.check()
    try put(key, in: IdentityTables.signingKeys)
  }

  /// Removes a signing key.
  public func removeSigningKey(_ keyID: String) throws(IdentityError) {
    try delete(RecordKey(keyID), from: IdentityTables.signingKeys)
  }

  /// Adds or replaces an access key.
  public func put(_ key: StoredAccessKey) throws(IdentityError) {
    try key.check()
    try put(key, in: IdentityTables.accessKeys)
  }

  /// Removes an access key.
  public func removeAccessKey(_ id: String) throws(IdentityError) {
    try delete(RecordKey(id), from: IdentityTables.accessKeys)
  }
}
