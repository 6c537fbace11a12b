// Made by Tools/operations.py from the model of cognito-sync in botocore 1.44.8. Not edited by hand.

/// The name of a data set: its pool, its identity and its own.
public struct DatasetName: Structure {
  /// `IdentityPoolId`, required: 1 to 55 characters.
  public var poolID = ""
  /// `IdentityId`, required: 1 to 55 characters.
  public var identityID = ""
  /// The name of a data set: its pool, its identity and its own.
  public var name = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
    m.required("IdentityId", &identityID, .identityID, in: .path("IdentityId"))
    m.required("DatasetName", &name, .datasetName, in: .path("DatasetName"))
  }
}

/// A data set.
public struct DatasetDescription: Structure {
  /// `IdentityId`: 1 to 55 characters.
  public var identityID: String?
  /// The name of a data set: its pool, its identity and its own.
  public var name: String?
  /// When it was made.
  public var created: Timestamp?
  /// When it was last changed.
  public var modified: Timestamp?
  /// Who last changed a record: a device, an identity, or the developer's account.
  public var modifiedBy: String?
  /// The bytes of its keys and values.
  public var size: Int64?
  /// `NumRecords`.
  public var recordCount: Int64?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IdentityId", &identityID, .identityID)
    m.optional("DatasetName", &name, .datasetName)
    m.optional("CreationDate", &created)
    m.optional("LastModifiedDate", &modified)
    m.optional("LastModifiedBy", &modifiedBy, .lastModifiedBy)
    m.optional("DataStorage", &size, .long)
    m.optional("NumRecords", &recordCount, .long)
  }
}

extension DescribeIdentityUsage {
  /// The data that an identity stores.
  public struct IdentityUsage: Structure {
    /// `IdentityId`: 1 to 55 characters.
    public var identityID: String?
    /// `IdentityPoolId`: 1 to 55 characters.
    public var poolID: String?
    /// When it was last changed.
    public var modified: Timestamp?
    /// `DatasetCount`.
    public var datasetCount: Int64?
    /// The bytes of its keys and values.
    public var size: Int64?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityId", &identityID, .identityID)
      m.optional("IdentityPoolId", &poolID, .identityID)
      m.optional("LastModifiedDate", &modified)
      m.optional("DatasetCount", &datasetCount, .integer)
      m.optional("DataStorage", &size, .long)
    }
  }
}

/// A record of a data set: a key and its value.
public struct SyncRecord: Structure {
  /// `Key`: 1 to 1024 characters.
  public var key: String?
  /// The value; nil for a record that was removed.
  public var value: String?
  /// The count of the data set's change that changed the record.
  public var syncCount: Int64?
  /// When it was changed, by the service's clock.
  public var modified: Timestamp?
  /// Who last changed a record: a device, an identity, or the developer's account.
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
  /// `Op`, required.
  public var change = RecordPatch.Change.replace
  /// `Key`, required: 1 to 1024 characters.
  public var key = ""
  /// The value; nil for a record that was removed.
  public var value: String?
  /// The record's present count; 0 for a new record.
  public var syncCount: Int64 = 0
  /// When it was changed, by the device's clock.
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
}

/// A device and a data set.
public struct DatasetSubscription: Structure {
  /// The name of a data set: its pool, its identity and its own.
  public var dataset = DatasetName()
  /// `DeviceId`, required: 1 to 256 characters.
  public var deviceID = ""

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    dataset.members(&m)
    m.required("DeviceId", &deviceID, .deviceID, in: .path("DeviceId"))
  }
}

/// The settings of a pool.
public struct SyncConfiguration: Structure {
  /// `IdentityPoolId`: 1 to 55 characters.
  public var poolID: String?
  /// `PushSync`.
  public var push: PushSettings?
  /// `CognitoStreams`.
  public var streams: StreamSettings?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("IdentityPoolId", &poolID, .identityID)
    m.optional("PushSync", &push)
    m.optional("CognitoStreams", &streams)
  }
}

/// Where push messages of a pool are sent.
public struct PushSettings: Structure {
  /// `ApplicationArns`.
  public var applicationARNs: [String]?
  /// `RoleArn`: 20 to 2048 characters.
  public var roleARN: String?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("ApplicationArns", &applicationARNs, .init(of: .applicationARN, ownLimit: 10))
    m.optional("RoleArn", &roleARN, .pushRoleARN)
  }
}

/// A stream of changes. The service does not have streams, and refuses this member.
public struct StreamSettings: Structure {
  /// `StreamName`: 1 to 128 characters.
  public var name: String?
  /// `RoleArn`: 20 to 2048 characters.
  public var roleARN: String?
  /// `StreamingStatus`.
  public var status: StreamSettings.Status?

  /// A value without members.
  public init() {}

  /// Declares the members.
  public mutating func members(_ m: inout Members) {
    m.optional("StreamName", &name, .streamName)
    m.optional("RoleArn", &roleARN, .pushRoleARN)
    m.optional("StreamingStatus", &status)
  }
}
