public import CognitoIdentity
public import Records
internal import TokenLifetime
internal import TokenSecurityBase

/// Takes the data sets of identities along where those are merged or removed.
///
///     let pools = IdentityPoolService(
///       store: store, sealing: sealing, logins: LoginVerifier(), observer: DatasetObserver())
///
/// A data set `NAME` of a merged identity becomes the data set `NAME.IDENTITY` of the one that remains. Its devices
/// are forgotten: an application registers its device for each identity that it has. The endpoints of devices that are
/// gone are removed by a ``PushDelivery``, unless another identity has the same device.
public struct DatasetObserver: IdentityObserver {
  private let limits: SyncLimits

  /// Makes an observer.
  ///
  /// - Parameter limits: the limits of data sets. Default: those of Amazon Cognito Sync.
  public init(limits: SyncLimits = SyncLimits()) { self.limits = limits }

  /// Moves the data sets of an identity that was merged.
  ///
  /// - Parameters:
  ///   - source: the identity that was merged.
  ///   - destination: the identity that remains.
  ///   - rows: the transaction of the merge.
  /// - Throws: `storeFailed`.
  public func merged(
    _ source: Identity, into destination: Identity, _ rows: WriteTransaction<IdentityError>
  ) throws(IdentityError) {
    let (from, into, limits) = (IdentityKey(source), IdentityKey(destination), limits)
    try Self.sharing(rows) { rows throws(SyncError) in
      try rows.moveDatasets(of: from, to: into, limits: limits)
      try rows.removeDevices(of: from)
      try rows.removePushes(of: from)
    }
  }

  /// Removes the data sets and devices of an identity that was removed.
  ///
  /// - Parameters:
  ///   - identity: the identity.
  ///   - rows: the transaction of the removal.
  /// - Throws: `storeFailed`.
  public func removed(
    _ identity: Identity, _ rows: WriteTransaction<IdentityError>
  ) throws(IdentityError) {
    let key = IdentityKey(identity)
    try Self.sharing(rows) { rows throws(SyncError) in
      try rows.removeDatasets(of: key)
      try rows.removeDevices(of: key)
      try rows.removePushes(of: key)
    }
  }

  /// Removes data sets, devices and settings of a pool that was removed.
  ///
  /// - Parameters:
  ///   - id: the pool's id.
  ///   - limit: the most rows.
  ///   - rows: the transaction of the removal.
  /// - Returns: the number of removed data sets, devices and messages; less than `limit` if none is left.
  /// - Throws: `storeFailed`.
  public func removeRows(
    ofPool id: String, limit: Int, _ rows: WriteTransaction<IdentityError>
  ) throws(IdentityError) -> Int {
    try Self.sharing(rows) { rows throws(SyncError) in
      let range = KeyRange.prefix(RecordKey(id))
      try rows.removeConfiguration(ofPool: id)
      var rest = limit
      rest -= try rows.removeDatasets(ofPool: id, limit: rest)
      rest -= try rows.removeDevices(ofPool: id, limit: rest)
      rest -= try rows.delete(range, from: PushTable.rows, limit: rest)
      rest -= try rows.delete(range, from: SyncTables.floors, limit: rest)
      return limit - rest
    }
  }

  /// Calls the rules of data sets in a transaction of identity pools.
  private static func sharing<Value>(
    _ rows: WriteTransaction<IdentityError>,
    _ body: (WriteTransaction<SyncError>) throws(SyncError) -> Value
  ) throws(IdentityError) -> Value {
    do throws(SyncError) { return try rows.sharing(body) } catch {
      switch error {
      case .storeBusy: throw .storeBusy
      default: throw .storeFailed("\(error)")
      }
    }
  }
}

extension IdentityKey {
  fileprivate init(_ identity: Identity) { self.init(poolID: identity.poolID, identityID: identity.id) }
}

extension WriteTransaction<SyncError> {
  /// Removes the settings of a pool that was removed. A new pool of this id does not get them; the role is remembered
  /// until the endpoints of the pool's devices are removed.
  fileprivate func removeConfiguration(ofPool id: String) throws(SyncError) {
    let found = (try? pushConfiguration(id)) ?? nil
    if let found {
      let end = now.wholeSecond + EndpointRow.lifetime
      try put(RemovedPoolRole(poolID: id, arn: found.roleARN, end: end), in: SyncTables.removedPoolRoles)
    }
    try delete(RecordKey(id), from: SyncTables.configurations)
  }
}
