internal import RequestAuthorization
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// The file of the configuration, which is read at the start and on SIGHUP.
struct ConfigurationFile: Sendable {
  let path: String

  func read() throws(StartError) -> AuthorizationConfiguration {
    let bytes = try contents()
    do throws(PolicyDocumentError) { return try AuthorizationConfiguration(bytes) } catch {
      throw .configuration(path: path, error)
    }
  }

  private func contents() throws(StartError) -> [UInt8] {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { throw .fileUnusable(path: path, reason: SystemError.text) }
    defer { close(file) }
    guard let bytes = Descriptor.readAll(file, limit: AuthorizationConfiguration.limit) else {
      throw .fileUnusable(path: path, reason: SystemError.text)
    }
    guard bytes.count <= AuthorizationConfiguration.limit else {
      throw .fileUnusable(path: path, reason: "it has more than 1 MiB")
    }
    return bytes
  }
}
