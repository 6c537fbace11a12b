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
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe part.withUnsafeMutableBytes { unsafe Descriptor.read(file, into: $0) }
      guard let count else { throw .fileUnusable(path: path, reason: SystemError.text) }
      if count == 0 { return bytes }
      bytes += part[..<count]
      guard bytes.count <= AuthorizationConfiguration.limit else {
        throw .fileUnusable(path: path, reason: "it has more than 1 MiB")
      }
    }
  }
}
