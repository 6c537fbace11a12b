internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// Files that were not there before and that nobody but their owner can read.
enum NewFile {
  static func write(_ contents: borrowing SecretBytes, to path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw UsageProblem("\(path): \(SystemError.text)")
    }
    defer { close(descriptor) }
    guard contents.withBytes({ Descriptor.writeAll($0, to: descriptor) }), fsync(descriptor) == 0 else {
      throw UsageProblem("\(path): \(SystemError.text)")
    }
  }
}
