internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// A file with a key or secret that the command signs with.
enum SigningKeyFile {
  /// Names a file that other users can read, on standard error. It is not refused, since files of tests are used in pipes.
  static func warnIfReadable(_ path: String) {
    let isStandardInput = path == "-"
    // A pipe that has a name is not opened again to read: its writer would go on.
    let file = isStandardInput ? STDIN_FILENO : unsafe open(path, Descriptor.pathOnly | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { if !isStandardInput { close(file) } }
    guard let status = FileStatus(file), status.isRegularFile, !status.isSecret else { return }
    let mode = String(status.permissions, radix: 8)
    StandardError.warn(InputFile.name(path), "other users can read this key (mode \(mode))")
  }
}
