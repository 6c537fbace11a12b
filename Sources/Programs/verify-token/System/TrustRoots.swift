internal import JOSE
internal import TokenSecurityBase
internal import TokenSecurityCrypto

/// The root certificates for TLS connections.
struct TrustRoots: Sendable {
  /// The PEM file; nil for the system's certificates.
  let file: String?
  /// The file's SHA-256, or `system`. Cached responses are used only with the roots that they were fetched
  /// with.
  let name: String

  /// - Throws: `UsageError` unless the file is a regular file of certificates in PEM. It cannot be a pipe because the
  ///   fetching program reads it again.
  init(file: String?) throws {
    self.file = file
    guard let file else {
      name = "system"
      return
    }
    let contents = InputFile.unwiped(try InputFile.readRegular(file, limit: CertificateFile.limit))
    if let problem = CertificateFile.problem(contents) {
      throw UsageError(
        "\(file) cannot be used for --ca-file: \(problem)", code: UsageError.fileUnusable)
    }
    guard let digest = try? DigestAlgorithm.sha256.hash(contents.span) else {
      throw UsageError("\(file) cannot be hashed", code: UsageError.fileUnusable)
    }
    name = Hex.string(digest)
  }
}
