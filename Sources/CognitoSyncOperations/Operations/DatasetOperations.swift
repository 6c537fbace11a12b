internal import CognitoIdentityOperations

// Operations on data sets.

let datasetOperations: [any ServiceOperation.Type] = [
  ListDatasets.self, DescribeDataset.self, DeleteDataset.self, DescribeIdentityUsage.self,
]

/// Lists the data sets of an identity.
public enum ListDatasets: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "ListDatasets", .developerOrIdentity(.reading, .pool("IdentityPoolId")),
    "Lists the data sets of an identity.",
    route: .get("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets"), errors: .lists)

  /// The identity, and which page.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""
    /// The identity's id.
    public var identityID = ""
    /// The token of the previous page.
    public var nextToken: String?
    /// The most data sets in the page.
    public var maxResults: Int64?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
      m.required("IdentityId", &identityID, .identityID, in: .path("IdentityId"))
      m.optional("NextToken", &nextToken, .syncPageToken, in: .query("nextToken"))
      m.optional("MaxResults", &maxResults, .syncPage, in: .query("maxResults"))
    }
  }

  /// A page of data sets.
  public struct Output: Structure {
    /// The data sets.
    public var datasets: [DatasetDescription]?
    /// The number of data sets in the page.
    public var count: Int64?
    /// The token of the next page.
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
    errors: .usual)

  /// The data set's name.
  public typealias Input = DatasetName

  /// The data set.
  public struct Output: Structure {
    /// The data set.
    public var dataset: DatasetDescription?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) { m.optional("Dataset", &dataset) }
  }
}

/// Deletes a data set with its records.
public enum DeleteDataset: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DeleteDataset", .developerOrIdentity(.administering, .pool("IdentityPoolId")),
    "Deletes a data set with its records.",
    route: .delete("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}"),
    errors: .usual + [.resourceConflict], changes: ["IdentityPoolId", "IdentityId", "DatasetName"])

  /// The data set's name.
  public typealias Input = DatasetName

  /// The data set as it was.
  public typealias Output = DescribeDataset.Output
}

/// Returns what an identity stores.
public enum DescribeIdentityUsage: ServiceOperation {
  /// The declaration.
  public static let declaration = OperationDeclaration(
    "DescribeIdentityUsage", .developerOrIdentity(.reading, .pool("IdentityPoolId")),
    "Returns the number and the size of an identity's data sets.",
    route: .get("/identitypools/{IdentityPoolId}/identities/{IdentityId}"), errors: .usual)

  /// The identity.
  public struct Input: Structure {
    /// The pool's id.
    public var poolID = ""
    /// The identity's id.
    public var identityID = ""

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .identityID, in: .path("IdentityPoolId"))
      m.required("IdentityId", &identityID, .identityID, in: .path("IdentityId"))
    }
  }

  /// What it stores.
  public struct Output: Structure {
    /// Number and size.
    public var usage: IdentityUsage?

    /// A value without members.
    public init() {}

    /// Declares the members.
    public mutating func members(_ m: inout Members) { m.optional("IdentityUsage", &usage) }
  }

  /// What an identity stores.
  public struct IdentityUsage: Structure {
    /// The identity's id.
    public var identityID: String?
    /// The pool's id.
    public var poolID: String?
    /// When a data set was last changed.
    public var modified: Timestamp?
    /// The number of data sets.
    public var datasetCount: Int64?
    /// The bytes of all keys and values.
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
