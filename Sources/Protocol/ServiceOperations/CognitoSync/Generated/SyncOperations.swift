// Made by Tools/operations.py from the model of cognito-sync in botocore 1.44.8. Not edited by hand.

/// Lists the data sets of an identity.
public enum ListDatasets: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListDatasets", .developerOrIdentity(.reading, .pool("IdentityPoolId")),
    "Lists the data sets of an identity.",
    route: .get("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets"),
    errors: [.notAuthorized, .invalidParameter, .internalError, .tooManyRequests])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// `IdentityId`, required: 1 to 55 characters.
    public var identityID = ""
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?
    /// Maximum number of elements of the page.
    public var maxResults: Int64?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
      m.required("IdentityId", &identityID, .identityID, in: .path("IdentityId"))
      m.optional("NextToken", &nextToken, .syncPageToken, in: .query("nextToken"))
      m.optional("MaxResults", &maxResults, .integer(1...1_024), in: .query("maxResults"))
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `Datasets`.
    public var datasets: [DatasetDescription]?
    /// `Count`.
    public var count: Int64?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Datasets", &datasets, .init(ownLimit: 1_024))
      m.optional("Count", &count, .integer)
      m.optional("NextToken", &nextToken, .syncPageToken)
    }
  }
}

/// Returns a data set.
public enum DescribeDataset: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeDataset", .developerOrIdentity(.reading, .pool("IdentityPoolId")), "Returns a data set.",
    route: .get("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}"),
    errors: [.notAuthorized, .invalidParameter, .resourceNotFound, .internalError, .tooManyRequests])

  /// The request.
  public typealias Input = DatasetName

  /// The response.
  public struct Output: Structure {
    /// `Dataset`.
    public var dataset: DatasetDescription?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("Dataset", &dataset)
    }
  }
}

/// Deletes a data set with its records.
public enum DeleteDataset: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteDataset", .developerOrIdentity(.administering, .pool("IdentityPoolId")),
    "Deletes a data set with its records.",
    route: .delete("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}"),
    errors: [
      .notAuthorized, .invalidParameter, .resourceNotFound, .internalError, .tooManyRequests,
      .resourceConflict,
    ], changes: ["IdentityPoolId", "IdentityId", "DatasetName"])

  /// The request.
  public typealias Input = DatasetName

  /// The response.
  public typealias Output = DescribeDataset.Output
}

/// Returns the number and the size of an identity's data sets.
public enum DescribeIdentityUsage: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeIdentityUsage", .developerOrIdentity(.reading, .pool("IdentityPoolId")),
    "Returns the number and the size of an identity's data sets.",
    route: .get("/identitypools/{IdentityPoolId}/identities/{IdentityId}"),
    errors: [.notAuthorized, .invalidParameter, .resourceNotFound, .internalError, .tooManyRequests])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// `IdentityId`, required: 1 to 55 characters.
    public var identityID = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
      m.required("IdentityId", &identityID, .identityID, in: .path("IdentityId"))
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `IdentityUsage`.
    public var usage: DescribeIdentityUsage.IdentityUsage?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("IdentityUsage", &usage)
    }
  }
}

/// Lists the records of a data set that were changed after a count, and begins a synchronisation.
public enum ListRecords: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListRecords", .developerOrIdentity(.reading, .pool("IdentityPoolId")),
    "Lists the records of a data set that were changed after a count, and begins a synchronisation.",
    route: .get("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}/records"),
    errors: [.invalidParameter, .notAuthorized, .tooManyRequests, .internalError])

  /// The request.
  public struct Input: Structure {
    /// The name of a data set: its pool, its identity and its own.
    public var dataset = DatasetName()
    /// The count after which records are listed. Default: all.
    public var lastSyncCount: Int64?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?
    /// Maximum number of elements of the page.
    public var maxResults: Int64?
    /// The token of a session that goes on.
    public var sessionToken: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      dataset.members(&m)
      m.optional(
        "LastSyncCount", &lastSyncCount, .long(0...9_223_372_036_854_775_807), in: .query("lastSyncCount"))
      m.optional("NextToken", &nextToken, .syncPageToken, in: .query("nextToken"))
      m.optional("MaxResults", &maxResults, .integer(1...1_024), in: .query("maxResults"))
      m.optional("SyncSessionToken", &sessionToken, .syncSessionToken, in: .query("syncSessionToken"))
    }
  }

  /// The response.
  public struct Output: Structure {
    /// The records, ordered by count.
    public var records: [SyncRecord]?
    /// The token of a page; nil for the first one, and after the last one.
    public var nextToken: String?
    /// `Count`.
    public var count: Int64?
    /// The count of the data set's last change.
    public var datasetSyncCount: Int64?
    /// Who last changed a record: a device, an identity, or the developer's account.
    public var modifiedBy: String?
    /// The names of data sets that came with merged identities.
    public var mergedDatasetNames: [String]?
    /// `DatasetExists`.
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
      m.optional("NextToken", &nextToken, .syncPageToken)
      m.optional("Count", &count, .integer)
      m.optional("DatasetSyncCount", &datasetSyncCount, .long)
      m.optional("LastModifiedBy", &modifiedBy, .lastModifiedBy)
      m.optional("MergedDatasetNames", &mergedDatasetNames, .init(of: .datasetName))
      m.optional("DatasetExists", &datasetExists)
      m.optional("DatasetDeletedAfterRequestedSyncCount", &deletedAfterRequestedCount)
      m.optional("SyncSessionToken", &sessionToken, .syncSessionToken)
    }
  }
}

