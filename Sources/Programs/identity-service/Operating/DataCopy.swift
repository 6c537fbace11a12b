internal import CognitoIdentity
internal import RecordsSQLite
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// A copy of a service's data: the database and the master key.
struct DataCopy {
  let paths: DataPaths
  let pools: Int

  /// Copies an open folder, which other processes may use. When this returns, the copy is on the disk.
  ///
  /// - Parameters:
  ///   - data: the folder.
  ///   - path: the folder of the copy.
  ///   - begin: called before the files are copied.
  /// - Returns: the copy.
  /// - Throws: `OperatingError` for a folder that has files, or is within the data folder.
  static func make(of data: DataFolder, at path: String, begin: () -> Void) async throws -> DataCopy {
    let target = try UnfinishedFolder(
      path, outside: data.paths.folder,
      refusal: "the copy \(path) would be in the data folder: use another disk")
    do {
      begin()
      try data.store.backUp(to: target.paths.database)
      // The folder is locked, so that this is the key of the database.
      try MasterKeyFile.write(try MasterKeyFile.read(data.paths.masterKey), to: target.paths.masterKey)
      let pools = try await count(data.store)
      try target.finish()
      return DataCopy(paths: target.paths, pools: pools)
    } catch {
      target.discard()
      throw error
    }
  }

  /// Makes a data folder of a copy that is whole. When this returns, it is on the disk.
  ///
  /// The checks are made on the new files, so that the copy is not changed.
  ///
  /// - Throws: `OperatingError` for a copy that is refused, and for a folder that has files, or is within the copy.
  static func restore(_ source: String, to path: String) async throws -> DataCopy {
    let copy = DataPaths(source)
    // A running service changes its files.
    let lock = try lockCopy(copy)
    let target = try UnfinishedFolder(
      path, outside: source,
      refusal: "the data folder \(path) would be in the copy \(source): use another one")
    do {
      for (file, new) in zip(files(copy), files(target.paths)) where PrivateFiles.exists(file) {
        try FolderFiles.copy(file, to: new)
      }
      try MasterKeyFile.write(try MasterKeyFile.read(copy.masterKey), to: target.paths.masterKey)
      let pools = try await check(target.paths)
      try PrivateFiles.synchronise(file: target.paths.database)
      try target.finish()
      return withExtendedLifetime(lock) { DataCopy(paths: target.paths, pools: pools) }
    } catch {
      target.discard()
      // The files are no longer there.
      throw refusal("\(error)".replacing(target.paths.folder, with: source), source)
    }
  }

  /// The files that are copied byte for byte.
  private static func files(_ paths: DataPaths) -> [String] {
    [paths.database, paths.database + "-wal", paths.nextMasterKey]
  }

  /// Locks a copy that has both files.
  private static func lockCopy(_ copy: DataPaths) throws -> FolderLock {
    guard PrivateFiles.exists(copy.folder) else { throw refusal("it does not exist", copy.folder) }
    let lock = try FolderLock(copy.folder, .exclusive)
    guard !PrivateFiles.exists(copy.unfinishedCopy) else {
      throw refusal("the backup to it did not end", copy.folder)
    }
    for file in [copy.database, copy.masterKey] where !PrivateFiles.exists(file) {
      throw refusal("\(file) does not exist; a copy has the database and the master key", copy.folder)
    }
    guard !PrivateFiles.exists(copy.database + "-journal") else {
      throw refusal("\(copy.database)-journal exists: the database was copied within a change", copy.folder)
    }
    return lock
  }

  /// Checks a new database and its master key, and leaves the database in one file.
  private static func check(_ paths: DataPaths) async throws -> Int {
    let store = try IdentityDatabase.open(
      path: paths.database, tables: ServiceTables.all, makesFile: false)
    do {
      try store.checkIntegrity()
      let secrets = try await MasterKeyReplacement.finish(paths, store)
      let check = try await SealedSecrets.check(store, with: secrets.identityPools)
      guard check.isRight else {
        throw OperatingError("\(paths.masterKey) is the master key of another service: it opens no secret")
      }
      guard check.refused.isEmpty else {
        throw OperatingError("\(paths.masterKey) does not open the keys \(check.refused.quotedList)")
      }
      guard check.opened > 0 else {
        throw OperatingError(
          "\(paths.database) has no signing keys: it is a copy without its write-ahead log")
      }
      let pools = try await count(store)
      try await store.close()
      return pools
    } catch {
      try? await store.close()
      throw error
    }
  }

  private static func count(_ store: SQLiteRecordStore) async throws -> Int {
    try await store.read { rows throws(IdentityError) in try rows.poolCount() }
  }

  private static func refusal(_ reason: String, _ source: String) -> OperatingError {
    OperatingError("the copy \(source) is refused: \(reason)", code: .backupRefused)
  }
}
