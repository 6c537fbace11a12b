internal import CognitoIdentity
internal import RecordsSQLite
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// The file of the master key, which seals all stored secrets.
enum MasterKeyFile {
  /// Makes the key, unless another process has made it. When this returns, the file is on the disk, so that
  /// secrets can be opened after a power failure.
  static func make(_ path: String) throws {
    let key = try SecretBytes.random(count: SealingKeys.masterSize)
    let draft = try PrivateFiles.makeDraft(of: path) { file in
      key.withBytes { Descriptor.writeAll($0, to: file) }
    }
    try PrivateFiles.publish(draft, at: path)
  }

  static func read(_ path: String) throws -> SecretBytes {
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw OperatingError(
        "the master key \(path) cannot be read: \(SystemError.text); symbolic links are not followed",
        code: .fileUnusable)
    }
    defer { close(file) }
    guard let status = FileStatus(file), status.isRegularFile, status.permissions & 0o077 == 0,
      status.owner == geteuid() || geteuid() == 0
    else {
      throw OperatingError(
        "the master key \(path) must be a file of this user, readable by its owner alone (mode 600)",
        code: .fileUnusable)
    }
    return try SecretBytes(count: SealingKeys.masterSize) { span in
      guard Descriptor.fill(&span, from: file) == SealingKeys.masterSize,
        status.size == SealingKeys.masterSize
      else {
        throw OperatingError(
          "the master key \(path) does not have \(SealingKeys.masterSize) bytes", code: .fileUnusable)
      }
    }
  }
}
