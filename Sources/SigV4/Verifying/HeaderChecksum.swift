internal import TokenSecurityEncodings

/// A checksum of the body in a header, `x-amz-checksum-crc32` for example, as S3 compares it.
///
/// In `CompleteMultipartUpload`, a POST with the parameter `uploadId`, such a header has the checksum of the
/// object, not of the body, and is not compared.
struct HeaderChecksum: ~Copyable, Sendable {
  private let name: String
  private let declared: [UInt8]
  private var running: RunningChecksum

  /// The checksum that a request to a service with S3's form declares; nil for none.
  ///
  /// - Throws: `headerRepeated` for several checksums; `xxHashTraitMissing`.
  static func declared(
    by head: RequestHead, _ policy: VerifierPolicy
  ) throws(SigV4Error) -> HeaderChecksum? {
    guard policy.form == .s3 else { return nil }
    var found: (algorithm: ChecksumAlgorithm, value: [UInt8])?
    for field in head.headers where field.name.utf8.count > 15 {
      guard let algorithm = ChecksumAlgorithm(headerName: field.name.lowercasedASCII) else { continue }
      guard found == nil else { throw .headerRepeated("x-amz-checksum-") }
      found = (algorithm, field.value)
    }
    guard let found, !completesUpload(head) else { return nil }
    return HeaderChecksum(
      name: found.algorithm.headerName, declared: Array(found.value[...].trimmingBlanks),
      running: try RunningChecksum(found.algorithm))
  }

  private static func completesUpload(_ head: RequestHead) -> Bool {
    guard head.method == "POST" else { return false }
    var parameters = QueryParameters(head.query)
    while let parameter = parameters.next() {
      if parameter.hasName("uploadId") { return true }
    }
    return false
  }

  private init(name: String, declared: [UInt8], running: consuming RunningChecksum) {
    self.name = name
    self.declared = declared
    self.running = running
  }

  /// Adds bytes of the body, without the framing of chunks.
  mutating func update(_ bytes: borrowing Span<UInt8>) throws(SigV4Error) { try running.update(bytes) }

  /// - Throws: `checksumMismatch`.
  mutating func finish() throws(SigV4Error) {
    let text = try running.finish()
    guard declared.elementsEqual(text.utf8) else { throw .checksumMismatch(name) }
  }
}
