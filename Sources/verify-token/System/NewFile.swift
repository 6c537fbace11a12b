internal import TokenSecurityCrypto
internal import Glibc

/// Files that were not there before and that nobody but their owner can read.
enum NewFile {
  static func write(_ contents: borrowing SecretBytes, to path: String) throws {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw UsageProblem("\(path): \(unsafe String(cString: strerror(errno)))")
    }
    defer { close(descriptor) }
    guard Descriptor.writeAll(contents, to: descriptor), fsync(descriptor) == 0 else {
      throw UsageProblem("\(path): \(unsafe String(cString: strerror(errno)))")
    }
  }
}
