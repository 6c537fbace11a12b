public import TokenLifetime
internal import TokenSecurityBase

/// A record of a data set: a key and its value, as this device has it or as the service sent it.
public struct DatasetRecord: Sendable, Hashable {
  /// The key.
  public let key: String
  /// The value; nil for a record that was removed.
  public var value: String?
  /// The count of the change that the service knows as the record's last; 0 for none.
  public var syncCount: Int64
  /// When the service stored the last change; nil for none.
  public var lastModified: Timestamp?
  /// The device, the identity or the account that made the last change that the service stored; nil for none.
  public var lastModifiedBy: String?
  /// When the value was changed, by the clock of the device that changed it.
  public var deviceLastModified: Timestamp
  /// Whether this device changed the record since it was last synchronised.
  public var isModified: Bool

  /// A record.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - value: the value; nil for a record that was removed.
  ///   - syncCount: the count of its last change on the service; 0 for none.
  ///   - lastModified: when the service stored the last change.
  ///   - lastModifiedBy: who made that change.
  ///   - deviceLastModified: when a device changed the value.
  ///   - isModified: whether this device changed it since it was last synchronised.
  public init(
    key: String, value: String?, syncCount: Int64, lastModified: Timestamp? = nil,
    lastModifiedBy: String? = nil, deviceLastModified: Timestamp, isModified: Bool
  ) {
    self.key = key
    self.value = value
    self.syncCount = syncCount
    self.lastModified = lastModified
    self.lastModifiedBy = lastModifiedBy
    self.deviceLastModified = deviceLastModified
    self.isModified = isModified
  }

  /// The bytes that count against the size of a data set: those of key and value.
  public var size: Int { key.utf8.count + (value?.utf8.count ?? 0) }
}
