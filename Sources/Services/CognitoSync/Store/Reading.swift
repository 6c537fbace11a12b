package import Records
internal import TokenSecurityBase

/// Reads of the tables of data sets. Names are compared by their bytes.
///
/// Every call throws `storeFailed` where the store cannot be read, and for a row that cannot be read. Lists leave
/// such rows out; the store reports them.
extension ReadTransaction<SyncError> {
  /// Returns a data set; nil if not found.
  package func dataset(_ key: DatasetKey) throws(SyncError) -> StoredDataset? {
    try get(SyncTables.datasets, SyncTables.datasetKey(key))
  }

  /// Returns data sets of an identity, ordered by name.
  ///
  /// - Parameters:
  ///   - identity: the identity.
  ///   - name: the name after which the list begins; nil for its start.
  ///   - limit: the most data sets.
  /// - Returns: the data sets.
  /// - Throws: `storeFailed`.
  package func datasets(
    of identity: IdentityKey, after name: String? = nil, limit: Int
  ) throws(SyncError) -> [StoredDataset] {
    let last = name.map { SyncTables.datasetKey(DatasetKey(identity, name: $0)) }
    return try scan(
      SyncTables.datasets, KeyRange.prefix(SyncTables.identityKey(identity)).after(last), limit: limit)
  }

  /// Returns the number of an identity's data sets, those that cannot be read included.
  package func datasetCount(of identity: IdentityKey, limit: Int) throws(SyncError) -> Int {
    try count(SyncTables.datasets, .prefix(SyncTables.identityKey(identity)), limit: limit)
  }

  /// Returns the names of data sets that were merged beside a data set.
  package func mergedNames(_ key: DatasetKey, limit: Int) throws(SyncError) -> [String] {
    try scan(
      SyncTables.datasets, by: SyncTables.mergedDatasets, .only(SyncTables.datasetKey(key)), limit: limit
    ).map(\.name)
  }

  /// Returns the highest count of the identity's deleted data sets; 0 for none.
  package func floor(of identity: IdentityKey) throws(SyncError) -> Int64 {
    try get(SyncTables.floors, SyncTables.identityKey(identity))?.count ?? 0
  }

  /// Returns a record of a data set, also one that was removed.
  package func record(_ key: String, in datasetID: String) throws(SyncError) -> StoredRecord? {
    try get(SyncTables.records, SyncTables.recordKey(key, in: datasetID))
  }

  /// Returns records of a data set, ordered by count and key.
  ///
  /// - Parameters:
  ///   - datasetID: the data set's id.
  ///   - count: the count after which the list begins.
  ///   - position: where the list goes on; nil for its start.
  ///   - limit: the most records.
  /// - Returns: the records.
  /// - Throws: `storeFailed`.
  package func records(
    in datasetID: String, after count: Int64, from position: IndexPosition?, limit: Int
  ) throws(SyncError) -> [StoredRecord] {
    let first = RecordKey(datasetID, count == .max ? count : count + 1)
    return try scan(
      SyncTables.records, by: SyncTables.recordsByCount, KeyRange.prefix(RecordKey(datasetID)).from(first),
      after: position, limit: limit)
  }

  /// Returns a device of an identity; nil if not found.
  package func device(_ id: String, of identity: IdentityKey) throws(SyncError) -> SyncDevice? {
    try get(SyncTables.devices, SyncTables.deviceKey(id, of: identity))
  }

  /// Returns the devices of an identity.
  package func devices(of identity: IdentityKey, limit: Int) throws(SyncError) -> [SyncDevice] {
    try scan(SyncTables.devices, .prefix(SyncTables.identityKey(identity)), limit: limit)
  }

  /// Returns the subscriptions to a data set.
  package func subscriptions(to datasetID: String, limit: Int) throws(SyncError) -> [SyncSubscription] {
    try scan(SyncTables.subscriptions, .prefix(RecordKey(datasetID)), limit: limit)
  }

  /// Returns where push messages of a pool are sent; nil for a pool that was not set up.
  package func pushConfiguration(_ poolID: String) throws(SyncError) -> PushConfiguration? {
    try get(SyncTables.configurations, RecordKey(poolID))
  }
}

/// Reads of identity pools' tables, which are in the same store.
extension ReadTransaction<SyncError> {
  /// Checks that an identity belongs to a pool, exists and was not merged into another one.
  ///
  /// - Throws: the refusal of an `IdentityError`: `poolUnknown`, `identityUnknown`, `identityDisabled`.
  package func require(_ key: IdentityKey) throws(SyncError) {
    try requirePool(key.poolID)
    guard
      let identity = try get(
        IdentityTables.identities, by: IdentityTables.identityByID, RecordKey(key.identityID)),
      identity.poolID == key.poolID
    else { throw .identity(.identityUnknown(key.identityID)) }
    guard identity.mergedInto == nil else { throw .identity(.identityDisabled(key.identityID)) }
  }

  /// Checks that a pool exists.
  ///
  /// - Throws: the refusal `poolUnknown` of an `IdentityError`.
  package func requirePool(_ id: String) throws(SyncError) {
    guard try contains(IdentityTables.pools, RecordKey(id)) else { throw .identity(.poolUnknown(id)) }
  }
}
