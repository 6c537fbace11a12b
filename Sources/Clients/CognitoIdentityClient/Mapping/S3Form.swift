internal import SigV4
internal import TokenSecurityBase

/// Requests as Amazon S3 reads them, with the bucket as the first segment of the path.
///
/// Calls that name their objects in the body (`POST ?delete`, forms of browsers), and those that are not listed here, have no action
/// and are refused.
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
    let fields = try S3Fields(head)
    return key.isEmpty
      ? try bucketAccesses(head, query, fields, bucket) : try objectAccesses(head, query, fields, bucket, key)
  }

  static func isBucket(_ name: String) -> Bool {
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

  private static func bucketAccesses(
    _ head: RequestHead, _ query: S3Query, _ fields: S3Fields, _ bucket: String
  ) throws(AccessMappingError) -> [RequestedAccess] {
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
    var keys = fields.keys
    for name in ["prefix", "delimiter", "max-keys"] {
      if let value = query[name] { keys.append(("s3:\(name)", [value])) }
    }
    if let prefix = query["prefix"] { try ResourcePath.check(beginning: prefix) }
    return ([action] + fields.bucketActions).map { RequestedAccess($0, on: resource, keys: keys) }
  }

  private static func objectAccesses(
    _ head: RequestHead, _ query: S3Query, _ fields: S3Fields, _ bucket: String, _ key: String
  ) throws(AccessMappingError) -> [RequestedAccess] {
    let resource = "arn:aws:s3:::\(bucket)/\(key)"
    var keys = fields.keys
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
    let accesses = (actions + fields.objectActions).map { RequestedAccess($0, on: resource, keys: keys) }
    return try accesses + (S3CopySource.access(head).map { [$0] } ?? [])
  }
}
