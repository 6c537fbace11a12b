// Operations on records.

let recordOperations: [any ServiceOperation.Type] = [ListRecords.self, UpdateRecords.self]

/// Lists the records of a data set that were changed after a count.
public enum ListRecords: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListRecords", .developerOrIdentity(.reading, .pool("IdentityPoolId")),
    "Lists the records of a data set that were changed after a count, and begins a synchronisation.",
    route: .get("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}/records"),
    errors: .lists)

  /// The data set, and which records.
  public struct Input: Structure {
    /// The data set.
    public var dataset = DatasetName()
    /// The count after which records are listed. Default: all.
    public var lastSyncCount: Int64?
    /// The token of the previous page.
    public var nextToken: String?
    /// The most records in the page.
    public var maxResults: Int64?
    /// The token of a session that goes on.
    public var sessionToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      dataset.members(&m)
      m.optional("LastSyncCount", &lastSyncCount, .syncCount, in: .query("lastSyncCount"))
      m.optional("NextToken", &nextToken, .syncPageToken, in: .query("nextToken"))
      m.optional("MaxResults", &maxResults, .syncPage, in: .query("maxResults"))
      m.optional("SyncSessionToken", &sessionToken, .syncSessionToken, in: .query("syncSessionToken"))
    }
  }

  /// A page of records.
  public struct Output: Structure {
    /// The records, ordered by count.
    public var records: [SyncRecord]?
    /// The number of records in the page.
    public var count: Int64?
    /// The token of the next page.
    public var nextToken: String?
    /// The count of the data set's last change.
    public var datasetSyncCount: Int64?
    /// Who last changed the data set: a device, an identity, or the developer's account.
    public var modifiedBy: String?
    /// The names of data sets that came with merged identities.
    public var mergedDatasetNames: [String]?
    /// Whether the data set exists.
    public var datasetExists: Bool?
    /// Whether it was deleted after the count of the request. It may exist again.
    public var deletedAfterRequestedCount: Bool?
    /// The token with which records can be changed.
    public var sessionToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Records", &records, .init(ownLimit: 1_024))
      m.optional("Count", &count, .integer)
      m.optional("NextToken", &nextToken, .syncPageToken)
      m.optional("DatasetSyncCount", &datasetSyncCount, .long)
      m.optional("LastModifiedBy", &modifiedBy, .lastModifiedBy)
      m.optional("MergedDatasetNames", &mergedDatasetNames, .init(of: .datasetName))
      m.optional("DatasetExists", &datasetExists)
      m.optional("DatasetDeletedAfterRequestedSyncCount", &deletedAfterRequestedCount)
      m.optional("SyncSessionToken", &sessionToken, .syncSessionToken)
    }
  }
}

/// Changes records of a data set, all or none of them.
public enum UpdateRecords: ServiceOperation {
  /// The most bytes of a request: a full data set whose text needs escapes.
  public static let bodyLimit = 8 << 20

  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateRecords", .developerOrIdentity(.administering, .pool("IdentityPoolId")),
    "Changes records of a data set, all or none of them. The first change makes the data set.",
    route: .post("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}"),
    errors: .usual + [.limitExceeded, .resourceConflict, .invalidLambdaFunctionOutput, .lambdaThrottled],
    changes: ["IdentityPoolId", "IdentityId", "DatasetName"], bodyLimit: bodyLimit, isRefusedAgain: true)

  /// The data set and the changes.
  public struct Input: Structure {
    /// The data set.
    public var dataset = DatasetName()
    /// The device that changed the records. It gets no push message about it.
    public var deviceID: String?
    /// The changes.
    public var patches: [RecordPatch]?
    /// The token that `ListRecords` returned.
    public var sessionToken = ""
    /// A text for functions, which the service does not call.
    public var clientContext: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      dataset.members(&m)
      m.optional("DeviceId", &deviceID, .deviceID)
      m.optional("RecordPatches", &patches, .init(ownLimit: 2_048))
      m.required("SyncSessionToken", &sessionToken, .syncSessionToken)
      m.optional("ClientContext", &clientContext, .clientContext, in: .header("x-amz-Client-Context"))
    }
  }

  /// The changed records.
  public struct Output: Structure {
    /// The records, all with the same count.
    public var records: [SyncRecord]?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Records", &records, .init(ownLimit: 2_048))
    }
  }
}
