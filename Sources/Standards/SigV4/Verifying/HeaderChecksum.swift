internal import TokenSecurityBase

/// The checksums of the body in a request's headers, as S3 compares them: one of `x-amz-checksum-crc32` and its
/// like, and `Content-MD5`.
///
/// In `CompleteMultipartUpload`, a POST with the parameter `uploadId`, `x-amz-checksum-…` has the checksum of the
/// object, not of the body, and is not compared.
struct HeaderChecksums: ~Copyable, Sendable {
  private var checksum: HeaderChecksum?
  private var md5: HeaderChecksum?
  /// The algorithm of a checksum that the signature covers; nil if it covers none.
  let signed: ChecksumAlgorithm?

  /// The checksums that a request to a service with S3's form declares; nil for none.
  ///
  /// - Throws: `headerRepeated` for several headers of one kind; `xxHashTraitMissing`.
  static func declared(
    by request: UnverifiedRequest, _ policy: VerifierPolicy
  ) throws(SigV4Error) -> HeaderChecksums? {
    guard policy.form == .s3 else { return nil }
    let table = request.table
    var named: (algorithm: ChecksumAlgorithm, entry: HeaderTable.Entry)?
    var md5: HeaderTable.Entry?
    for entry in table.entries where entry.name.count > 10 {
      if table.hasName(entry, "content-md5") {
        guard md5 == nil else { throw .headerRepeated("content-md5") }
        md5 = entry
      } else if table.hasPrefix(entry, "x-amz-checksum-"),
        let algorithm = ChecksumAlgorithm(headerName: table.text(entry))
      {
        guard named == nil else { throw .headerRepeated("x-amz-checksum-") }
        named = (algorithm, entry)
      }
    }
    if named != nil, completesUpload(request.head) { named = nil }
    guard named != nil || md5 != nil else { return nil }
    return try HeaderChecksums(named, md5: md5, request.head)
  }

  private init(
    _ named: (algorithm: ChecksumAlgorithm, entry: HeaderTable.Entry)?, md5: HeaderTable.Entry?,
    _ head: RequestHead
  ) throws(SigV4Error) {
    signed =
      if let named, named.entry.isSigned { named.algorithm } else { md5?.isSigned == true ? .md5 : nil }
    checksum = nil
    self.md5 = nil
    if let named {
      checksum = try HeaderChecksum(named.algorithm, named.algorithm.headerName, named.entry, head)
    }
    if let md5 { self.md5 = try HeaderChecksum(.md5, "content-md5", md5, head) }
  }

  private static func completesUpload(_ head: RequestHead) -> Bool {
    guard head.method.isIdentical(to: "POST") else { return false }
    var parameters = QueryParameters(head.query)
    while let parameter = parameters.next() {
      if parameter.hasName("uploadId") { return true }
    }
    return false
  }

  /// Adds bytes of the body, without the framing of chunks.
  mutating func update(_ bytes: borrowing Span<UInt8>) throws(SigV4Error) {
    try checksum?.update(bytes)
    try md5?.update(bytes)
  }

  /// - Throws: `checksumMismatch`.
  mutating func finish() throws(SigV4Error) {
    try checksum?.finish()
    try md5?.finish()
  }

  /// Compares the checksums with a whole body.
  ///
  /// - Throws: `checksumMismatch`, and the errors of ``declared(by:_:)``.
  static func check(
    _ request: UnverifiedRequest, _ policy: VerifierPolicy, _ body: borrowing Span<UInt8>
  ) throws(SigV4Error) {
    guard var checksums = try declared(by: request, policy) else { return }
    try checksums.update(body)
    try checksums.finish()
  }
}

/// A checksum of the body in a header.
struct HeaderChecksum: ~Copyable, Sendable {
  private let name: String
  private let declared: [UInt8]
  private var running: RunningChecksum

  init(
    _ algorithm: ChecksumAlgorithm, _ name: String, _ entry: HeaderTable.Entry, _ head: RequestHead
  ) throws(SigV4Error) {
    self.name = name
    declared = Array(head.headers[entry.field].value[...].trimmingBlanks)
    running = try RunningChecksum(algorithm)
  }

  mutating func update(_ bytes: borrowing Span<UInt8>) throws(SigV4Error) { try running.update(bytes) }

  /// - Throws: `checksumMismatch`.
  mutating func finish() throws(SigV4Error) {
    let text = try running.finish()
    guard declared.elementsEqual(text.utf8) else { throw .checksumMismatch(name) }
  }
}
