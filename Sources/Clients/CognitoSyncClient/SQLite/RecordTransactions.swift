#if RecordsSQLite
  internal import Records
  internal import TokenSecurityBase

  /// Why a transaction of the file's store ended.
  struct StoreFailure: RecordStoreFailure {
    let reason: SyncClientError

    init(_ reason: SyncClientError) { self.reason = reason }

    init(_ error: RecordStoreError) { reason = .storeUnavailable("\(error)") }
  }

  /// Reads of data sets in a transaction of the file's store.
  protocol RecordReader: DatasetReading {
    associatedtype Rows: ReadTransaction<StoreFailure>
    var rows: Rows { get }
  }

  struct RecordReading: RecordReader {
    let rows: ReadTransaction<StoreFailure>
  }

  struct RecordWriting: RecordReader {
    let rows: WriteTransaction<StoreFailure>
  }

  extension RecordReader {
    /// Calls the transaction, with this module's errors.
    func attempt<Value>(
      _ body: (Rows) throws(StoreFailure) -> Value
    ) throws(SyncClientError) -> Value {
      do throws(StoreFailure) { return try body(rows) } catch { throw error.reason }
    }

    func datasets(of identityID: String?) throws(SyncClientError) -> [LocalDataset] {
      try attempt { rows throws(StoreFailure) in
        try rows.scan(
          DatasetTables.datasets, .prefix(DatasetTables.key(ofIdentity: identityID)), limit: .max)
      }
    }

    func dataset(_ id: DatasetID) throws(SyncClientError) -> LocalDataset? {
      try attempt { rows throws(StoreFailure) in
        try rows.get(DatasetTables.datasets, DatasetTables.key(of: id))
      }
    }

    func records(of id: DatasetID) throws(SyncClientError) -> [DatasetRecord] {
      let found = try attempt { rows throws(StoreFailure) in
        try rows.scan(DatasetTables.records, .prefix(DatasetTables.key(of: id)), limit: .max)
      }
      return found.map(\.record).sorted { $0.key < $1.key }
    }

    func record(_ key: String, of id: DatasetID) throws(SyncClientError) -> DatasetRecord? {
      try attempt { rows throws(StoreFailure) in
        try rows.get(DatasetTables.records, DatasetTables.key(of: key, in: id))?.record
      }
    }

    func registration(of identityID: String) throws(SyncClientError) -> DeviceRegistration? {
      try attempt { rows throws(StoreFailure) in
        try rows.get(DatasetTables.registrations, RecordKey(identityID))
      }
    }
  }

  extension RecordWriting: DatasetWriting {
    func put(_ dataset: LocalDataset) throws(SyncClientError) {
      try attempt { rows throws(StoreFailure) in try rows.put(dataset, in: DatasetTables.datasets) }
    }

    func delete(_ id: DatasetID) throws(SyncClientError) {
      let key = DatasetTables.key(of: id)
      try attempt { rows throws(StoreFailure) in
        try rows.delete(key, from: DatasetTables.datasets)
        try rows.delete(.prefix(key), from: DatasetTables.records)
      }
    }

    func put(_ record: DatasetRecord, in id: DatasetID) throws(SyncClientError) {
      try attempt { rows throws(StoreFailure) in
        try rows.put(StoredRecord(id: id, record: record), in: DatasetTables.records)
      }
    }

    func deleteRecord(_ key: String, of id: DatasetID) throws(SyncClientError) {
      try attempt { rows throws(StoreFailure) in
        _ = try rows.delete(DatasetTables.key(of: key, in: id), from: DatasetTables.records)
      }
    }

    func put(_ registration: DeviceRegistration) throws(SyncClientError) {
      try attempt { rows throws(StoreFailure) in
        try rows.put(registration, in: DatasetTables.registrations)
      }
    }

    func deleteRegistration(of identityID: String) throws(SyncClientError) {
      try attempt { rows throws(StoreFailure) in
        _ = try rows.delete(RecordKey(identityID), from: DatasetTables.registrations)
      }
    }

    func deleteAll() throws(SyncClientError) {
      try attempt { rows throws(StoreFailure) in
        try rows.delete(.all, from: DatasetTables.datasets)
        try rows.delete(.all, from: DatasetTables.records)
        try rows.delete(.all, from: DatasetTables.registrations)
      }
    }
  }
#endif
