/// Stores data sets on this device.
///
/// ``MemoryDatasetStore`` keeps them while the application runs, `SQLiteDatasetStore` in a file, with the
/// trait `RecordsSQLite`. An application can have its own.
///
/// A transaction sees one state of the store, and all of its changes are stored or none. Its closure only
/// computes and uses the transaction: it does not wait for anything else, and it may run again.
public protocol LocalDatasetStore: Sendable {
  /// Reads one state of the store.
  ///
  /// - Parameter body: the reads.
  /// - Returns: what the closure returned.
  /// - Throws: what the closure throws, and `storeUnavailable`.
  nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (any DatasetReading) throws(SyncClientError) -> Value
  ) async throws(SyncClientError) -> Value

  /// Changes the store. When this returns, the changes are stored; where the closure throws, nothing is.
  ///
  /// - Parameter body: the reads and changes.
  /// - Returns: what the closure returned.
  /// - Throws: what the closure throws, and `storeUnavailable`.
  @discardableResult
  nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (any DatasetWriting) throws(SyncClientError) -> Value
  ) async throws(SyncClientError) -> Value
}

/// Reads within a transaction of a ``LocalDatasetStore``.
public protocol DatasetReading {
  /// The data sets of an identity.
  ///
  /// - Parameter identityID: the identity; nil for those from before there was one.
  /// - Returns: the data sets in the order of their names.
  /// - Throws: `storeUnavailable`.
  func datasets(of identityID: String?) throws(SyncClientError) -> [LocalDataset]

  /// A data set.
  ///
  /// - Parameter id: which data set.
  /// - Returns: the data set; nil if not found.
  /// - Throws: `storeUnavailable`.
  func dataset(_ id: DatasetID) throws(SyncClientError) -> LocalDataset?

  /// The records of a data set, those that were removed included.
  ///
  /// - Parameter id: which data set.
  /// - Returns: the records in the order of their keys.
  /// - Throws: `storeUnavailable`.
  func records(of id: DatasetID) throws(SyncClientError) -> [DatasetRecord]

  /// A record.
  ///
  /// - Parameters:
  ///   - key: its key.
  ///   - id: its data set.
  /// - Returns: the record, also one that was removed; nil if not found.
  /// - Throws: `storeUnavailable`.
  func record(_ key: String, of id: DatasetID) throws(SyncClientError) -> DatasetRecord?

  /// The registration of this device for an identity.
  ///
  /// - Parameter identityID: the identity.
  /// - Returns: the registration; nil if not found.
  /// - Throws: `storeUnavailable`.
  func registration(of identityID: String) throws(SyncClientError) -> DeviceRegistration?
}

/// Reads and changes within a transaction of a ``LocalDatasetStore``. A read sees the transaction's own
/// changes.
public protocol DatasetWriting: DatasetReading {
  /// Adds a data set, or replaces what is known of it. Its records stay.
  ///
  /// - Parameter dataset: the data set.
  /// - Throws: `storeUnavailable`.
  func put(_ dataset: LocalDataset) throws(SyncClientError)

  /// Deletes a data set and its records, if it exists.
  ///
  /// - Parameter id: which data set.
  /// - Throws: `storeUnavailable`.
  func delete(_ id: DatasetID) throws(SyncClientError)

  /// Adds a record, or replaces the one with its key.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - id: its data set.
  /// - Throws: `storeUnavailable`.
  func put(_ record: DatasetRecord, in id: DatasetID) throws(SyncClientError)

  /// Deletes a record and what was known of it, if it exists.
  ///
  /// - Parameters:
  ///   - key: its key.
  ///   - id: its data set.
  /// - Throws: `storeUnavailable`.
  func deleteRecord(_ key: String, of id: DatasetID) throws(SyncClientError)

  /// Adds a registration, or replaces the one of its identity.
  ///
  /// - Parameter registration: the registration.
  /// - Throws: `storeUnavailable`.
  func put(_ registration: DeviceRegistration) throws(SyncClientError)

  /// Deletes the registration of an identity, if it exists.
  ///
  /// - Parameter identityID: the identity.
  /// - Throws: `storeUnavailable`.
  func deleteRegistration(of identityID: String) throws(SyncClientError)

  /// Deletes everything.
  ///
  /// - Throws: `storeUnavailable`.
  func deleteAll() throws(SyncClientError)
}
