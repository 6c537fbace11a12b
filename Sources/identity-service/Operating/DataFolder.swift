internal import CognitoIdentity
internal import CognitoIdentitySQLite
internal import RecordsSQLite
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform
internal import Foundation

/// A service's data folder: the SQLite database and the master key, readable by their owner alone.
struct DataFolder {
  let path: String
  let store: SQLiteRecordStore
  let sealing: SealingKeys
  private let lock: FolderLock

  /// Opens the folder. With `makesFolder`, makes the folder, the database and the master key if they do not
  /// exist.
  ///
  /// The database is made before the master key. So a key without a database means that the database is lost,
  /// and a database with sealed secrets but without a key means that the key is lost: both are refused.
  init(
    _ path: String, makesFolder: Bool = false,
    onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void = { _, _ in }
  ) async throws {
    self.path = path
    if !PrivateFiles.exists(path) {
      guard makesFolder else {
        throw OperatingError("the data folder \(path) does not exist", code: .fileUnusable)
      }
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw OperatingError(
          "the data folder \(path) cannot be made: \(error.localizedDescription)", code: .fileUnusable)
      }
    }
    let database = path + "/identities.sqlite"
    let key = path + "/master.key"
    do {
      try PrivateFiles.check(folder: path, isOwn: true)
      lock = try FolderLock(path, .shared)
      let hasDatabase = PrivateFiles.exists(database)
      let hasKey = PrivateFiles.exists(key)
      guard hasDatabase || !hasKey else {
        throw OperatingError(
          "\(key) exists and \(database) does not: put the database back, or remove the key to start with an empty database",
          code: .fileUnusable)
      }
      guard hasKey || makesFolder else {
        throw OperatingError(
          hasDatabase
            ? "\(database) exists and \(key) does not: put the key back"
            : "\(path) has no service's data; identity-service serve makes it", code: .fileUnusable)
      }
      store = try IdentityDatabase.open(
        path: database, makesFile: makesFolder, onDamagedRow: onDamagedRow)
      if !hasKey {
        let hasSealed = try await store.read { rows throws(IdentityError) in
          let hasKeys = try !rows.signingKeys().isEmpty
          let hasAccessKeys = try !rows.accessKeys().isEmpty
          return hasKeys || hasAccessKeys
        }
        // Another process may have made the key since.
        guard !hasSealed || PrivateFiles.exists(key) else {
          throw OperatingError(
            "\(database) has secrets that were sealed with \(key), which does not exist: put the key back",
            code: .fileUnusable)
        }
        try MasterKeyFile.make(key)
      }
      PrivateFiles.removeDrafts(of: key)
    } catch let error as RecordStoreError {
      throw OperatingError("\(error)", code: .fileUnusable)
    } catch IdentityError.storeFailed(let reason) {
      throw OperatingError(reason, code: .fileUnusable)
    }
    sealing = try SealingKeys(master: try MasterKeyFile.read(key))
  }

  /// Writes the write-ahead log back into the database and closes it, so that the files are complete.
  func close() async throws(RecordStoreError) { try await store.close() }
}
