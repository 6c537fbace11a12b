internal import CognitoIdentity
internal import Synchronization

/// Rows that were read since the file was last changed, by any process.
///
/// Every look at the store begins with the count of its changes (``ChangeWatch``): where it has moved on, all that is
/// held is dropped. So what is read here is what a transaction would read.
final class RowCache: Sendable {
  private let state = Mutex(Held(version: -1))
  /// The most rows that are held.
  private static let capacity = 200_000

  struct Held: Sendable {
    var version: Int64
    var pools: [String: IdentityPool?] = [:]
    var identities: [String: Identity?] = [:]
    var logins: [LoginName: LinkedLogin?] = [:]
    var loginsOf: [String: [LinkedLogin]] = [:]
    var roles: [String: StoredRole?] = [:]
    var providers: [String: LoginProviderSettings?] = [:]
    var accessKeys: [String: StoredAccessKey?] = [:]

    var count: Int {
      pools.count + identities.count + logins.count + loginsOf.count + roles.count + providers.count
        + accessKeys.count
    }
  }

  /// Compared by bytes, as the file does.
  struct LoginName: Sendable, Hashable {
    let pool: String
    let kind: LinkedLogin.Kind
    let provider: String
    let user: [UInt8]
  }

  /// What is held of a version: nil where it is not held, or another version is.
  func look<T>(_ version: Int64, _ find: (Held) -> T?) -> T? {
    state.withLock { $0.version == version ? find($0) : nil }
  }

  /// Holds what was read at a version.
  func hold(_ version: Int64, _ notes: [@Sendable (inout Held) -> Void]) {
    state.withLock { state in
      if state.version != version || state.count >= Self.capacity { state = Held(version: version) }
      for note in notes { note(&state) }
    }
  }
}

/// Reads from what is held. What is not there is noted, and the whole is read again from the file.
final class HeldRows: IdentityReading {
  private let cache: RowCache
  private let version: Int64
  /// True once something was asked for that is not held; what came of the reading then means nothing.
  private(set) var isIncomplete = false

  init(_ cache: RowCache, _ version: Int64) {
    self.cache = cache
    self.version = version
  }

  private func look<T>(_ nothing: T, _ find: (RowCache.Held) -> T?) -> T {
    if let found = cache.look(version, find) { return found }
    isIncomplete = true
    return nothing
  }

  func pool(_ id: String) -> IdentityPool? { look(nil) { $0.pools[id] } }
  func identity(_ id: String) -> Identity? { look(nil) { $0.identities[id] } }
  func login(
    inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String
  ) -> LinkedLogin? {
    let name = RowCache.LoginName(pool: poolID, kind: kind, provider: provider, user: Array(user.utf8))
    return look(nil) { $0.logins[name] }
  }
  func logins(of identityID: String) -> [LinkedLogin] { look([]) { $0.loginsOf[identityID] } }
  func role(_ arn: String) -> StoredRole? { look(nil) { $0.roles[arn] } }
  func loginProvider(_ name: String) -> LoginProviderSettings? { look(nil) { $0.providers[name] } }
  func accessKey(_ id: String) -> StoredAccessKey? { look(nil) { $0.accessKeys[id] } }

  // Lists are for operators and come from the file.
  func pools(after id: String?, limit: Int) -> [IdentityPool] { look([]) { _ in nil } }
  func identities(inPool poolID: String, after id: String?, limit: Int, includingMerged: Bool) -> [Identity] {
    look([]) { _ in nil }
  }
  func roles() -> [StoredRole] { look([]) { _ in nil } }
  func loginProviders() -> [LoginProviderSettings] { look([]) { _ in nil } }
  func signingKeys() -> [StoredSigningKey] { look([]) { _ in nil } }
  func accessKeys() -> [StoredAccessKey] { look([]) { _ in nil } }
}

/// Reads from the file, and notes what it reads.
final class NotingRows: IdentityReading {
  private let rows: Rows
  private(set) var notes: [@Sendable (inout RowCache.Held) -> Void] = []

  init(_ rows: Rows) { self.rows = rows }

  private func note<T>(_ value: T, _ put: @escaping @Sendable (inout RowCache.Held) -> Void) -> T {
    notes.append(put)
    return value
  }

  func pool(_ id: String) throws(IdentityError) -> IdentityPool? {
    let found = try rows.pool(id)
    return note(found) { $0.pools[id] = .some(found) }
  }

  func identity(_ id: String) throws(IdentityError) -> Identity? {
    let found = try rows.identity(id)
    return note(found) { $0.identities[id] = .some(found) }
  }

  func login(
    inPool poolID: String, kind: LinkedLogin.Kind, provider: String, user: String
  ) throws(IdentityError) -> LinkedLogin? {
    let found = try rows.login(inPool: poolID, kind: kind, provider: provider, user: user)
    let name = RowCache.LoginName(pool: poolID, kind: kind, provider: provider, user: Array(user.utf8))
    return note(found) { $0.logins[name] = .some(found) }
  }

  func logins(of identityID: String) throws(IdentityError) -> [LinkedLogin] {
    let found = try rows.logins(of: identityID)
    return note(found) { $0.loginsOf[identityID] = found }
  }

  func role(_ arn: String) throws(IdentityError) -> StoredRole? {
    let found = try rows.role(arn)
    return note(found) { $0.roles[arn] = .some(found) }
  }

  func loginProvider(_ name: String) throws(IdentityError) -> LoginProviderSettings? {
    let found = try rows.loginProvider(name)
    return note(found) { $0.providers[name] = .some(found) }
  }

  func accessKey(_ id: String) throws(IdentityError) -> StoredAccessKey? {
    let found = try rows.accessKey(id)
    return note(found) { $0.accessKeys[id] = .some(found) }
  }

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
