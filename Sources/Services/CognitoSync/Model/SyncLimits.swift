/// The limits of data sets: those of Amazon Cognito Sync, and some where it names none.
public struct SyncLimits: Sendable, Hashable {
  /// The most data sets of an identity. Merged ones count.
  public var datasets = 20
  /// The most data sets that an identity gets by merges, its own included. They move in one transaction.
  public var mergedDatasets = 1_000
  /// The most records of a data set that have values.
  public var records = 1_024
  /// The most keys of a data set, those of removed records included: other devices must learn of the removal.
  public var keys = 8_192
  /// The most bytes of a data set's keys and values. A removed record counts its key.
  public var size = 1 << 20
  /// The most devices of an identity. A new device replaces the one that was registered first.
  public var devices = 100
  /// The most devices that wait for the sender of push messages to register them, at a time and in this process.
  public var registrations = 64
  /// The most of them that are of one pool.
  public var poolRegistrations = 16

  /// The limits of Amazon Cognito Sync.
  public init() {}
}
