internal import SigV4
internal import TokenSecurityCrypto
internal import Glibc

/// Reading small files and the environment, straight into memory that is wiped.
enum SystemFiles {
  /// No file of credentials or tokens is larger.
  static let limit = 1 << 20

  /// The contents of a file; nil where it does not exist.
  static func read(_ path: String) throws(CredentialsFault) -> SecretBytes? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno != ENOENT, errno != ENOTDIR else { return nil }
      throw .fileUnreadable(path: path, reason: reason())
    }
    defer { close(descriptor) }
    var count = 0
    let buffer = try SecretBytes(count: limit + 1) { span throws(CredentialsFault) in
      while count < span.count {
        let got = unsafe span.withUnsafeMutableBytes { raw in
          unsafe Glibc.read(descriptor, raw.baseAddress.map { unsafe $0 + count }, raw.count - count)
        }
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw .fileUnreadable(path: path, reason: reason()) }
        guard got > 0 else { break }
        count += got
      }
    }
    guard count <= limit else { throw .fileUnreadable(path: path, reason: "it has more than \(limit) bytes") }
    return buffer.withBytes { SecretBytes($0.extracting(first: count)) }
  }

  private static func reason() -> String { unsafe String(cString: strerror(errno)) }

  /// A variable that is set and not empty.
  static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The same, straight into memory that is wiped.
  static func secretVariable(_ name: String) -> SecretBytes? {
    guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
    let count = unsafe strlen(value)
    return SecretBytes(count: count) { span in
      for index in 0..<count { span[index] = UInt8(bitPattern: unsafe value[index]) }
    }
  }
}
