internal import CognitoIdentity
internal import CognitoUserPool
internal import RecordsSQLite
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// The replacement of the master key.
///
/// 1. The new key is written to `master.key.next`.
/// 2. One transaction seals all secrets with it.
/// 3. `master.key.next` is renamed to `master.key`.
///
/// Each step is on the disk before the next one. If the process ends in between, the next command or start sees
/// `master.key.next`, and the stored secrets show which of the two keys is the right one. This process alone
/// uses the folder (``FolderLock``), so that nothing is sealed with the old key meanwhile.
enum MasterKeyReplacement {
  /// Replaces the master key of a folder that is locked for this process alone.
  ///
  /// - Returns: the number of secrets.
  static func run(_ data: DataFolder) async throws -> Int {
    let key = try MasterKeyFile.random()
    let secrets = try ServiceSecrets(master: key)
    try MasterKeyFile.write(key, to: data.paths.nextMasterKey)
    let count: Int
    do {
      let old = data.secrets
      count = try await SealedSecrets.reseal(
        in: data.store, from: old.identityPools, to: secrets.identityPools
      ) { rows throws(IdentityError) in
        do throws(UserPoolError) {
          return try rows.sharing { rows throws(UserPoolError) in
            try rows.resealUserPools(from: old.userPools, to: secrets.userPools)
          }
        } catch {
          throw .storeFailed("\(error)")
        }
      }
    } catch {
      // A transaction that failed may have been stored all the same.
      _ = try? await finish(data.paths, data.store)
      throw error
    }
    try publish(data.paths)
    // Free pages of the file may have secrets that the old key opens.
    try data.store.compact()
    return count
  }

  /// Reads the master key, after ending a replacement that was interrupted.
  ///
  /// Several processes may do this at the same time. No replacement runs then, so that all of them decide the
  /// same.
  static func finish(_ paths: DataPaths, _ store: SQLiteRecordStore) async throws -> ServiceSecrets {
    for _ in 0..<100 {
      let isInterrupted = PrivateFiles.exists(paths.nextMasterKey)
      let present = try ServiceSecrets(master: try MasterKeyFile.read(paths.masterKey))
      guard isInterrupted else { return present }
      let next: ServiceSecrets
      do { next = try ServiceSecrets(master: try MasterKeyFile.read(paths.nextMasterKey)) } catch {
        // Another process may have ended the replacement.
        guard !PrivateFiles.exists(paths.nextMasterKey) else { throw error }
        continue
      }
      if try await SealedSecrets.check(store, with: present.identityPools).isRight {
        try FolderFiles.remove(paths.nextMasterKey)
        return present
      }
      guard try await SealedSecrets.check(store, with: next.identityPools).isRight else {
        throw OperatingError(
          "neither \(paths.masterKey) nor \(paths.nextMasterKey) opens the secrets in \(paths.database)",
          code: .fileUnusable)
      }
      try publish(paths)
      return next
    }
    throw OperatingError("\(paths.nextMasterKey) comes and goes", code: .fileUnusable)
  }

  private static func publish(_ paths: DataPaths) throws {
    let isRenamed = unsafe rename(paths.nextMasterKey, paths.masterKey) == 0
    // Another process may have renamed it.
    guard isRenamed || errno == ENOENT else {
      throw OperatingError(
        "\(paths.nextMasterKey) cannot be renamed to \(paths.masterKey): \(SystemError.text)",
        code: .fileUnusable)
    }
    try PrivateFiles.synchronise(folder: paths.folder)
  }
}
