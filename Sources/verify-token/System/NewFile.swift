internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// Creates files that only their owner can read.
enum NewFile {
  /// - Throws: `UsageError` if the file exists or cannot be written.
  static func write(_ contents: borrowing SecretBytes, to path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw UsageError(system: path) }
    defer { close(descriptor) }
    guard contents.withBytes({ Descriptor.writeAll($0, to: descriptor) }), fsync(descriptor) == 0 else {
      throw UsageError(system: path)
    }
  }
}
