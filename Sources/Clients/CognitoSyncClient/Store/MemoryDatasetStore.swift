internal import Synchronization
internal import TokenSecurityBase

/// Keeps data sets while the application runs, for several tasks.
public final class MemoryDatasetStore: LocalDatasetStore {
  private let state = Mutex(MemoryDatasets())

  /// An empty store.
  public init() {}

  /// Reads one state of the store.
  ///
  /// - Parameter body: the reads.
  /// - Returns: what the closure returned.
  /// - Throws: what the closure throws.
  public nonisolated(nonsending) func read<Value: Sendable>(
    _ body: @escaping @Sendable (any DatasetReading) throws(SyncClientError) -> Value
  ) async throws(SyncClientError) -> Value {
    try body(MemoryDatasetTransaction(state.withLock { $0 }))
  }

  /// Changes the store.
  ///
  /// - Parameter body: the reads and changes.
  /// - Returns: what the closure returned.
  /// - Throws: what the closure throws.
  @discardableResult
  public nonisolated(nonsending) func write<Value: Sendable>(
    _ body: @escaping @Sendable (any DatasetWriting) throws(SyncClientError) -> Value
  ) async throws(SyncClientError) -> Value {
    let result = state.withLock { state -> Result<Value, SyncClientError> in
      let transaction = MemoryDatasetTransaction(state)
      do throws(SyncClientError) {
        let value = try body(transaction)
        state = transaction.datasets
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

/// The contents of a store in memory.
struct MemoryDatasets: Sendable {
  struct Contents: Sendable {
    var dataset: LocalDataset?
    var records: [ExactString: DatasetRecord] = [:]
  }

  var contents: [DatasetID: Contents] = [:]
  var registrations: [ExactString: DeviceRegistration] = [:]
}

/// A transaction on a copy, which replaces the store's state in the end.
final class MemoryDatasetTransaction: DatasetWriting {
  private(set) var datasets: MemoryDatasets

  init(_ datasets: MemoryDatasets) { self.datasets = datasets }

  func datasets(of identityID: String?) throws(SyncClientError) -> [LocalDataset] {
    datasets.contents.values.compactMap(\.dataset).filter { $0.id.identityID == identityID }
      .sorted { $0.id.name < $1.id.name }
  }

  func dataset(_ id: DatasetID) throws(SyncClientError) -> LocalDataset? { datasets.contents[id]?.dataset }

  func records(of id: DatasetID) throws(SyncClientError) -> [DatasetRecord] {
    (datasets.contents[id]?.records ?? [:]).values.sorted { $0.key < $1.key }
  }

  func record(_ key: String, of id: DatasetID) throws(SyncClientError) -> DatasetRecord? {
    datasets.contents[id]?.records[ExactString(key)]
  }

  func registration(of identityID: String) throws(SyncClientError) -> DeviceRegistration? {
    datasets.registrations[ExactString(identityID)]
  }

  func put(_ dataset: LocalDataset) throws(SyncClientError) {
    datasets.contents[dataset.id, default: .init()].dataset = dataset
  }

  func delete(_ id: DatasetID) throws(SyncClientError) { datasets.contents[id] = nil }

  func put(_ record: DatasetRecord, in id: DatasetID) throws(SyncClientError) {
    datasets.contents[id, default: .init()].records[ExactString(record.key)] = record
  }

  func deleteRecord(_ key: String, of id: DatasetID) throws(SyncClientError) {
    datasets.contents[id]?.records[ExactString(key)] = nil
  }

  func put(_ registration: DeviceRegistration) throws(SyncClientError) {
    datasets.registrations[ExactString(registration.identityID)] = registration
  }

  func deleteRegistration(of identityID: String) throws(SyncClientError) {
    datasets.registrations[ExactString(identityID)] = nil
  }

  func deleteAll() throws(SyncClientError) { datasets = MemoryDatasets() }
}
