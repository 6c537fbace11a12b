internal import CognitoIdentity
internal import TokenSecurityEncodings
internal import Synchronization

/// Rows that were read since the file was last changed, by any process.
///
/// Every look at the store begins with the count of its changes (``ChangeCounter``): where it has moved on, all cached rows are
/// dropped. So what is read here is what a transaction would read.
///
/// Only rows that are there are cached, under their names' bytes, and all of them within ``capacity`` bytes: names that
/// callers make up are looked up in the file each time and leave nothing behind.
final class RowCache: Sendable {
  private let state = Mutex(Held(version: -1))
  /// The most bytes that cached rows may take.
  static let capacity = 64 << 20

  struct Held: Sendable {
    var version: Int64
    private(set) var bytes = 0
    private(set) var pools: [ExactString: IdentityPool] = [:]
    private(set) var identities: [ExactString: Identity] = [:]
    private(set) var logins: [LoginName: LinkedLogin] = [:]
    private(set) var loginsOf: [ExactString: [LinkedLogin]] = [:]
    private(set) var roles: [ExactString: StoredRole] = [:]
    private(set) var providers: [ExactString: LoginProviderSettings] = [:]
    private(set) var accessKeys: [ExactString: StoredAccessKey] = [:]

    init(version: Int64) { self.version = version }

    mutating func add(_ row: CachedRow) {
      let weight = row.weight
      guard weight <= RowCache.capacity else { return }
      if bytes > RowCache.capacity - weight { self = Held(version: version) }
      let isNew =
        switch row {
        case .pool(let row): pools.updateValue(row, forKey: ExactString(row.id)) == nil
        case .identity(let row): identities.updateValue(row, forKey: ExactString(row.id)) == nil
        case .login(let row): logins.updateValue(row, forKey: LoginName(row)) == nil
        case .logins(let id, let rows): loginsOf.updateValue(rows, forKey: ExactString(id)) == nil
        case .role(let row): roles.updateValue(row, forKey: ExactString(row.arn)) == nil
        case .provider(let row): providers.updateValue(row, forKey: ExactString(row.name)) == nil
        case .accessKey(let row): accessKeys.updateValue(row, forKey: ExactString(row.id)) == nil
        }
      // A row of the same version is the same row.
      if isNew { bytes += weight }
    }
  }

  struct LoginName: Sendable, Hashable {
    let pool: ExactString
    let kind: LinkedLogin.Kind
    let provider: ExactString
    let user: ExactString

    init(pool: String, kind: LinkedLogin.Kind, provider: String, user: String) {
      self.pool = ExactString(pool)
      self.kind = kind
      self.provider = ExactString(provider)
      self.user = ExactString(user)
    }

    init(_ login: LinkedLogin) {
      self.init(pool: login.poolID, kind: login.kind, provider: login.provider, user: login.user)
    }
  }

  /// The bytes that all cached rows take, as ``CachedRow/weight`` counts them.
  var bytes: Int { state.withLock { $0.bytes } }

  /// What is cached of a version: nil where it is not cached, or another version is.
  func look<T>(_ version: Int64, _ find: (Held) -> T?) -> T? {
    state.withLock { $0.version == version ? find($0) : nil }
  }

  /// Caches what was read at a version.
  func hold(_ version: Int64, _ rows: [CachedRow]) {
    guard !rows.isEmpty else { return }
    state.withLock { state in
      if state.version != version { state = Held(version: version) }
      for row in rows { state.add(row) }
    }
  }
}
