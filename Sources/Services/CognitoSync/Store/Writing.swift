package import Records

/// Changes of the tables of data sets. Every `put` adds a row or replaces the one with its key.
extension WriteTransaction<SyncError> {
  package func put(_ dataset: StoredDataset) throws(SyncError) { try put(dataset, in: SyncTables.datasets) }

  package func put(_ record: StoredRecord) throws(SyncError) { try put(record, in: SyncTables.records) }

  package func put(_ device: SyncDevice) throws(SyncError) { try put(device, in: SyncTables.devices) }

  package func put(_ subscription: SyncSubscription) throws(SyncError) {
    try put(subscription, in: SyncTables.subscriptions)
  }

  package func put(_ configuration: PushConfiguration) throws(SyncError) {
    try put(configuration, in: SyncTables.configurations)
  }

  /// Removes a data set. No call finds it or its records afterwards; ``removeRest(limit:)`` removes the records.
  ///
  /// - Parameter dataset: the data set.
  /// - Throws: `storeFailed`.
  package func remove(_ dataset: StoredDataset) throws(SyncError) {
    try delete(SyncTables.datasetKey(dataset.key), from: SyncTables.datasets)
    try put(RemovedDataset(id: dataset.id), in: SyncTables.removedDatasets)
    try delete(.prefix(RecordKey(dataset.id)), from: SyncTables.subscriptions)
  }

  /// Remembers the count of a data set that was deleted, so that a new one of its name begins above it.
  package func raiseFloor(of identity: IdentityKey, to count: Int64) throws(SyncError) {
    guard try floor(of: identity) < count else { return }
    try put(DatasetFloor(identity: identity, count: count), in: SyncTables.floors)
  }

  /// Removes the next records of deleted data sets.
  ///
  /// - Parameter limit: the most records.
  /// - Returns: true if some may be left.
  /// - Throws: `storeFailed`.
  package func removeRest(limit: Int) throws(SyncError) -> Bool {
    guard let next = try scan(SyncTables.removedDatasets, limit: 1).first else { return false }
    let removed = try delete(.prefix(RecordKey(next.id)), from: SyncTables.records, limit: limit)
    if removed < limit { try delete(RecordKey(next.id), from: SyncTables.removedDatasets) }
    return true
  }

  /// Removes a device with its subscriptions.
  package func remove(_ device: SyncDevice) throws(SyncError) {
    let key = SyncTables.deviceKey(device.id, of: device.identity)
    let subscriptions = try keys(
      of: SyncTables.subscriptions, by: SyncTables.subscriptionsOfDevice, .only(key), limit: 1_000)
    for subscription in subscriptions {
      try delete(subscription, from: SyncTables.subscriptions)
    }
    try delete(key, from: SyncTables.devices)
  }
}
