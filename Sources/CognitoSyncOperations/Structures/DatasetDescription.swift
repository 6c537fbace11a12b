internal import CognitoIdentityOperations

/// A data set.
public struct DatasetDescription: Structure {
  /// The identity's id.
  public var identityID: String?
  /// The name.
  public var name: String?
  /// When it was made.
  public var created: Timestamp?
  /// When a record was last changed.
  public var modified: Timestamp?
  /// Who last changed a record: a device, an identity, or the developer's account.
  public var modifiedBy: String?
  /// The bytes of its keys and values.
  public var size: Int64?
  /// The number of its records.
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

/// The name of a data set: its pool, its identity and its own.
public struct DatasetName: Structure {
  /// The pool's id.
  public var poolID = ""
  /// The identity's id.
  public var identityID = ""
  /// The name.
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
