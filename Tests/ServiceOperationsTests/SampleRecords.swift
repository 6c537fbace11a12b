internal import ServiceOperations

// Operations of REST-JSON in the style of data synchronisation.

let sampleRecords = ServiceDeclaration(
  "Records", signingName: "cognito-sync", .rest, [UpdateRecords.self, ListRecords.self])

enum UpdateRecords: ServiceOperation {
  static let declaration = OperationDeclaration(
    "UpdateRecords", .developerOrIdentity(.administering, .identity("IdentityId")), "Changes records.",
    route: .post("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}"),
    errors: [ErrorDeclaration("ResourceConflictException", status: 409)], bodyLimit: 8 << 20)

  struct Input: Structure {
    var poolID = ""
    var identityID = ""
    var dataset = ""
    var token = ""
    var patches: [Patch]?
    var context: String?

    mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .syncID, in: .path("IdentityPoolId"))
      m.required("IdentityId", &identityID, .syncID, in: .path("IdentityId"))
      m.required("DatasetName", &dataset, .dataset, in: .path("DatasetName"))
      m.required("SyncSessionToken", &token, .any)
      m.optional("RecordPatches", &patches, .init(ownLimit: 1_024))
      m.optional("ClientContext", &context, .any, in: .header("x-amz-Client-Context"))
    }
  }

  enum Change: ExactString, MemberChoice {
    case replace = "replace"
    case remove = "remove"
  }

  struct Patch: Structure {
    var change = Change.replace
    var key = ""
    var value: String?
    var count: Int64 = 0
    var modified: Timestamp?

    mutating func members(_ m: inout Members) {
      m.required("Op", &change)
      m.required("Key", &key, TextBounds(1...1_024))
      m.optional("Value", &value, TextBounds(...1_048_575))
      m.required("SyncCount", &count, .long)
      m.optional("DeviceLastModifiedDate", &modified)
    }
  }

  struct Output: Structure {
    var keys: [String]?

    mutating func members(_ m: inout Members) { m.optional("Keys", &keys, .init(of: .any)) }
  }
}

enum ListRecords: ServiceOperation {
  static let declaration = OperationDeclaration(
    "ListRecords", .identity(.identity("IdentityId")), "Lists records.",
    route: .get("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}/records"))

  struct Input: Structure {
    var poolID = ""
    var identityID = ""
    var dataset = ""
    var lastSyncCount: Int64?
    var nextToken: String?

    mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .syncID, in: .path("IdentityPoolId"))
      m.required("IdentityId", &identityID, .syncID, in: .path("IdentityId"))
      m.required("DatasetName", &dataset, .dataset, in: .path("DatasetName"))
      m.optional("LastSyncCount", &lastSyncCount, .long, in: .query("lastSyncCount"))
      m.optional("NextToken", &nextToken, .any, in: .query("nextToken"))
    }
  }
}
