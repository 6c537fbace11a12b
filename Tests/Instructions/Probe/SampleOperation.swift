internal import ServiceOperations
internal import TokenSecurityBase

/// Requests of declared operations as a service reads and answers them, without what the service does in
/// between.
struct SampleOperation {
  static let pool = "eu-west-1:01234567-89ab-cdef-0123-456789abcdef"
  static let router = OperationRouter(identityPools, securityTokenService, sampleRecords)

  private let table: OperationTable<Void, OperationError>
  private let head = SampleOperation.head("GetOpenIdTokenForDeveloperIdentity")
  private let body = Array(
    """
    {"IdentityPoolId":"\(pool)","Logins":{"login.my.app":"jane"},"TokenDuration":900}
    """.utf8)

  init() {
    // The length of a token with an RS256 signature.
    let token = String(repeating: "eyJhbGciOiJSUzI1NiJ9.", count: 40)
    var table = OperationTable<Void, OperationError>()
    table.on(GetOpenIDTokenForDeveloperIdentity.self) { (input, _) in
      .init {
        $0.identityID = input.poolID
        $0.token = token
      }
    }
    table.on(GetID.self) { (_, _) in .init() }
    table.on(AssumeRoleWithWebIdentity.self) { (_, _) in .init() }
    table.on(UpdateRecords.self) { (_, _) in .init() }
    self.table = table
  }

  static func head(_ operation: String) -> OperationRequestHead {
    OperationRequestHead(
      method: "POST", target: "/",
      headers: [
        (name: "Host", value: "localhost"), (name: "Content-Type", value: "application/x-amz-json-1.1"),
        (name: "X-Amz-Target", value: "AWSCognitoIdentityService.\(operation)"),
      ])
  }

  /// Selects the operation, and reads and checks its members.
  func read(
    _ head: OperationRequestHead, _ body: [UInt8]
  ) throws(OperationError) -> OperationCall<Void, OperationError> {
    if let route = try Self.router.route(head) { return try table.call(route, body) }
    return try table.call(try Self.router.route(form: body), body)
  }

  /// Reads a developer's request for a token.
  func readDeveloperToken() throws -> OperationCall<Void, OperationError> { try read(head, body) }
}

/// Records as data synchronisation has them: members in the path, in the query, in a header field and in the
/// body.
private let sampleRecords = ServiceDeclaration(
  "Records", signingName: "cognito-sync", .rest, [UpdateRecords.self])

private enum UpdateRecords: ServiceOperation {
  static let declaration = OperationDeclaration(
    "UpdateRecords", .identity(.identity("IdentityId")), "Changes records.",
    route: .post("/identitypools/{IdentityPoolId}/identities/{IdentityId}/datasets/{DatasetName}"))

  struct Input: Structure {
    var poolID = ""
    var identityID = ""
    var dataset = ""
    var nextToken: String?
    var context: String?
    var patches: [Patch]?

    mutating func members(_ m: inout Members) {
      m.required("IdentityPoolId", &poolID, .any, in: .path("IdentityPoolId"))
      m.required("IdentityId", &identityID, .any, in: .path("IdentityId"))
      m.required("DatasetName", &dataset, TextBounds(#"[\p{L}\p{N}_.:-]+"#), in: .path("DatasetName"))
      m.optional("NextToken", &nextToken, .any, in: .query("nextToken"))
      m.optional("ClientContext", &context, .any, in: .header("x-amz-Client-Context"))
      m.optional("RecordPatches", &patches, .init(ownLimit: 100_000))
    }
  }

  struct Patch: Structure {
    var key = ""
    var value: String?
    var count: Int64?

    mutating func members(_ m: inout Members) {
      m.required("Key", &key, TextBounds(1...1_024))
      m.optional("Value", &value, .any)
      m.optional("SyncCount", &count, .long)
    }
  }
}
