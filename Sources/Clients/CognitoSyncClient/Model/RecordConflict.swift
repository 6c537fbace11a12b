internal import TokenSecurityBase

/// A record that this device and another one changed to different values.
public struct RecordConflict: Sendable, Hashable {
  /// The record as this device has it.
  public let local: DatasetRecord
  /// The record as the service has it.
  public let remote: DatasetRecord

  /// A conflict.
  ///
  /// - Parameters:
  ///   - local: the record as this device has it.
  ///   - remote: the record as the service has it.
  public init(local: DatasetRecord, remote: DatasetRecord) {
    self.local = local
    self.remote = remote
  }

  /// The key of both records.
  public var key: String { remote.key }

  /// The later change, by the clocks of the devices; the service's where both are of one time.
  public var latest: ConflictResolution {
    local.deviceLastModified > remote.deviceLastModified ? .local : .remote
  }
}

/// The resolution of a record that has two values.
public enum ConflictResolution: Sendable, Hashable {
  /// This device's value, which is sent to the service.
  case local
  /// The service's value.
  case remote
  /// Another value, which is sent to the service; nil removes the record.
  case value(String?)
  /// The synchronisation ends and nothing changes.
  case stop
}

/// The response to the deletion of a data set by another device.
public enum DeletionResponse: Sendable, Hashable {
  /// It is removed from this device, with changes that were not sent yet.
  case purge
  /// This device's records become those of a new data set.
  case restore
  /// The synchronisation ends and nothing changes.
  case stop
}
