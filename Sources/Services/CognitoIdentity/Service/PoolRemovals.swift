internal import Records
internal import TokenSecurityBase

/// Removal of pools.
extension IdentityPoolService {
  /// Removes a pool with its identities and their logins (`DeleteIdentityPool`).
  ///
  /// No call finds the pool or its identities afterwards. Those of a large pool are removed from the store by
  /// later calls of ``continueRemovals()``.
  ///
  /// - Parameter id: the pool's id.
  /// - Throws: `poolUnknown`, `storeFailed`.
  public func deletePool(_ id: String) async throws(IdentityError) {
    try await deletePool(id, portion: RemovedPool.portion)
  }

  package func deletePool(_ id: String, portion: Int) async throws(IdentityError) {
    try TextBounds.identityID.check(id, "IdentityPoolId")
    let observer = observer
    try await store.write { rows throws(IdentityError) in
      // Not read: a pool whose row is damaged can be removed too.
      guard try rows.hasPool(id) else { throw .poolUnknown(id) }
      try rows.removePool(id, limit: portion, observer: observer)
    }
  }

  /// Removes the next 1,000 identities and logins of removed pools.
  ///
  /// - Returns: true if some may be left: call it again. A service calls it regularly, since another process
  ///   may have ended before it had removed all.
  /// - Throws: `storeFailed`.
  public func continueRemovals() async throws(IdentityError) -> Bool {
    try await continueRemovals(portion: RemovedPool.portion)
  }

  package func continueRemovals(portion: Int) async throws(IdentityError) -> Bool {
    let next = try await store.read(at: .now, .fresh) { rows throws(IdentityError) in
      try rows.scan(IdentityTables.removedPools, limit: 1).first
    }
    guard let next else { return false }
    let observer = observer
    try await store.write { rows throws(IdentityError) in
      // Another node may have removed the rest, and the pool may be there again.
      guard try rows.isRemoving(next.id) else { return }
      try rows.removePool(next.id, limit: portion, observer: observer)
    }
    return true
  }
}
