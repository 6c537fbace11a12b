internal import CognitoIdentity
internal import TokenSecurityEncodings

/// Reads from the cache, and records whether a row was missing. The transaction is then repeated on the file.
final class CachedRows: IdentityReading {
  private let cache: RowCache
  private let version: Int64
  /// True once a requested row was not cached. The transaction's result is then invalid.
  private(set) var isIncomplete = false

  init(_ cache: RowCache, _ version: Int64) {
    self.cache = cache
    self.version = version
  }

  private func look<T>(_ nothing: T, _ find: (RowCache.Contents) -> T?) -> T {
    if let found = cache.find(version, find) { return found }
    isIncomplete = true
    return nothing
  }

  func pool(_ id: String) -> IdentityPool? { look(nil) { $0.pools[ExactString(id)] } }
  func hasPool(_ id: String) -> Bool { look(false) { $0.pools[ExactString(id)].map { _ in true } } }
  func identity(_ id: String) -> Identity? { look(nil) { $0.identities[ExactString(id)] } }
  func login(
    inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String
  ) -> LinkedLogin? {
    let name = LinkedLogin.Key(pool: poolID, kind: kind, provider: provider, user: user)
    return look(nil) { $0.logins[name] }
  }
  func logins(of identityID: String) -> [LinkedLogin] { look([]) { $0.loginsOf[ExactString(identityID)] } }
  func role(_ arn: String) -> StoredRole? { look(nil) { $0.roles[ExactString(arn)] } }
  func loginProvider(_ name: String) -> LoginProviderSettings? {
    look(nil) { $0.providers[ExactString(name)] }
  }
  func accessKey(_ id: String) -> StoredAccessKey? { look(nil) { $0.accessKeys[ExactString(id)] } }

  // Counts and lists are rare and are read from the file.
  func poolCount() -> Int { look(0) { _ in nil } }
  func pools(after id: String?, limit: Int) -> [IdentityPool] { look([]) { _ in nil } }
  func identities(inPool poolID: String, after id: String?, limit: Int, includingMerged: Bool) -> [Identity] {
    look([]) { _ in nil }
  }
  func roles() -> [StoredRole] { look([]) { _ in nil } }
  func loginProviders() -> [LoginProviderSettings] { look([]) { _ in nil } }
  func signingKeys() -> [StoredSigningKey] { look([]) { _ in nil } }
  func accessKeys() -> [StoredAccessKey] { look([]) { _ in nil } }
}

/// Reads from the file, and records the rows for the cache.
final class RecordingRows: IdentityReading {
  private let rows: Rows
  private(set) var recorded: [CachedRow] = []

  init(_ rows: Rows) { self.rows = rows }

  private func record<T>(_ value: T?, _ row: (T) -> CachedRow) -> T? {
    if let value { recorded.append(row(value)) }
    return value
  }

  func pool(_ id: String) throws(IdentityError) -> IdentityPool? {
    record(try rows.pool(id), CachedRow.pool)
  }

  func identity(_ id: String) throws(IdentityError) -> Identity? {
    record(try rows.identity(id), CachedRow.identity)
  }

  func login(
    inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String
  ) throws(IdentityError) -> LinkedLogin? {
    record(try rows.login(inPool: poolID, kind: kind, provider: provider, user: user), CachedRow.login)
  }

  func logins(of identityID: String) throws(IdentityError) -> [LinkedLogin] {
    let found = try rows.logins(of: identityID)
    if !found.isEmpty { recorded.append(.logins(identityID, found)) }
    return found
  }

  func role(_ arn: String) throws(IdentityError) -> StoredRole? {
    record(try rows.role(arn), CachedRow.role)
  }

  func loginProvider(_ name: String) throws(IdentityError) -> LoginProviderSettings? {
    record(try rows.loginProvider(name), CachedRow.provider)
  }

  func accessKey(_ id: String) throws(IdentityError) -> StoredAccessKey? {
    record(try rows.accessKey(id), CachedRow.accessKey)
  }

  func hasPool(_ id: String) throws(IdentityError) -> Bool { try rows.hasPool(id) }
  func poolCount() throws(IdentityError) -> Int { try rows.poolCount() }
  func pools(after id: String?, limit: Int) throws(IdentityError) -> [IdentityPool] {
    try rows.pools(after: id, limit: limit)
  }
  func identities(inPool poolID: String, after id: String?, limit: Int, includingMerged: Bool)
    throws(IdentityError) -> [Identity]
  {
    try rows.identities(inPool: poolID, after: id, limit: limit, includingMerged: includingMerged)
  }
  func roles() throws(IdentityError) -> [StoredRole] { try rows.roles() }
  func loginProviders() throws(IdentityError) -> [LoginProviderSettings] { try rows.loginProviders() }
  func signingKeys() throws(IdentityError) -> [StoredSigningKey] { try rows.signingKeys() }
  func accessKeys() throws(IdentityError) -> [StoredAccessKey] { try rows.accessKeys() }
}
