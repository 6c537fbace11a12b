internal import JOSE
internal import OpenIDConnect
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// The file of the configuration, which is read at the start and on SIGHUP.
struct ConfigurationFile: Sendable {
  let path: String

  func read() throws(StartError) -> SidecarConfiguration {
    let bytes = try contents()
    do throws(PolicyDocumentError) { return try SidecarConfiguration(bytes) } catch {
      throw .configuration(path: path, error)
    }
  }

  /// The nonces of DPoP proofs, of the key in the file that a configuration names.
  ///
  /// - Throws: `fileUnusable`, also for a key that other users can read.
  func nonces(_ configuration: AuthorizationConfiguration) throws(StartError) -> ProofNonces? {
    guard let path = configuration.nonceKeyFile else { return nil }
    var bytes = try Self.contents(of: path, limit: 4_096, isSecret: true)
    let key = SecretBytes(wiping: &bytes)
    do throws(JOSEError) { return try ProofNonces(key: key) } catch {
      throw .fileUnusable(path: path, reason: "\(error)")
    }
  }

  private func contents() throws(StartError) -> [UInt8] {
    try Self.contents(of: path, limit: AuthorizationConfiguration.limit)
  }

  /// - Throws: `fileUnusable`, also for a secret that other users can read.
  static func contents(
    of path: String, limit: Int, isSecret: Bool = false
  ) throws(StartError) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .fileUnusable(path: path, reason: SystemError.text) }
    defer { close(file) }
    guard !isSecret || FileStatus(file)?.isSecret == true else {
      throw .fileUnusable(path: path, reason: "it \(FileStatus.secretRule)")
    }
    guard let bytes = Descriptor.readAll(file, limit: limit) else {
      throw .fileUnusable(path: path, reason: SystemError.text)
    }
    guard bytes.count <= limit else {
      throw .fileUnusable(path: path, reason: "it has more than \(limit) bytes")
    }
    return bytes
  }
}
