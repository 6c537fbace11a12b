internal import CognitoIdentity
internal import RecordsSQLite
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// The file of the master key, which seals all stored secrets.
enum MasterKeyFile {
  /// Makes a random key.
  static func random() throws -> SecretBytes { try SecretBytes.random(count: SealingKeys.masterSize) }

  /// Writes a key to a new file. When this returns, it is on the disk, so that secrets can be opened after a
  /// power failure. With `isShared`, another process may make the file: the first one's remains.
  static func write(_ key: borrowing SecretBytes, to path: String, isShared: Bool = false) throws {
    let draft = try PrivateFiles.makeDraft(of: path) { file in
      key.withBytes { Descriptor.writeAll($0, to: file) }
    }
    try PrivateFiles.publish(draft, at: path, isShared: isShared)
  }

  /// Reads a data folder's key.
  ///
  /// - Throws: `OperatingError` if others can read it, or it does not have 32 bytes.
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
    return try read(path, file, status)
  }

  /// Reads the key of several nodes, which may be a container's secret: a symbolic link is followed, and a file of
  /// root may be readable by its group.
  ///
  /// - Throws: `OperatingError` if others can read it, or it does not have 32 bytes.
  static func readShared(_ path: String) throws -> SecretBytes {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw OperatingError("the master key \(path) cannot be read: \(SystemError.text)", code: .fileUnusable)
    }
    defer { close(file) }
    let status = FileStatus(file)
    try SecretFile.check(status, "the master key \(path)")
    return try read(path, file, status)
  }

  private static func read(_ path: String, _ file: Int32, _ status: FileStatus?) throws -> SecretBytes {
    try SecretBytes(count: SealingKeys.masterSize) { span in
      guard Descriptor.fill(&span, from: file) == SealingKeys.masterSize,
        status?.size == Int64(SealingKeys.masterSize)
      else {
        throw OperatingError(
          "the master key \(path) does not have \(SealingKeys.masterSize) bytes", code: .fileUnusable)
      }
    }
  }
}
