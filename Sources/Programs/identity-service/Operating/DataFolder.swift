internal import CognitoIdentity
internal import RecordsSQLite

/// A service's data folder: the SQLite database and the master key, readable by their owner alone.
struct DataFolder {
  let paths: DataPaths
  let store: SQLiteRecordStore
  let secrets: ServiceSecrets
  private let lock: FolderLock

  /// Opens a folder. With `makesFolder`, makes the folder, the database and the master key if they do not
  /// exist.
  ///
  /// The database is made before the master key. So a key without a database means that the database is lost,
  /// and a database with sealed secrets but without a key means that the key is lost: both are refused.
  ///
  /// Without `makesFolder`, data of an older version is refused: a service of that version may be running.
  static func open(
    _ path: String, makesFolder: Bool = false, _ use: FolderLock.Use = .shared,
    onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void = { _, _ in }
  ) async throws -> DataFolder {
    let paths = DataPaths(path)
    if !PrivateFiles.exists(path) {
      guard makesFolder else {
        throw OperatingError("the data folder \(path) does not exist", code: .fileUnusable)
      }
      try FolderFiles.make(path)
    }
    try PrivateFiles.check(folder: path, isOwn: true)
    let lock = try FolderLock(path, use)
    let hasKey = PrivateFiles.exists(paths.masterKey)
    try checkFiles(paths, hasKey: hasKey, makesFolder: makesFolder)
    let store =
      makesFolder
      ? try IdentityDatabase.open(
        path: paths.database, tables: ServiceTables.all, onDamagedRow: onDamagedRow)
      : try openExisting(paths.database, onDamagedRow)
    do {
      if hasKey { try await checkContents(paths, store) } else { try await makeKey(paths, store) }
      for key in [paths.masterKey, paths.nextMasterKey] { PrivateFiles.removeDrafts(of: key) }
      let secrets = try await MasterKeyReplacement.finish(paths, store)
      // Otherwise a command would seal new keys with it, which would not open any more with the right one.
      guard try await !SealedSecrets.isWrong(secrets.identityPools, for: store) else {
        throw OperatingError(
          "\(paths.masterKey) does not open the secrets in \(paths.database): another master key sealed them",
          code: .fileUnusable)
      }
      return DataFolder(paths: paths, store: store, secrets: secrets, lock: lock)
    } catch {
      try? await store.close()
      throw error
    }
  }

  /// Opens a database for a command other than `serve`, which alone makes and changes tables.
  private static func openExisting(
    _ path: String, _ onDamagedRow: @escaping @Sendable (_ table: String, _ key: RecordKey) -> Void
  ) throws -> SQLiteRecordStore {
    do throws(RecordStoreError) {
      return try IdentityDatabase.open(
        path: path, tables: ServiceTables.all, makesFile: false, migrates: false,
        onDamagedRow: onDamagedRow)
    } catch {
      guard error.code == .databaseTooOld else { throw error }
      throw OperatingError.olderData(path)
    }
  }

  /// Checks which files exist, and marks a first start.
  private static func checkFiles(_ paths: DataPaths, hasKey: Bool, makesFolder: Bool) throws {
    let hasDatabase = PrivateFiles.exists(paths.database)
    let problem: String? =
      if PrivateFiles.exists(paths.unfinishedCopy) {
        "a backup or restore to \(paths.folder) did not end: remove its files and repeat it"
      } else if hasKey && !hasDatabase {
        "\(paths.masterKey) exists and \(paths.database) does not: put the database back, or remove the key to "
          + "start with an empty database"
      } else if !hasKey && !makesFolder {
        hasDatabase
          ? "\(paths.database) exists and \(paths.masterKey) does not: put the key back"
          : "\(paths.folder) has no service's data; identity-service serve makes it"
      } else {
        nil
      }
    if let problem { throw OperatingError(problem, code: .fileUnusable) }
    if !hasKey, !hasDatabase { try FolderFiles.mark(paths.firstStart) }
  }

  /// Checks that a database which was there before has a signing key.
  ///
  /// A first start makes one at once. A copy of the database file of a running service, without the write-ahead
  /// log, may have none, and must not be taken for a new service.
  private static func checkContents(_ paths: DataPaths, _ store: SQLiteRecordStore) async throws {
    // In this order: a first start that ends now has stored its signing key before.
    guard !PrivateFiles.exists(paths.firstStart) else { return }
    let hasSigningKey = try await store.read { rows throws(IdentityError) in
      try rows.count(IdentityTables.signingKeys, limit: 1) > 0
    }
    guard !hasSigningKey else { return }
    throw OperatingError(
      "\(paths.database) has no signing keys: it is a copy without its write-ahead log; put "
        + "\(paths.database)-wal back, or restore a copy that identity-service backup made",
      code: .fileUnusable)
  }

  private static func makeKey(_ paths: DataPaths, _ store: SQLiteRecordStore) async throws {
    let hasSealed = try await store.read { rows throws(IdentityError) in
      let signing = try rows.count(IdentityTables.signingKeys, limit: 1)
      return try signing + rows.count(IdentityTables.accessKeys, limit: 1) > 0
    }
    // Another process may have made the key since.
    guard !hasSealed || PrivateFiles.exists(paths.masterKey) else {
      throw OperatingError(
        "\(paths.database) has secrets that were sealed with \(paths.masterKey), which does not exist: "
          + "put the key back", code: .fileUnusable)
    }
    // Marked again: a first start may have ended between the database and the key.
    try FolderFiles.mark(paths.firstStart)
    try MasterKeyFile.write(try MasterKeyFile.random(), to: paths.masterKey, isShared: true)
  }

  /// Says that the service has its first signing key.
  func finishFirstStart() throws { try FolderFiles.remove(paths.firstStart) }

  /// Writes the write-ahead log back into the database and closes it, so that the files are complete.
  func close() async throws(RecordStoreError) { try await store.close() }
}
