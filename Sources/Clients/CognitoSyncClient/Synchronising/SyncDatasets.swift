public import CognitoIdentityClient
public import HTTPExchange
package import TokenLifetime
internal import TokenSecurityBase

/// The data sets of an identity, on this device and on the service.
///
///     let datasets = SyncDatasets(
///       identity: provider, endpoint: try SyncEndpoint(region: "eu-west-1"), transport: transport)
///     let settings = try datasets.dataset("settings")
///     try await settings.put("dark", for: "theme")        // on this device
///     try await settings.synchronize()                     // with the service
///
/// - Data sets are read and changed on this device, without a network. ``Dataset/synchronize(_:)`` makes them
///   equal to the service's.
/// - They belong to the identity of the provider. What was put before there was an identity belongs to the
///   first one. After a change of the identity its own data sets are seen; those of the former one stay on this
///   device until ``removeAll()``.
/// - Several processes may use one store, and several values of this type too.
public struct SyncDatasets: Sendable {
  let context: SyncContext

  /// The data sets of a provider's identity.
  ///
  /// - Parameters:
  ///   - identity: the identity and its credentials.
  ///   - endpoint: the service's address.
  ///   - transport: the HTTP client.
  ///   - store: where data sets are stored on this device. Default: in memory.
  public init(
    identity: IdentityProvider, endpoint: SyncEndpoint, transport: any HTTPTransport,
    store: any LocalDatasetStore = MemoryDatasetStore()
  ) {
    self.init(
      identity: identity as any SyncIdentity, endpoint: endpoint, transport: transport, store: store,
      clock: { .now })
  }

  /// Same with another source of the identity and another clock, for tests.
  package init(
    identity: any SyncIdentity, endpoint: SyncEndpoint, transport: any HTTPTransport,
    store: any LocalDatasetStore, clock: @escaping @Sendable () -> Timestamp
  ) {
    context = SyncContext(
      calls: SyncCalls(endpoint: endpoint, identity: identity, transport: transport), store: store,
      clock: clock)
  }

  init(context: SyncContext) { self.context = context }

  /// The identity pool.
  public var identityPoolID: String { context.calls.identity.poolID }

  /// A data set. It is made when the first record is put into it.
  ///
  /// - Parameter name: its name: 1 to 128 letters, digits and `_` `.` `:` `-`, or the name of a merged data set.
  /// - Returns: the data set.
  /// - Throws: `inputInvalid`.
  public func dataset(_ name: String) throws(SyncClientError) -> Dataset {
    try SyncBounds.checkDataset(name)
    return Dataset(name: name, context: context)
  }

  /// The identity's data sets on this device.
  ///
  /// - Returns: the data sets in the order of their names.
  /// - Throws: `storeUnavailable`.
  public func localDatasets() async throws(SyncClientError) -> [LocalDataset] {
    let identityID = await context.calls.identity.knownIdentityID()
    if let identityID { try await context.adoptAll(for: identityID) }
    return try await context.store.read { rows throws(SyncClientError) in
      try rows.datasets(of: identityID)
    }
  }

  /// The identity's data sets on the service.
  ///
  /// - Returns: the data sets.
  /// - Throws: `identityFailed`, `refused`, `responseMalformed`, `unreachable`, `cancelled`.
  public func remoteDatasets() async throws(SyncClientError) -> [RemoteDataset] {
    try await context.calls.datasets(of: context.identityID())
  }

  /// Removes all data sets and registrations from this device: those of all identities, and what was not sent
  /// yet. The service's stay. Synchronisations that run end with `cancelled` and store nothing more; those of another
  /// value of this type over the same store must have ended before.
  ///
  /// - Throws: `storeUnavailable`.
  public func removeAll() async throws(SyncClientError) {
    try await context.removeAll()
  }
}
