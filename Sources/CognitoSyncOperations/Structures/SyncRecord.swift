/// A record of a data set: a key and its value.
public struct SyncRecord: Structure {
  /// The key.
  public var key: String?
  /// The value; nil for a record that was removed.
  public var value: String?
  /// The count of the data set's change that changed the record.
  public var syncCount: Int64?
  /// When it was changed, by the service's clock.
  public var modified: Timestamp?
  /// Who changed it: a device, an identity, or the developer's account.
  public var modifiedBy: String?
  /// When it was changed, by the device's clock.
  public var deviceModified: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("Key", &key, .recordKey)
    m.optional("Value", &value, .recordValue)
    m.optional("SyncCount", &syncCount, .long)
    m.optional("LastModifiedDate", &modified)
    m.optional("LastModifiedBy", &modifiedBy, .lastModifiedBy)
    m.optional("DeviceLastModifiedDate", &deviceModified)
  }
}

/// A change of a record.
public struct RecordPatch: Structure {
  /// What is done.
  public var change = Change.replace
  /// The key.
  public var key = ""
  /// The new value.
  public var value: String?
  /// The record's present count; 0 for a new record.
  public var syncCount: Int64 = 0
  /// When the record was changed, by the device's clock.
  public var deviceModified: Timestamp?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("Op", &change)
    m.required("Key", &key, .recordKey)
    m.optional("Value", &value, .recordValue)
    m.required("SyncCount", &syncCount, .long)
    m.optional("DeviceLastModifiedDate", &deviceModified)
  }

  /// What is done with a record.
  public enum Change: ExactString, MemberChoice {
    /// It gets the value.
    case replace = "replace"
    /// It is removed.
    case remove = "remove"
  }
}
