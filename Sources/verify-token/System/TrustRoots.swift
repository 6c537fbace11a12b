internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import JOSE

/// The certificates that servers' certificates are verified with.
struct TrustRoots: Sendable {
  /// The PEM file; nil for the certificates that the machine trusts.
  let file: String?
  /// The file's SHA-256, or `system`: what was fetched under one set of roots is not used under another.
  let name: String

  /// The roots in `file`, or the machine's.
  ///
  /// - Throws: `UsageProblem` where the file is not a regular file that begins with a certificate. It is read twice, here
  ///   and by the program that fetches, so that a pipe cannot serve.
  init(file: String?) throws {
    self.file = file
    guard let file else {
      name = "system"
      return
    }
    let contents = try InputFile.readRegular(file)
    guard (try? KeyFile.pem(contents, form: .publicOnly))?.certificates.isEmpty == false else {
      throw UsageProblem("\(file) has no certificate to begin with")
    }
    let digest = contents.withBytes { bytes in try? DigestAlgorithm.sha256.hash(bytes) }
    guard let digest else { throw UsageProblem("\(file) cannot be hashed") }
    name = Hex.string(digest)
  }
}
