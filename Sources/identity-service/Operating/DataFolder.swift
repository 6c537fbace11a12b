internal import CognitoIdentity
internal import CognitoIdentitySQLite
internal import TokenSecurityCrypto
internal import Foundation

/// The folder that holds all of a service: one SQLite file, and the master key, each readable by its owner alone.
struct DataFolder {
  let store: SQLiteIdentityStore
  let sealing: SealingKeys

  /// What is done where nothing is there.
  enum Founding: Sendable {
    /// The folder, the database and the master key are made.
    case allowed
    /// The call is refused and leaves nothing behind.
    case refused
  }

  /// Opens the folder.
  ///
  /// The database is made before the master key. So a key without a database has lost it, and a database without a key in
  /// which something is sealed has lost the key: both are refused, and nothing new is made beside what is there.
  init(
    _ path: String, founding: Founding = .refused,
    onBrokenRow: @escaping @Sendable (_ table: String, _ id: String) -> Void = { _, _ in }
  ) throws {
    if !PrivateFiles.exists(path) {
      guard founding == .allowed else { throw OperatingError("there is no folder \(path)") }
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw OperatingError("the folder \(path) is not there and cannot be made")
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
          "\(key) is there and \(database) is not: put the database back, or remove the key to begin anew")
      }
      guard hasKey || founding == .allowed else {
        throw IdentityError.storeFailed(
          hasDatabase
            ? "\(database) is there and \(key) is not: put the key back"
            : "there is no service in \(path); identity-service serve makes one")
      }
      store = try SQLiteIdentityStore(
        path: database, makesFile: founding == .allowed, onBrokenRow: onBrokenRow)
      if !hasKey {
        let hasSealed = try store.read { rows throws(IdentityError) in
          let hasKeys = try !rows.signingKeys().isEmpty
          let hasAccessKeys = try !rows.accessKeys().isEmpty
          return hasKeys || hasAccessKeys
        }
        // A process that was started at the same time may have made the key since.
        guard !hasSealed || PrivateFiles.exists(key) else {
          throw IdentityError.storeFailed(
            "\(database) has secrets that \(key) sealed, and the key is not there: put it back")
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

/// The key that seals all stored secrets, in a file of its own.
enum MasterKeyFile {
  /// Makes the key, unless another process is quicker. When this returns, the key and its name are on the disk: what is
  /// sealed with it can be opened after a loss of power.
  static func make(_ path: String) throws {
    let key = try SecretBytes.random(count: SealingKeys.masterSize)
    let draft = try PrivateFiles.makeDraft(of: path) { file in
      key.withBytes { bytes in
        unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) } == key.count
      }
    }
    try PrivateFiles.settle(draft, at: path)
  }

  static func read(_ path: String) throws -> SecretBytes {
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else {
      throw OperatingError("the master key \(path) cannot be read; symbolic links are not followed")
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
      let count = unsafe span.withUnsafeMutableBytes {
        unsafe Foundation.read(file, $0.baseAddress, $0.count)
      }
      guard count == SealingKeys.masterSize, details.st_size == SealingKeys.masterSize else {
        throw OperatingError("the master key \(path) does not have \(SealingKeys.masterSize) bytes")
      }
    }
  }
}

/// What an operator must put right.
struct OperatingError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
