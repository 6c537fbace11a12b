public import Records

/// Reads of identity pools' tables. Names are compared by their bytes.
///
/// Every call throws `storeFailed` where the store cannot be read, and for a row that cannot be read. Lists
/// leave such rows out; the store reports them.
extension ReadTransaction<IdentityError> {
  /// Returns a pool; nil if not found.
  public func pool(_ id: String) throws(IdentityError) -> IdentityPool? {
    try get(IdentityTables.pools, RecordKey(id))
  }

  /// Returns true where a pool exists, even one that cannot be read.
  public func hasPool(_ id: String) throws(IdentityError) -> Bool {
    try contains(IdentityTables.pools, RecordKey(id))
  }

  /// Returns the number of pools, those that cannot be read included.
  ///
  /// - Parameter limit: where counting stops.
  /// - Returns: the number, at most `limit`.
  /// - Throws: `storeFailed`.
  public func poolCount(limit: Int = 1_000_000) throws(IdentityError) -> Int {
    try count(IdentityTables.pools, limit: limit)
  }

  /// Returns pools, ordered by id.
  ///
  /// - Parameters:
  ///   - id: the id after which the list begins; nil for its start.
  ///   - limit: the most pools.
  /// - Returns: the pools.
  /// - Throws: `storeFailed`.
  public func pools(after id: String?, limit: Int) throws(IdentityError) -> [IdentityPool] {
    try scan(IdentityTables.pools, KeyRange.all.after(id.map { RecordKey($0) }), limit: limit)
  }

  /// Returns an identity, unless its pool was removed; nil if not found.
  public func identity(_ id: String) throws(IdentityError) -> Identity? {
    guard let identity = try storedIdentity(id), try hasPool(identity.poolID) else { return nil }
    return identity
  }

  /// Returns an identity, also one whose pool was removed a moment ago: the caller reads the pool too.
  func storedIdentity(_ id: String) throws(IdentityError) -> Identity? {
    try get(IdentityTables.identities, by: IdentityTables.identityByID, RecordKey(id))
  }

  /// Returns an identity of a pool, which must exist; nil if the pool does not have it.
  public func identity(_ id: String, inPool poolID: String) throws(IdentityError) -> Identity? {
    try get(IdentityTables.identities, IdentityTables.identityKey(id, inPool: poolID))
  }

  /// Returns identities of a pool, ordered by id.
  ///
  /// - Parameters:
  ///   - poolID: the pool's id.
  ///   - id: the id after which the list begins; nil for its start.
  ///   - limit: the most identities.
  ///   - includingMerged: false to leave out identities that were merged into others.
  /// - Returns: the identities.
  /// - Throws: `storeFailed`.
  public func identities(
    inPool poolID: String, after id: String?, limit: Int, includingMerged: Bool
  ) throws(IdentityError) -> [Identity] {
    let pool = KeyRange.prefix(RecordKey(poolID))
    var (found, last) = ([Identity](), id)
    while found.count < limit {
      let missing = limit - found.count
      let next = try scan(
        IdentityTables.identities,
        pool.after(last.map { IdentityTables.identityKey($0, inPool: poolID) }), limit: missing)
      found += includingMerged ? next : next.filter { $0.mergedInto == nil }
      guard next.count == missing else { break }
      last = next.last?.id
    }
    return found
  }

  /// Returns a login; nil if not found.
  public func login(
    inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String
  ) throws(IdentityError) -> LinkedLogin? {
    let key = try IdentityTables.loginKey(inPool: poolID, kind: kind, provider: provider, user: user)
    return try get(IdentityTables.logins, key)?.login
  }

  /// Returns an identity's logins in the order of linking.
  public func logins(of identityID: String) throws(IdentityError) -> [LinkedLogin] {
    try scan(
      IdentityTables.logins, by: IdentityTables.loginOfIdentity, .prefix(RecordKey(identityID)),
      limit: LinkedLogin.limit * 2
    ).map(\.login)
  }
}

/// Reads of roles, login providers and keys.
extension ReadTransaction<IdentityError> {
  /// Returns a role; nil if not found.
  public func role(_ arn: String) throws(IdentityError) -> StoredRole? {
    try get(IdentityTables.roles, IdentityTables.roleKey(arn))
  }

  /// Returns all roles, ordered by ARN.
  public func roles() throws(IdentityError) -> [StoredRole] {
    // Keys of long ARNs have another order.
    try scan(IdentityTables.roles, limit: IdentityTables.listLimit).sorted { $0.arn < $1.arn }
  }

  /// Returns a login provider's settings; nil if not found.
  public func loginProvider(_ name: String) throws(IdentityError) -> LoginProviderSettings? {
    try get(IdentityTables.loginProviders, RecordKey(name))
  }

  /// Returns all login providers' settings, ordered by name.
  public func loginProviders() throws(IdentityError) -> [LoginProviderSettings] {
    try scan(IdentityTables.loginProviders, limit: IdentityTables.listLimit)
  }

  /// Returns all signing keys in signing order.
  public func signingKeys() throws(IdentityError) -> [StoredSigningKey] {
    try scan(IdentityTables.signingKeys, limit: IdentityTables.listLimit).sorted {
      $0.signsFrom == $1.signsFrom ? $0.keyID < $1.keyID : $0.signsFrom < $1.signsFrom
    }
  }

  /// Returns true where a signing key is published: it was neither revoked nor removed.
  public func hasSigningKey(_ keyID: String) throws(IdentityError) -> Bool {
    try contains(IdentityTables.signingKeys, RecordKey(keyID))
  }

  /// Returns an access key; nil if not found.
  public func accessKey(_ id: String) throws(IdentityError) -> StoredAccessKey? {
    try get(IdentityTables.accessKeys, RecordKey(id))
  }

  /// Returns true where an access key exists, even one that cannot be read.
  public func hasAccessKey(_ id: String) throws(IdentityError) -> Bool {
    try contains(IdentityTables.accessKeys, RecordKey(id))
  }

  /// Returns all access keys, ordered by id.
  public func accessKeys() throws(IdentityError) -> [StoredAccessKey] {
    try scan(IdentityTables.accessKeys, limit: IdentityTables.listLimit)
  }
}

extension IdentityTables {
  /// Maximum number of rows of lists that have no pages.
  static let listLimit = 100_000
}
