public import TokenLifetime
internal import TokenSecurityBase

/// Which data set of which identity.
public struct DatasetID: Sendable, Hashable {
  /// The identity; nil before there is one.
  public let identityID: String?
  /// The data set's name.
  public let name: String

  /// A data set of an identity.
  ///
  /// - Parameters:
  ///   - identityID: the identity; nil before there is one.
  ///   - name: the data set's name.
  public init(identityID: String?, name: String) {
    self.identityID = identityID
    self.name = name
  }
}

/// The state of a data set on this device, besides its records.
public struct LocalDataset: Sendable, Hashable {
  /// Which data set.
  public let id: DatasetID
  /// The data set's count on the service up to which this device has all changes; 0 where it was never
  /// synchronised.
  public var lastSyncCount: Int64
  /// Whether this device deleted the data set, and the service has not done so yet. Records that were put
  /// afterwards are those of a new one.
  public var isDeletionPending: Bool
  /// When the data set was made on this device.
  public var created: Timestamp
  /// When this device last changed a record of it, or took one over from the service.
  public var lastModified: Timestamp

  /// A data set.
  ///
  /// - Parameters:
  ///   - id: which data set.
  ///   - lastSyncCount: the count up to which this device has all changes.
  ///   - isDeletionPending: whether the service does not know yet that it was deleted.
  ///   - created: when it was made.
  ///   - lastModified: when it was last changed. Default: when it was made.
  public init(
    id: DatasetID, lastSyncCount: Int64 = 0, isDeletionPending: Bool = false, created: Timestamp,
    lastModified: Timestamp? = nil
  ) {
    self.id = id
    self.lastSyncCount = lastSyncCount
    self.isDeletionPending = isDeletionPending
    self.created = created
    self.lastModified = lastModified ?? created
  }
}

/// A data set on the service.
public struct RemoteDataset: Sendable, Hashable {
  /// The name.
  public let name: String
  /// When it was made.
  public let created: Timestamp?
  /// When it was last changed.
  public let lastModified: Timestamp?
  /// The device, the identity or the account that last changed it.
  public let lastModifiedBy: String?
  /// The bytes of its keys and values.
  public let size: Int64?
  /// The number of its records.
  public let recordCount: Int64?
}