/// Changes records of a data set, all or none of them. The first change makes the data set.
public enum UpdateRecords: ServiceOperation {
  /// Maximum number of bytes of a request.
  public static let bodyLimit = 8 << 20

  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UpdateRecords", .developerOrIdentity(.administering, .pool("IdentityPoolId")),
    "Changes records of a data set, all or none of them. The first change makes the data set.",
    route: .post("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}"),
    errors: [
      .invalidParameter, .limitExceeded, .notAuthorized, .resourceNotFound, .resourceConflict,
      .invalidLambdaFunctionOutput, .lambdaThrottled, .tooManyRequests, .internalError,
    ], changes: ["IdentityPoolId", "IdentityId", "DatasetName"], bodyLimit: bodyLimit, isRefusedAgain: true)

  /// The request.
  public struct Input: Structure {
    /// The name of a data set: its pool, its identity and its own.
    public var dataset = DatasetName()
    /// The device that changed the records. It gets no push message about it.
    public var deviceID: String?
    /// `RecordPatches`.
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

  /// The response.
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

/// Registers a device for push messages.
public enum RegisterDevice: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "RegisterDevice", .identity(.pool("IdentityPoolId")), "Registers a device for push messages.",
    route: .post("/identitypools/{IdentityPoolId}/identity/{IdentityId}/device"),
    errors: [
      .notAuthorized, .invalidParameter, .resourceNotFound, .internalError, .invalidConfiguration,
      .tooManyRequests,
    ], changes: ["IdentityPoolId", "IdentityId", "DeviceId"])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// `IdentityId`, required: 1 to 55 characters.
    public var identityID = ""
    /// `Platform`, required.
    public var platform = PushPlatform.apns
    /// The device's token of the platform.
    public var token = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
      m.required("IdentityId", &identityID, .identityID, in: .path("IdentityId"))
      m.required("Platform", &platform)
      m.required("Token", &token, .pushToken)
    }
  }

  /// The response.
  public struct Output: Structure {
    /// `DeviceId`: 1 to 256 characters.
    public var deviceID: String?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.optional("DeviceId", &deviceID, .deviceID)
    }
  }
}

/// Lets a device get a push message for each change of a data set by others.
public enum SubscribeToDataset: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SubscribeToDataset", .identity(.pool("IdentityPoolId")),
    "Lets a device get a push message for each change of a data set by others.",
    route: .post(
      "/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}/subscriptions/{DeviceId}"
    ),
    errors: [
      .notAuthorized, .invalidParameter, .resourceNotFound, .internalError, .invalidConfiguration,
      .tooManyRequests,
    ], changes: ["IdentityPoolId", "IdentityId", "DatasetName", "DeviceId"])

  /// The request.
  public typealias Input = DatasetSubscription
}

/// Ends the push messages to a device for a data set.
public enum UnsubscribeFromDataset: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "UnsubscribeFromDataset", .identity(.pool("IdentityPoolId")),
    "Ends the push messages to a device for a data set.",
    route: .delete(
      "/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}/subscriptions/{DeviceId}"
    ),
    errors: [
      .notAuthorized, .invalidParameter, .resourceNotFound, .internalError, .invalidConfiguration,
      .tooManyRequests,
    ], changes: ["IdentityPoolId", "IdentityId", "DatasetName", "DeviceId"])

  /// The request.
  public typealias Input = DatasetSubscription
}

/// Returns where push messages of a pool are sent.
public enum GetIdentityPoolConfiguration: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "GetIdentityPoolConfiguration", .developer(.reading, .pool("IdentityPoolId")),
    "Returns where push messages of a pool are sent.",
    route: .get("/identitypools/{IdentityPoolId}/configuration"),
    errors: [.notAuthorized, .invalidParameter, .resourceNotFound, .internalError, .tooManyRequests])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
    }
  }

  /// The response.
  public typealias Output = SyncConfiguration
}

/// Sets where push messages of a pool are sent.
public enum SetIdentityPoolConfiguration: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "SetIdentityPoolConfiguration", .developer(.administering, .pool("IdentityPoolId")),
    "Sets where push messages of a pool are sent.",
    route: .post("/identitypools/{IdentityPoolId}/configuration"),
    errors: [
      .notAuthorized, .invalidParameter, .resourceNotFound, .internalError, .tooManyRequests,
      .concurrentModification,
    ], changes: ["IdentityPoolId"])

  /// The request.
  public struct Input: Structure {
    /// `IdentityPoolId`, required: 1 to 55 characters.
    public var poolID = ""
    /// `PushSync`.
    public var push: PushSettings?
    /// The stream of changes, which the service does not have.
    public var streams: StreamSettings?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
      m.optional("PushSync", &push)
      m.optional("CognitoStreams", &streams)
    }
  }

  /// The response.
  public typealias Output = SyncConfiguration
}

extension ErrorDeclaration {
  fileprivate static let concurrentModification = ErrorDeclaration("ConcurrentModificationException")
  fileprivate static let internalError = ErrorDeclaration("InternalErrorException", status: 500)
  fileprivate static let invalidConfiguration = ErrorDeclaration("InvalidConfigurationException")
  fileprivate static let invalidLambdaFunctionOutput = ErrorDeclaration(
    "InvalidLambdaFunctionOutputException")
  fileprivate static let invalidParameter = ErrorDeclaration("InvalidParameterException")
  fileprivate static let lambdaThrottled = ErrorDeclaration("LambdaThrottledException", status: 429)
  fileprivate static let limitExceeded = ErrorDeclaration("LimitExceededException")
  fileprivate static let notAuthorized = ErrorDeclaration("NotAuthorizedException", status: 403)
  fileprivate static let resourceConflict = ErrorDeclaration("ResourceConflictException", status: 409)
  fileprivate static let resourceNotFound = ErrorDeclaration("ResourceNotFoundException", status: 404)
  fileprivate static let tooManyRequests = ErrorDeclaration("TooManyRequestsException", status: 429)
}
