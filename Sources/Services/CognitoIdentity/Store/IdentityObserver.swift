public import Records

/// Rows of another module that belong to identities, in the same store.
///
/// They change in the transaction in which an identity is merged or removed, so that neither is ever seen without
/// the other. A transaction may run again; the calls must do nothing but use it.
public protocol IdentityObserver: Sendable {
  /// Changes the rows of an identity that was merged into another one of its pool.
  ///
  /// - Parameters:
  ///   - source: the identity, which is disabled now.
  ///   - destination: the identity that remains.
  ///   - rows: the transaction of the merge.
  /// - Throws: `storeFailed`.
  func merged(
    _ source: Identity, into destination: Identity, _ rows: WriteTransaction<IdentityError>
  ) throws(IdentityError)

  /// Removes the rows of an identity that was removed.
  ///
  /// - Parameters:
  ///   - identity: the identity.
  ///   - rows: the transaction of the removal.
  /// - Throws: `storeFailed`.
  func removed(_ identity: Identity, _ rows: WriteTransaction<IdentityError>) throws(IdentityError)

  /// Removes rows of a pool that was removed, and of all its identities. It is called again until none is left.
  ///
  /// - Parameters:
  ///   - id: the pool's id.
  ///   - limit: the most rows.
  ///   - rows: the transaction of the removal.
  /// - Returns: the number of removed rows; less than `limit` if none is left.
  /// - Throws: `storeFailed`.
  func removeRows(
    ofPool id: String, limit: Int, _ rows: WriteTransaction<IdentityError>
  ) throws(IdentityError) -> Int
}
