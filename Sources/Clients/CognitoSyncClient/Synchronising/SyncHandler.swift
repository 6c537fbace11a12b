internal import TokenSecurityBase

/// Decides during a synchronisation, and learns how it ended.
///
/// Each function has a default: the later change of a record wins, a data set that another device deleted is
/// removed from this one, and merged data sets stay until the application deletes them.
///
/// A function that decides must not synchronise the same data set: the synchronisation waits for the decision, and
/// the other one for the synchronisation. Other data sets may be synchronised.
public protocol SyncHandler: Sendable {
  /// Decides what a record becomes that this device and another one changed.
  ///
  /// - Parameters:
  ///   - conflict: both records.
  ///   - dataset: the data set's name.
  /// - Returns: the decision. Default: ``RecordConflict/latest``.
  func onConflict(_ conflict: RecordConflict, in dataset: String) async -> ConflictResolution

  /// Decides what becomes of a data set that another device deleted. It may exist again.
  ///
  /// - Parameter dataset: the data set's name.
  /// - Returns: the decision. Default: `purge`.
  func onDatasetDeleted(_ dataset: String) async -> DeletionResponse

  /// Learns of data sets that came with identities that were merged into this one, at each synchronisation
  /// until they are deleted.
  ///
  /// - Parameters:
  ///   - names: their names: that of the data set, a full stop and the former identity.
  ///   - dataset: the name of the data set that is synchronised.
  /// - Returns: whether to go on. Default: true.
  func onDatasetsMerged(_ names: [String], into dataset: String) async -> Bool

  /// Learns that a data set is equal to the service's.
  ///
  /// - Parameters:
  ///   - dataset: the data set's name.
  ///   - updated: the records that were taken from the service.
  func onSuccess(_ dataset: String, updated: [DatasetRecord]) async

  /// Learns why a synchronisation ended early. Changes that were not sent are sent by the next one.
  ///
  /// - Parameters:
  ///   - dataset: the data set's name.
  ///   - error: why.
  func onFailure(_ dataset: String, _ error: SyncClientError) async
}

extension SyncHandler {
  /// The later change wins.
  ///
  /// - Parameters:
  ///   - conflict: both records.
  ///   - dataset: the data set's name.
  /// - Returns: the decision.
  public func onConflict(_ conflict: RecordConflict, in dataset: String) async -> ConflictResolution {
    conflict.latest
  }

  /// The data set is removed from this device.
  ///
  /// - Parameter dataset: the data set's name.
  /// - Returns: the decision.
  public func onDatasetDeleted(_ dataset: String) async -> DeletionResponse { .purge }

  /// The synchronisation goes on.
  ///
  /// - Parameters:
  ///   - names: the names of merged data sets.
  ///   - dataset: the name of the data set that is synchronised.
  /// - Returns: true.
  public func onDatasetsMerged(_ names: [String], into dataset: String) async -> Bool { true }

  /// Does nothing.
  ///
  /// - Parameters:
  ///   - dataset: the data set's name.
  ///   - updated: the records that were taken from the service.
  public func onSuccess(_ dataset: String, updated: [DatasetRecord]) async {}

  /// Does nothing.
  ///
  /// - Parameters:
  ///   - dataset: the data set's name.
  ///   - error: why the synchronisation ended.
  public func onFailure(_ dataset: String, _ error: SyncClientError) async {}
}

/// Decides everything as ``SyncHandler`` does by default.
public struct DefaultSyncHandler: SyncHandler {
  /// A handler.
  public init() {}
}
