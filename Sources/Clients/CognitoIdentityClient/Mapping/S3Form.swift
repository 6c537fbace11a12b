internal import SigV4
internal import TokenSecurityBase

/// Requests as Amazon S3 reads them, with the bucket as the first segment of the path.
///
/// What names its objects in the body (`POST ?delete`, forms of browsers), and what is not listed here, has no action and is
/// refused.
enum S3Form {
  static func accesses(
    of head: RequestHead, _ path: ResourcePath
  ) throws(AccessMappingError) -> [RequestedAccess] {
    let query = try S3Query(head.query)
    let segments = path.segments
    let bucket = segments[0]
    guard !bucket.isEmpty else {
      guard ExactString(head.method) == "GET", query.names.isEmpty else { throw unmapped(head, query) }
      return [RequestedAccess("s3:ListAllMyBuckets", on: "arn:aws:s3:::*")]
    }
    guard isBucket(bucket) else { throw .unmapped("\(bucket.quoted) is no name of a bucket") }
    let key = segments.dropFirst().joined(separator: "/")
    return key.isEmpty
      ? [try bucketAccess(head, query, bucket)] : try objectAccesses(head, query, bucket, key)
  }

  private static func isBucket(_ name: String) -> Bool {
    name.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D
        || $0 == 0x2E || $0 == 0x5F
    }
  }

  private static func unmapped(_ head: RequestHead, _ query: S3Query) -> AccessMappingError {
    let names = query.names.map { $0.text.visible(upTo: 64) }.joined(separator: ", ")
    return .unmapped(
      "\(head.method.quoted) with the parameters (\(names.bounded(to: 200))) is no known call of S3")
  }

  private static func bucketAccess(
    _ head: RequestHead, _ query: S3Query, _ bucket: String
  ) throws(AccessMappingError) -> RequestedAccess {
    let resource = "arn:aws:s3:::\(bucket)"
    let method = ExactString(head.method)
    let names = query.names.filter { !S3Query.ofLists.contains($0) }
    let action: String
    switch (method, names.first, names.count) {
    case ("GET", nil, _): action = "s3:ListBucket"
    case ("GET", "location", 1): action = "s3:GetBucketLocation"
    case ("GET", "versions", 1): action = "s3:ListBucketVersions"
    case ("GET", "uploads", 1): action = "s3:ListBucketMultipartUploads"
    case ("HEAD", nil, _) where query.names.isEmpty: action = "s3:ListBucket"
    case ("PUT", nil, _) where query.names.isEmpty: action = "s3:CreateBucket"
    case ("DELETE", nil, _) where query.names.isEmpty: action = "s3:DeleteBucket"
    default: throw unmapped(head, query)
    }
    var keys: [(key: String, value: [String])] = []
    for name in ["prefix", "delimiter", "max-keys"] {
      if let value = query[name] { keys.append(("s3:\(name)", [value])) }
    }
    return RequestedAccess(action, on: resource, keys: keys)
  }

  private static func objectAccesses(
    _ head: RequestHead, _ query: S3Query, _ bucket: String, _ key: String
  ) throws(AccessMappingError) -> [RequestedAccess] {
    let resource = "arn:aws:s3:::\(bucket)/\(key)"
    var keys: [(key: String, value: [String])] = []
    var version = ""
    if let id = query["versionId"] {
      keys.append(("s3:VersionId", [id]))
      version = "Version"
    }
    let names = query.names.filter { $0 != "versionId" }
    let isUpload = names.allSatisfy { S3Query.ofUploads.contains($0) }
    var actions: [String]
    switch (ExactString(head.method), names.first, names.count) {
    case ("GET", nil, _), ("HEAD", nil, _), ("GET", "partNumber", 1), ("HEAD", "partNumber", 1):
      actions = ["s3:GetObject\(version)"]
    case ("DELETE", nil, _): actions = ["s3:DeleteObject\(version)"]
    case ("GET", "tagging", 1): actions = ["s3:GetObject\(version)Tagging"]
    case ("PUT", "tagging", 1): actions = ["s3:PutObject\(version)Tagging"]
    case ("DELETE", "tagging", 1): actions = ["s3:DeleteObject\(version)Tagging"]
    case ("GET", "acl", 1): actions = ["s3:GetObject\(version)Acl"]
    case ("PUT", "acl", 1): actions = ["s3:PutObject\(version)Acl"]
    case ("GET", "attributes", 1):
      actions = ["s3:GetObject\(version)", "s3:GetObject\(version)Attributes"]
    case ("GET", "retention", 1): actions = ["s3:GetObjectRetention"]
    case ("PUT", "retention", 1): actions = ["s3:PutObjectRetention"]
    case ("GET", "legal-hold", 1): actions = ["s3:GetObjectLegalHold"]
    case ("PUT", "legal-hold", 1): actions = ["s3:PutObjectLegalHold"]
    case ("PUT", nil, _) where version.isEmpty, ("POST", "uploads", 1) where version.isEmpty:
      actions = ["s3:PutObject"]
    case ("PUT", _, _)
    where version.isEmpty && isUpload && query["uploadId"] != nil && query["partNumber"] != nil:
      actions = ["s3:PutObject"]
    case ("POST", "uploadId", 1) where version.isEmpty: actions = ["s3:PutObject"]
    case ("DELETE", "uploadId", 1) where version.isEmpty: actions = ["s3:AbortMultipartUpload"]
    case ("GET", _, _) where version.isEmpty && isUpload && query["uploadId"] != nil:
      actions = ["s3:ListMultipartUploadParts"]
    default: throw unmapped(head, query)
    }
    actions += headerActions(head)
    var accesses = actions.map { RequestedAccess($0, on: resource, keys: keys) }
    if let source = try copySource(head) { accesses.append(source) }
    return accesses
  }

  /// Further actions that header fields ask for.
  private static func headerActions(_ head: RequestHead) -> [String] {
    var actions: [String] = []
    func add(_ action: String) { if !actions.contains(action) { actions.append(action) } }
    for field in head.headers {
      let name = field.name.lowercasedASCII
      switch ExactString(name) {
      case "x-amz-acl": add("s3:PutObjectAcl")
      case "x-amz-tagging": add("s3:PutObjectTagging")
      case "x-amz-object-lock-mode", "x-amz-object-lock-retain-until-date": add("s3:PutObjectRetention")
      case "x-amz-object-lock-legal-hold": add("s3:PutObjectLegalHold")
      case "x-amz-bypass-governance-retention": add("s3:BypassGovernanceRetention")
      default: if name.rest(after: "x-amz-grant-") != nil { add("s3:PutObjectAcl") }
      }
    }
    return actions
  }

  /// Reading the object that a copy is made of; nil for no copy.
  private static func copySource(_ head: RequestHead) throws(AccessMappingError) -> RequestedAccess? {
    let values = head.values("x-amz-copy-source")
    guard var source = values.first?[...] else { return nil }
    guard values.count == 1, ExactString(head.method) == "PUT" else {
      throw .unmapped("X-Amz-Copy-Source is there twice, or not in a PUT")
    }
    if source.first == UInt8(ascii: "/") { source = source.dropFirst() }
    let parts = source.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let path = try ResourcePath([UInt8(ascii: "/")] + Array(parts.first ?? []))
    let query = try S3Query(parts.count > 1 ? Array(parts[1]) : [])
    guard path.segments.count >= 2, isBucket(path.segments[0]),
      path.segments.count > 2 || !path.segments[1].isEmpty,
      query.names.allSatisfy({ $0 == "versionId" })
    else { throw .unmapped("X-Amz-Copy-Source is not BUCKET/KEY") }
    let version = query["versionId"]
    return RequestedAccess(
      version == nil ? "s3:GetObject" : "s3:GetObjectVersion", on: "arn:aws:s3:::\(path.text)",
      keys: version.map { [("s3:VersionId", [$0])] } ?? [])
  }
}

