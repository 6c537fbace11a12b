internal import SigV4
internal import TokenSecurityBase

/// The object that a copy is made of.
enum S3CopySource {
  /// Reading it; nil for a request that is no copy.
  ///
  /// - Throws: `unmapped`; `pathAmbiguous` and `queryAmbiguous` as for a path and a query.
  static func access(_ head: RequestHead) throws(AccessMappingError) -> RequestedAccess? {
    let values = head.values("x-amz-copy-source")
    guard var source = values.first?[...] else { return nil }
    guard values.count == 1, ExactString(head.method) == "PUT" else {
      throw .unmapped("X-Amz-Copy-Source is there twice, or not in a PUT")
    }
    // A plus is a space for S3; some programs read the value as a URL; some proxies make one field of two.
    guard !source.contains(where: { "+#,".utf8.contains($0) }) else {
      throw .unmapped("X-Amz-Copy-Source has +, # or a comma that is not percent-encoded")
    }
    if source.first == UInt8(ascii: "/") { source = source.dropFirst() }
    let parts = source.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    let path = try ResourcePath([UInt8(ascii: "/")] + Array(parts.first ?? []))
    let query = try S3Query(parts.count > 1 ? Array(parts[1]) : [])
    guard path.segments.count >= 2, S3Form.isBucket(path.segments[0]),
      path.segments.count > 2 || !path.segments[1].isEmpty,
      query.names.allSatisfy({ $0 == "versionId" })
    else { throw .unmapped("X-Amz-Copy-Source is not BUCKET/KEY") }
    let version = query["versionId"]
    return RequestedAccess(
      version == nil ? "s3:GetObject" : "s3:GetObjectVersion", on: "arn:aws:s3:::\(path.text)",
      keys: version.map { [("s3:VersionId", [$0])] } ?? [])
  }
}
