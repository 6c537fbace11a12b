internal import SigV4
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// Reading small files and the environment, straight into memory that is wiped.
enum SystemFiles {
  /// No file of credentials or tokens is larger.
  static let limit = 1 << 20

  /// The contents of a file; nil where it does not exist.
  static func read(_ path: String) throws(CredentialsError) -> SecretBytes? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno != ENOENT, errno != ENOTDIR else { return nil }
      throw .fileUnreadable(path: path, reason: SystemError.text)
    }
    defer { close(descriptor) }
    var count = 0
    let buffer = try SecretBytes(count: limit + 1) { span throws(CredentialsError) in
      guard let got = Descriptor.fill(&span, from: descriptor) else {
        throw .fileUnreadable(path: path, reason: SystemError.text)
      }
      count = got
    }
    guard count <= limit else { throw .fileUnreadable(path: path, reason: "it has more than \(limit) bytes") }
    return buffer.withBytes { SecretBytes($0.extracting(first: count)) }
  }

  /// A variable that is set and not empty.
  static func variable(_ name: String) -> String? {
    ProcessEnvironment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The same, straight into memory that is wiped.
  static func secretVariable(_ name: String) -> SecretBytes? {
    let secret = ProcessEnvironment.withBytes(of: name) { SecretBytes($0) }
    guard let secret, secret.count > 0 else { return nil }
    return secret
  }
}