/// The parameters of a query that decide what a call of S3 does.
struct S3Query {
  private let values: [ExactString: String]
  /// The names without those of signatures and of response fields, sorted.
  let names: [ExactString]

  /// Parameters that choose a part of a list.
  static let ofLists: Set<ExactString> = [
    "list-type", "prefix", "delimiter", "max-keys", "marker", "continuation-token", "start-after",
    "encoding-type",
    "fetch-owner", "key-marker", "version-id-marker", "upload-id-marker", "max-uploads",
  ]
  /// Parameters of the parts of an upload.
  static let ofUploads: Set<ExactString> = ["uploadId", "partNumber", "max-parts", "part-number-marker"]

  init(_ query: [UInt8]) throws(AccessMappingError) {
    var values: [ExactString: String] = [:]
    var names: [ExactString] = []
    var parameters = QueryParameters(query)
    while let parameter = parameters.next() {
      guard let name = String(validating: parameter.name, as: UTF8.self),
        let value = String(validating: parameter.value, as: UTF8.self),
        values.updateValue(value, forKey: ExactString(name)) == nil
      else { throw .queryAmbiguous(name: String(decoding: parameter.name, as: UTF8.self)) }
      // The verifier has checked the parameters of a signature; `x-id` repeats the name of the call.
      guard !PresignedQuery.isParameter(parameter.name), name.rest(after: "response-") == nil,
        ExactString(name) != "x-id"
      else { continue }
      names.append(ExactString(name))
    }
    self.values = values
    self.names = names.sorted()
  }

  subscript(name: String) -> String? { values[ExactString(name)] }
}
