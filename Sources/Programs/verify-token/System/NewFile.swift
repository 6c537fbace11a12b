internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// Creates files, and removes all of them after an error.
struct NewFiles {
  /// The permissions of a file.
  enum Access: mode_t {
    case ownerOnly = 0o600
    /// Everyone may read it, unless the umask of the process forbids it.
    case everyone = 0o644
  }

  private var paths: [String] = []

  /// - Throws: `UsageError` if the file exists or cannot be written. ``remove()`` removes what was written of it.
  mutating func write(
    _ contents: borrowing SecretBytes, to path: String, for access: Access = .ownerOnly
  ) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, access.rawValue)
    guard descriptor >= 0 else { throw UsageError(system: path) }
    paths.append(path)
    defer { close(descriptor) }
    guard contents.withBytes({ Descriptor.writeAll($0, to: descriptor) }), fsync(descriptor) == 0 else {
      throw UsageError(system: path)
    }
  }

  /// Removes the files after an error.
  func remove() {
    for path in paths { _ = unsafe unlink(path) }
  }
}
