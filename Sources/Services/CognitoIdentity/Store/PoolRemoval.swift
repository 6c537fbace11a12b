package import Records

/// A pool that was removed, and some of whose identities and logins are not removed yet.
///
/// A large pool is removed in several transactions. The first one removes the pool, so that no call finds it,
/// and leaves this row. The last one removes this row. A process that starts after a crash finds it and goes on.
package struct RemovedPool: StoredFields {
  package private(set) var id = ""

  package init() {}

  init(id: String) { self.id = id }

  package mutating func fields(_ f: inout RowFields) { f.text("id", &id) }

  /// Maximum number of identities and logins that one transaction removes: other writes wait for it.
  package static let portion = 1_000
}

extension ReadTransaction<IdentityError> {
  /// Returns true while rows of a removed pool are left.
  func isRemoving(_ poolID: String) throws(IdentityError) -> Bool {
    try contains(IdentityTables.removedPools, RecordKey(poolID))
  }
}

extension WriteTransaction<IdentityError> {
  /// Removes a pool, and the first of its identities and logins. Where some are left, they are removed by
  /// calls of ``IdentityPoolService/continueRemovals()``; no call finds them meanwhile.
  ///
  /// - Parameters:
  ///   - id: the pool's id.
  ///   - limit: the most rows.
  ///   - observer: removes the rows that another module keeps of the pool; they count too.
  /// - Returns: true if none is left.
  /// - Throws: `storeFailed`.
  @discardableResult
  func removePool(
    _ id: String, limit: Int, observer: (any IdentityObserver)?
  ) throws(IdentityError) -> Bool {
    let (key, limit) = (RecordKey(id), max(1, limit))
    try delete(key, from: IdentityTables.pools)
    var rest = limit
    if let observer {
      let removed = try observer.removeRows(ofPool: id, limit: rest, self)
      rest = max(0, rest - removed)
    }
    rest -= try delete(.prefix(key), from: IdentityTables.logins, limit: rest)
    rest -= try delete(.prefix(key), from: IdentityTables.identities, limit: rest)
    guard rest == 0 else {
      try delete(key, from: IdentityTables.removedPools)
      return true
    }
    try put(RemovedPool(id: id), in: IdentityTables.removedPools)
    return false
  }

  /// Removes all that is left of a removed pool.
  func removeRest(ofPool id: String) throws(IdentityError) {
    try delete(.prefix(RecordKey(id)), from: IdentityTables.logins)
    try delete(.prefix(RecordKey(id)), from: IdentityTables.identities)
    try delete(RecordKey(id), from: IdentityTables.removedPools)
  }
}
