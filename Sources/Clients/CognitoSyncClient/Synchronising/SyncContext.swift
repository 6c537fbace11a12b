internal import CognitoIdentityClient
internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase

/// State that the data sets of an application share.
final class SyncContext: Sendable {
  let calls: SyncCalls
  let store: any LocalDatasetStore
  let clock: @Sendable () -> Timestamp
  let turns = SyncTurns()
  private let removalCount = Mutex(0)

  init(calls: SyncCalls, store: any LocalDatasetStore, clock: @escaping @Sendable () -> Timestamp) {
    self.calls = calls
    self.store = store
    self.clock = clock
  }

  /// The identity, which may need a call.
  func identityID() async throws(SyncClientError) -> String {
    do throws(IdentityClientError) { return try await calls.identity.identityID() } catch {
      throw Task.isCancelled ? .cancelled : .identityFailed(error)
    }
  }

  /// The data set of the identity that is known, without a call.
  func knownID(_ name: String) async -> DatasetID {
    DatasetID(identityID: await calls.identity.knownIdentityID(), name: name)
  }

  /// How often everything was removed from this device.
  var removals: Int { removalCount.withLock { $0 } }

  /// Removes everything from this device.
  func removeAll() async throws(SyncClientError) {
    // Counted before: what is stored after the removal finds the new number.
    removalCount.withLock { $0 += 1 }
    try await store.write { rows throws(SyncClientError) in try rows.deleteAll() }
  }

  /// Stores what the service answered, unless everything was removed since the call began: what a user had who has
  /// signed out must not come back.
  ///
  /// - Parameters:
  ///   - removals: ``removals`` when the call began.
  ///   - body: the reads and changes.
  /// - Returns: what the closure returned.
  /// - Throws: `cancelled` where everything was removed; what the closure throws; `storeUnavailable`.
  @discardableResult
  func write<Value: Sendable>(
    since removals: Int,
    _ body: @escaping @Sendable (any DatasetWriting) throws(SyncClientError) -> Value
  ) async throws(SyncClientError) -> Value {
    try await store.write { [self] rows throws(SyncClientError) in
      guard self.removals == removals else { throw .cancelled }
      return try body(rows)
    }
  }

  /// Gives a data set from before there was an identity to that identity.
  func adopt(_ name: String, for identityID: String) async throws(SyncClientError) {
    let former = DatasetID(identityID: nil, name: name)
    let isThere = try await store.read { rows throws(SyncClientError) in try rows.dataset(former) != nil }
    guard isThere else { return }
    try await store.write { rows throws(SyncClientError) in
      try rows.adoptDataset(name, for: identityID)
    }
  }

  /// Gives all data sets from before there was an identity to that identity.
  func adoptAll(for identityID: String) async throws(SyncClientError) {
    let former = try await store.read { rows throws(SyncClientError) in try rows.datasets(of: nil) }
    for dataset in former { try await adopt(dataset.id.name, for: identityID) }
  }
}
