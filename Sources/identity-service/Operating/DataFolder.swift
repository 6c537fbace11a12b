internal import CognitoIdentity
internal import CognitoIdentitySQLite
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform
internal import Foundation

/// A service's data folder: the SQLite database and the master key, readable by their owner alone.
struct DataFolder {
  let store: SQLiteIdentityStore
  let sealing: SealingKeys

  /// Opens the folder. With `makesFolder`, makes the folder, the database and the master key if they do not
  /// exist.
  ///
  /// The database is made before the master key. So a key without a database means that the database is lost,
  /// and a database with sealed secrets but without a key means that the key is lost: both are refused.
  init(
    _ path: String, makesFolder: Bool = false,
    onBrokenRow: @escaping @Sendable (_ table: String, _ id: String) -> Void = { _, _ in }
  ) throws {
    if !PrivateFiles.exists(path) {
      guard makesFolder else { throw OperatingError("the data folder \(path) does not exist") }
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw OperatingError("the data folder \(path) cannot be made: \(error.localizedDescription)")
      }
    }
    let database = path + "/identities.sqlite"
    let key = path + "/master.key"
    do {
      try PrivateFiles.check(folder: path, isOwn: true)
      let hasDatabase = PrivateFiles.exists(database)
      let hasKey = PrivateFiles.exists(key)
      guard hasDatabase || !hasKey else {
        throw IdentityError.storeFailed(
          "\(key) exists and \(database) does not: put the database back, or remove the key to start with an empty database"
        )
      }
      guard hasKey || makesFolder else {
        throw IdentityError.storeFailed(
          hasDatabase
            ? "\(database) exists and \(key) does not: put the key back"
            : "\(path) has no service's data; identity-service serve makes it")
      }
      store = try SQLiteIdentityStore(
        path: database, makesFile: makesFolder, onBrokenRow: onBrokenRow)
      if !hasKey {
        let hasSealed = try store.read { rows throws(IdentityError) in
          let hasKeys = try !rows.signingKeys().isEmpty
          let hasAccessKeys = try !rows.accessKeys().isEmpty
          return hasKeys || hasAccessKeys
        }
        // Another process may have made the key since.
        guard !hasSealed || PrivateFiles.exists(key) else {
          throw IdentityError.storeFailed(
            "\(database) has secrets that were sealed with \(key), which does not exist: put the key back")
        }
        try MasterKeyFile.make(key)
      }
      PrivateFiles.removeDrafts(of: key)
    } catch IdentityError.storeFailed(let reason) {
      throw OperatingError(reason)
    }
    sealing = try SealingKeys(master: try MasterKeyFile.read(key))
  }
}

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
        "the master key \(path) cannot be read: \(unsafe String(cString: strerror(errno))); symbolic links are not followed"
      )
    }
    defer { close(file) }
    var details = stat()
    guard unsafe fstat(file, &details) == 0, details.st_mode & S_IFMT == S_IFREG,
      details.st_mode & 0o077 == 0, details.st_uid == geteuid() || geteuid() == 0
    else {
      throw OperatingError(
        "the master key \(path) must be a file of this user, readable by its owner alone (mode 600)")
    }
    return try SecretBytes(count: SealingKeys.masterSize) { span in
      guard Descriptor.fill(&span, from: file) == SealingKeys.masterSize,
        details.st_size == SealingKeys.masterSize
      else {
        throw OperatingError("the master key \(path) does not have \(SealingKeys.masterSize) bytes")
      }
    }
  }
}

/// An error that the operator must correct.
struct OperatingError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
