internal import Synchronization
internal import TokenLifetime
internal import TokenSecurityBase

/// Compares push messages with the data sets on this device.
///
///     let receiver = PushSyncReceiver(datasets)
///     let message = try PushSyncMessage(payload, from: .apns)
///     if let dataset = try await receiver.dataset(for: message) { try await dataset.synchronize() }
///
/// Anyone who can send a message to the device can write it. A forged one makes no data set, its count is not stored,
/// and only a number of messages cause a synchronisation: what it can do is one of them.
public final class PushSyncReceiver: Sendable {
  private let datasets: SyncDatasets
  private let throttle: Mutex<PushSyncThrottle>

  /// A receiver.
  ///
  /// - Parameters:
  ///   - datasets: the data sets on this device.
  ///   - burst: the most synchronisations at once. Default: 10.
  ///   - interval: after which time another one is allowed, in whole seconds. Default: 30 seconds.
  public init(_ datasets: SyncDatasets, burst: Int = 10, interval: Duration = .seconds(30)) {
    self.datasets = datasets
    throttle = Mutex(
      PushSyncThrottle(capacity: burst, interval: interval, at: datasets.context.clock()))
  }

  /// The data set that is to be synchronised because of a message.
  ///
  /// - Parameter message: the message.
  /// - Returns: the data set; nil where the message is about another identity, about a data set that is not on this
  ///   device or already has the change, and where there were too many messages.
  /// - Throws: `storeUnavailable`.
  public func dataset(for message: PushSyncMessage) async throws(SyncClientError) -> Dataset? {
    let id = await datasets.context.knownID(message.datasetName)
    guard let identityID = id.identityID,
      let local = try await datasets.context.store.read({ rows throws(SyncClientError) in
        try rows.dataset(id)
      })
    else { return nil }
    let position = DatasetPosition(
      identityPoolID: datasets.identityPoolID, identityID: identityID, datasetName: id.name,
      lastSyncCount: local.lastSyncCount)
    let now = datasets.context.clock()
    guard message.shouldSynchronize(against: position), throttle.withLock({ $0.admits(at: now) }) else {
      return nil
    }
    return try datasets.dataset(id.name)
  }
}
