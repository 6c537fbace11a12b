#if RecordsSQLite
  internal import Records
  internal import TokenSecurityBase
  internal import TokenSecurityCrypto

  /// A record as its table has it.
  struct StoredRecord: Sendable, Hashable {
    let id: DatasetID
    let record: DatasetRecord
  }

  /// The tables of a client's data sets.
  enum DatasetTables {
    static let datasets = Table<LocalDataset>(
      "local_dataset", key: { DatasetTables.key(of: $0.id) },
      encoding: RowEncoding(
        encode: { row, _ in DatasetCoding.bytes(row) }, decode: { bytes, _ in DatasetCoding.dataset(bytes) }))
    static let records = Table<StoredRecord>(
      "local_record", key: { DatasetTables.key(of: $0.record.key, in: $0.id) },
      encoding: RowEncoding(
        encode: { row, _ in DatasetCoding.bytes(row.record, in: row.id) },
        decode: { bytes, _ in DatasetCoding.record(bytes).map { StoredRecord(id: $0.id, record: $0.record) } }
      ))
    static let registrations = Table<DeviceRegistration>(
      "local_registration", key: { RecordKey($0.identityID) },
      encoding: RowEncoding(
        encode: { row, _ in DatasetCoding.bytes(row) },
        decode: { bytes, _ in DatasetCoding.registration(bytes) }))

    static let all: [any DeclaredTable] = [datasets, records, registrations]

    /// The key that those of an identity's data sets begin with. No identity has an empty id.
    static func key(ofIdentity identityID: String?) -> RecordKey { RecordKey(identityID ?? "") }

    static func key(of id: DatasetID) -> RecordKey { key(ofIdentity: id.identityID).appending(id.name) }

    /// Other clients may have longer keys than a store takes. Such a key is stored under its digest.
    static func key(of key: String, in id: DatasetID) -> RecordKey {
      let start = Self.key(of: id)
      guard key.utf8.count > longestKey, let digest = try? DigestAlgorithm.sha256.hash(key.utf8.span) else {
        return start.appending(key)
      }
      return start.appending(digest)
    }

    /// A key of this length is within a store's bound beside an identity and a name, each of its bytes escaped.
    private static let longestKey = 400
  }
#endif
