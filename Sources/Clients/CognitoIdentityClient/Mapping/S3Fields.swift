internal import SigV4
internal import TokenSecurityBase

/// The header fields of a call of S3 that need further actions, and those that policies have as condition keys.
struct S3Fields {
  /// Further actions of a call about an object.
  private(set) var objectActions: [String] = []
  /// Further actions of a call about a bucket.
  private(set) var bucketActions: [String] = []
  /// Condition keys, `s3:x-amz-acl` for instance.
  private(set) var keys: [(key: String, value: [String])] = []

  /// Fields that are condition keys and have one word each.
  private static let words: Set<ExactString> = [
    "x-amz-acl", "x-amz-content-sha256", "x-amz-metadata-directive", "x-amz-object-ownership",
    "x-amz-server-side-encryption", "x-amz-server-side-encryption-aws-kms-key-id",
    "x-amz-server-side-encryption-customer-algorithm", "x-amz-storage-class",
  ]
  /// Fields that are condition keys and have any text.
  private static let texts: Set<ExactString> = [
    "x-amz-copy-source", "x-amz-grant-full-control", "x-amz-grant-read", "x-amz-grant-read-acp",
    "x-amz-grant-write", "x-amz-grant-write-acp", "x-amz-website-redirect-location",
  ]

  /// - Throws: `unmapped` for a field of a condition key that is there twice, also as a list, as some proxies pass it on: a
  ///   condition and the application could read another one of its values.
  init(_ head: RequestHead) throws(AccessMappingError) {
    var found: Set<ExactString> = []
    for field in head.headers {
      let name = field.name.lowercasedASCII
      readActions(name)
      let isWord = Self.words.contains(ExactString(name))
      guard isWord || Self.texts.contains(ExactString(name)) else { continue }
      guard found.insert(ExactString(name)).inserted, !isWord || !field.value.contains(UInt8(ascii: ","))
      else { throw .unmapped("\(name) has several values") }
      keys.append(("s3:\(name)", [String(decoding: field.value, as: UTF8.self)]))
    }
  }

  private mutating func readActions(_ name: String) {
    func add(_ action: String, to actions: inout [String]) {
      if !actions.contains(action) { actions.append(action) }
    }
    switch ExactString(name) {
    case "x-amz-tagging": add("s3:PutObjectTagging", to: &objectActions)
    case "x-amz-object-lock-mode", "x-amz-object-lock-retain-until-date":
      add("s3:PutObjectRetention", to: &objectActions)
    case "x-amz-object-lock-legal-hold": add("s3:PutObjectLegalHold", to: &objectActions)
    case "x-amz-bypass-governance-retention": add("s3:BypassGovernanceRetention", to: &objectActions)
    case "x-amz-bucket-object-lock-enabled":
      add("s3:PutBucketObjectLockConfiguration", to: &bucketActions)
      add("s3:PutBucketVersioning", to: &bucketActions)
    case "x-amz-object-ownership": add("s3:PutBucketOwnershipControls", to: &bucketActions)
    case "x-amz-acl": addLists()
    default: if name.rest(after: "x-amz-grant-") != nil { addLists() }
    }
    func addLists() {
      add("s3:PutObjectAcl", to: &objectActions)
      add("s3:PutBucketAcl", to: &bucketActions)
    }
  }
}
