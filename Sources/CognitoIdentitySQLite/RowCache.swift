internal import CognitoIdentity
internal import TokenSecurityEncodings
internal import Synchronization

/// Rows that were read since the last change of the file by any process.
///
/// Every read begins with the change count (``ChangeCounter``). A new count empties the cache, so that the
/// cache never returns outdated rows.
///
/// Only existing rows are cached, within ``capacity`` bytes: callers cannot fill the cache with unknown
/// names.
final class RowCache: Sendable {
  private let state = Mutex(Contents(version: nil))
  /// The most bytes of cached rows.
  static let capacity = 64 << 20

  struct Contents: Sendable {
    /// The change count at which the rows were read.
    var version: Int64?
    private(set) var bytes = 0
    private(set) var pools: [ExactString: IdentityPool] = [:]
    private(set) var identities: [ExactString: Identity] = [:]
    private(set) var logins: [LinkedLogin.Key: LinkedLogin] = [:]
    private(set) var loginsOf: [ExactString: [LinkedLogin]] = [:]
    private(set) var roles: [ExactString: StoredRole] = [:]
    private(set) var providers: [ExactString: LoginProviderSettings] = [:]
    private(set) var accessKeys: [ExactString: StoredAccessKey] = [:]

    init(version: Int64?) { self.version = version }

    mutating func add(_ row: CachedRow) {
      let weight = row.weight
      guard weight <= RowCache.capacity else { return }
      if bytes > RowCache.capacity - weight { self = Contents(version: version) }
      let isNew =
        switch row {
        case .pool(let row): pools.updateValue(row, forKey: ExactString(row.id)) == nil
        case .identity(let row): identities.updateValue(row, forKey: ExactString(row.id)) == nil
        case .login(let row): logins.updateValue(row, forKey: row.key) == nil
        case .logins(let id, let rows): loginsOf.updateValue(rows, forKey: ExactString(id)) == nil
        case .role(let row): roles.updateValue(row, forKey: ExactString(row.arn)) == nil
        case .provider(let row): providers.updateValue(row, forKey: ExactString(row.name)) == nil
        case .accessKey(let row): accessKeys.updateValue(row, forKey: ExactString(row.id)) == nil
        }
      // Within a version rows do not change.
      if isNew { bytes += weight }
    }
  }

  /// The bytes of all cached rows, by ``CachedRow/weight``.
  var bytes: Int { state.withLock { $0.bytes } }

  /// Finds a row of a version; nil where it is not cached.
  func find<T>(_ version: Int64, _ find: (Contents) -> T?) -> T? {
    state.withLock { $0.version == version ? find($0) : nil }
  }

  /// Caches rows of a version.
  func insert(_ version: Int64, _ rows: [CachedRow]) {
    guard !rows.isEmpty else { return }
    state.withLock { state in
      if state.version != version { state = Contents(version: version) }
      for row in rows { state.add(row) }
    }
  }
}
