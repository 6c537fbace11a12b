internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// Reads small files and the environment directly into wiped memory.
enum SystemFiles {
  /// Maximum size in bytes of a file of credentials or tokens.
  static let limit = 1 << 20

  /// The contents of a file; nil when it does not exist.
  static func read(_ path: String) throws(CredentialsError) -> SecretBytes? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      guard errno != ENOENT, errno != ENOTDIR else { return nil }
      throw .fileUnreadable(path: path, reason: SystemError.text)
    }
    defer { close(descriptor) }
    var count = 0
    let buffer = try SecretBytes(count: limit + 1) { span throws(CredentialsError) in
      guard let read = Descriptor.fill(&span, from: descriptor) else {
        throw .fileUnreadable(path: path, reason: SystemError.text)
      }
      count = read
    }
    guard count <= limit else { throw .fileUnreadable(path: path, reason: "more than \(limit) bytes") }
    return buffer.withBytes { SecretBytes($0.extracting(first: count)) }
  }

  /// The value of a variable; nil when it is not set or empty.
  static func variable(_ name: String) -> String? {
    ProcessEnvironment[name]?.nonempty
  }

  /// The value of a variable in wiped memory; nil when it is not set or empty.
  static func secretVariable(_ name: String) -> SecretBytes? {
    let secret = ProcessEnvironment.withBytes(of: name) { SecretBytes($0) }
    guard let secret, secret.count > 0 else { return nil }
    return secret
  }
}

extension String {
  /// The text; nil for an empty one. An empty session token counts as none, as in botocore.
  var nonempty: String? { isEmpty ? nil : self }
}
