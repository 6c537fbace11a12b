internal import ServiceOperations

// Operations of REST-JSON whose members are in the path, the query, header fields and the body.

let sampleDatasets = ServiceDeclaration(
  "Datasets", signingName: "cognito-sync", .rest,
  [ListDatasets.self, DescribeDataset.self, DeleteDataset.self, SetConfiguration.self])

private let datasets: ExactString = "/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets"
private let dataset: ExactString =
  "/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}"

enum ListDatasets: ServiceOperation {
  static let declaration = OperationDeclaration(
    "ListDatasets", .identity(.identity("IdentityId")), "Lists datasets.", route: .get(datasets))

  struct Input: Structure {
    var poolID = ""
    var identityID = ""
    var nextToken: String?
    var maxResults: Int64?
    var isFull: Bool?
    var since: Timestamp?

    mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .syncID, in: .path("IdentityPoolId"))
      m.required("IdentityId", &identityID, .syncID, in: .path("IdentityId"))
      m.optional("NextToken", &nextToken, .any, in: .query("nextToken"))
      m.optional("MaxResults", &maxResults, .integer(1...60), in: .query("maxResults"))
      m.optional("Full", &isFull, in: .query("full"))
      m.optional("Since", &since, in: .query("since"))
    }
  }
}

struct DatasetName: Structure {
  var poolID = ""
  var identityID = ""
  var name = ""

  mutating func members(_ m: inout Members) {
    m.required("IdentityPoolId", &poolID, .syncID, in: .path("IdentityPoolId"))
    m.required("IdentityId", &identityID, .syncID, in: .path("IdentityId"))
    m.required("DatasetName", &name, .any, in: .path("DatasetName"))
  }
}

enum DescribeDataset: ServiceOperation {
  static let declaration = OperationDeclaration(
    "DescribeDataset", .identity(.identity("IdentityId")), "Returns a dataset.", route: .get(dataset))
  typealias Input = DatasetName

  struct Output: Structure {
    var name: String?

    mutating func members(_ m: inout Members) { m.optional("DatasetName", &name, .any) }
  }
}

enum DeleteDataset: ServiceOperation {
  static let declaration = OperationDeclaration(
    "DeleteDataset", .identity(.identity("IdentityId")), "Deletes a dataset.", route: .delete(dataset))
  typealias Input = DatasetName
}

enum SetConfiguration: ServiceOperation {
  static let declaration = OperationDeclaration(
    "SetConfiguration", .developer(.administering, .pool("IdentityPoolId")), "Sets a pool's configuration.",
    route: .post("/identitypools/{IdentityPoolId}/configuration"))

  struct Input: Structure {
    var poolID = ""
    var context: String?
    var streams: [String]?

    mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .syncID, in: .path("IdentityPoolId"))
      m.optional("Context", &context, .any, in: .header("x-amz-Client-Context"))
      m.optional("Streams", &streams, .init(0...2, of: TextBounds(1...8)))
    }
  }
}
