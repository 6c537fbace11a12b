internal import TokenSecurityPlatform

/// A lock on a data folder. The system removes it when the process ends, however that happens.
final class FolderLock: Sendable {
  /// The use that the lock permits.
  enum Use {
    /// With the master key as it is: by services and most commands.
    case shared
    /// By this process alone: the master key is replaced, or the data made.
    case exclusive
  }

  private let descriptor: Int32

  /// Locks a folder, without waiting.
  ///
  /// - Throws: `OperatingError` with the code `data_in_use`.
  init(_ path: String, _ use: Use) throws {
    descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw OperatingError(
        "the data folder \(path) cannot be opened: \(SystemError.text)", code: .fileUnusable)
    }
    guard flock(descriptor, (use == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 else { return }
    let reason = SystemError.text
    let isUsed = errno == EWOULDBLOCK
    // All properties are set: the descriptor is closed by `deinit`.
    guard isUsed else {
      throw OperatingError("the data folder \(path) cannot be locked: \(reason)", code: .fileUnusable)
    }
    throw OperatingError(
      use == .shared
        ? "the data folder \(path) is used by key reseal or restore: try again when it has ended"
        : "the data folder \(path) is used by another process: stop the service and other commands first",
      code: .dataInUse)
  }

  deinit { close(descriptor) }
}
