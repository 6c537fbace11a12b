/// The limits of data sets: those of Amazon Cognito Sync, and some where it names none.
public struct SyncLimits: Sendable, Hashable {
  /// Maximum number of data sets of an identity. Merged ones count.
  public var datasets = 20
  /// Maximum number of data sets that an identity gets by merges, its own included. They move in one transaction.
  public var mergedDatasets = 1_000
  /// Maximum number of records of a data set that have values.
  public var records = 1_024
  /// Maximum number of keys of a data set, those of removed records included: other devices must learn of the removal.
  public var keys = 8_192
  /// Maximum size in bytes of a data set's keys and values. A removed record counts its key.
  public var size = 1 << 20
  /// Maximum number of devices of an identity. A new device replaces the one that was registered first.
  public var devices = 100
  /// Maximum number of devices that wait for the sender of push messages to register them, at a time and in this
  /// process.
  public var registrations = 64
  /// Maximum number of them that are of one pool.
  public var poolRegistrations = 16

  /// The limits of Amazon Cognito Sync.
  public init() {}
}
