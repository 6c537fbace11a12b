public import Records
internal import TokenSecurityCrypto

/// The tables of data sets, for the store that a service is made over. It has those of identity pools too.
///
///     let store = try MemoryRecordStore(tables: IdentityTables.all + SyncTables.all)
public enum SyncTables {
  /// All tables.
  public static let all: [any DeclaredTable] = [
    datasets, records, removedDatasets, floors, devices, subscriptions, configurations, removedPoolRoles,
    PushTable.rows, EndpointTable.rows,
  ]

  package static let datasets = Table<StoredDataset>(
    "sync_dataset", key: { datasetKey($0.key) }, indexes: [mergedDatasets],
    encoding: StoredDataset.encoding)
  /// The data sets that were merged beside one of the identity's own.
  package static let mergedDatasets = Index<StoredDataset>("merged") { dataset in
    dataset.mergedBeside.map { [datasetKey(DatasetKey(dataset.identity, name: $0))] } ?? []
  }

  /// Records of deleted data sets are left, until maintenance removes them.
  package static let records = Table<StoredRecord>(
    "sync_record", key: { recordKey($0.key, in: $0.datasetID) }, indexes: [recordsByCount],
    encoding: StoredRecord.encoding)
  package static let recordsByCount = Index<StoredRecord>("count") { [RecordKey($0.datasetID, $0.count)] }
  package static let removedDatasets = Table<RemovedDataset>(
    "sync_removed_dataset", key: { RecordKey($0.id) }, encoding: RemovedDataset.encoding)
  package static let floors = Table<DatasetFloor>(
    "sync_floor", key: { identityKey($0.identity) }, encoding: DatasetFloor.encoding)

  package static let devices = Table<SyncDevice>(
    "sync_device", key: { deviceKey($0.id, of: $0.identity) }, indexes: [devicesByEndpoint],
    encoding: SyncDevice.encoding)
  /// A token that several identities have registered, one after the other for instance, has one endpoint.
  package static let devicesByEndpoint = Index<SyncDevice>("endpoint") { [endpointKey($0.endpoint)] }
  package static let subscriptions = Table<SyncSubscription>(
    "sync_subscription", key: { RecordKey($0.datasetID, $0.deviceID) }, indexes: [subscriptionsOfDevice],
    encoding: SyncSubscription.encoding)
  package static let subscriptionsOfDevice = Index<SyncSubscription>("device") {
    [deviceKey($0.deviceID, of: $0.identity)]
  }

  package static let configurations = Table<PushConfiguration>(
    "sync_configuration", key: { RecordKey($0.poolID) }, encoding: PushConfiguration.encoding)
  package static let removedPoolRoles = Table<RemovedPoolRole>(
    "sync_removed_pool", key: { RecordKey($0.poolID) }, encoding: RemovedPoolRole.encoding,
    expires: { $0.end })
}

/// The keys that callers look up. Those of a pool and of an identity begin with it.
extension SyncTables {
  package static func identityKey(_ identity: IdentityKey) -> RecordKey {
    RecordKey(identity.poolID, identity.identityID)
  }

  package static func datasetKey(_ key: DatasetKey) -> RecordKey {
    identityKey(key.identity).appending(key.name)
  }

  package static func deviceKey(_ id: String, of identity: IdentityKey) -> RecordKey {
    identityKey(identity).appending(id)
  }

  /// An endpoint can have more bytes than a key.
  package static func endpointKey(_ endpoint: String) -> RecordKey {
    guard let digest = try? DigestAlgorithm.sha256.hash(endpoint.utf8.span) else {
      return RecordKey(endpoint)
    }
    return RecordKey(digest)
  }

  package static func recordKey(_ key: String, in datasetID: String) -> RecordKey {
    // A long key becomes its digest, which has another type: no key is another one's digest. Without a digest the
    // key remains too long, so that the store refuses it.
    guard key.utf8.count > longestKey,
      let digest = try? DigestAlgorithm.sha256.hash(key.utf8.span)
    else { return RecordKey(datasetID, key) }
    return RecordKey(datasetID, digest)
  }

  /// Maximum size in bytes of a record's key in the key of its row.
  private static let longestKey = 512
}

extension SyncTables {
  /// A row's key for logs, without the keys of records.
  package static func description(of key: RecordKey, in table: String) -> String {
    let texts = (key.parts ?? []).map { if case .text(let text) = $0 { text } else { "…" } }
    return texts.prefix(table == records.name ? 1 : texts.count).joined(separator: " ")
  }
}
