internal import RecordsSQLite
internal import TokenSecurityPlatform

/// The lock of the one process that serves a data folder. The system removes it when the process ends, however
/// that happens. Commands do not take it.
///
/// It is a lock on the master key's file: the folder itself has the lock of ``FolderLock``, and closing another
/// descriptor of the database would release SQLite's locks.
final class ServeLock: Sendable {
  private let descriptor: Int32

  /// Locks a folder, without waiting; nil before the first start has made the master key.
  ///
  /// - Throws: `OperatingError` with the code `data_in_use`.
  init?(_ paths: DataPaths) throws {
    guard PrivateFiles.exists(paths.masterKey) else { return nil }
    let file = unsafe open(paths.masterKey, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    // A file that cannot be opened is refused with its reason when the key is read.
    guard file >= 0 else { return nil }
    descriptor = file
    guard flock(file, LOCK_EX | LOCK_NB) != 0 else { return }
    let reason = SystemError.text
    guard errno == EWOULDBLOCK else {
      throw OperatingError("\(paths.masterKey) cannot be locked: \(reason)", code: .fileUnusable)
    }
    throw OperatingError(
      "the data folder \(paths.folder) is served by another identity-service: stop it first, or use --store for "
        + "several nodes", code: .dataInUse)
  }

  deinit { close(descriptor) }
}
