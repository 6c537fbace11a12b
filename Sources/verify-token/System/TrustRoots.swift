internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import JOSE

/// The root certificates for TLS connections.
struct TrustRoots: Sendable {
  /// The PEM file; nil for the system's certificates.
  let file: String?
  /// The file's SHA-256, or `system`. Cached responses are used only with the roots that they were fetched
  /// with.
  let name: String

  /// - Throws: `UsageError` unless the file is a regular file that begins with a certificate. It cannot be a
  ///   pipe because the fetching program reads it again.
  init(file: String?) throws {
    self.file = file
    guard let file else {
      name = "system"
      return
    }
    let contents = try InputFile.readRegular(file)
    let first = try? KeyFile.read(contents, form: .publicOnly).keys.first
    guard first?.certificates.isEmpty == false else {
      throw UsageError("\(file) does not begin with a certificate", code: UsageError.fileUnusable)
    }
    let digest = contents.withBytes { bytes in try? DigestAlgorithm.sha256.hash(bytes) }
    guard let digest else { throw UsageError("\(file) cannot be hashed", code: UsageError.fileUnusable) }
    name = Hex.string(digest)
  }
}
