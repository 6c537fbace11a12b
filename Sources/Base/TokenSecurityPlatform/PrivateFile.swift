/// A small file that only this user can read, always replaced as a whole.
package struct PrivateFile: Sendable {
  /// The file, in an existing folder.
  package let path: String

  package init(path: String) { self.path = path }

  /// Why a file cannot be used.
  package struct Failure: Error {
    /// The reason with the path.
    package let reason: String

    package init(reason: String) { self.reason = reason }
  }

  /// Reads the file. The caller wipes secrets.
  ///
  /// - Parameter limit: the most bytes.
  /// - Returns: the contents; nil without a file.
  /// - Throws: `Failure`, also for a file that other users can read, and for a symbolic link.
  package func read(limit: Int) throws(Failure) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw Failure(reason: "\(path) cannot be opened: \(SystemError.text)")
    }
    defer { close(file) }
    guard let status = FileStatus(file), status.isRegularFile, status.permissions & 0o077 == 0,
      status.owner == geteuid()
    else { throw Failure(reason: "\(path) must be a regular file of this user with mode 600") }
    guard status.size <= Int64(limit) else { throw Failure(reason: "\(path) has more than \(limit) bytes") }
    var bytes = [UInt8](repeating: 0, count: Int(status.size))
    var span = bytes.mutableSpan
    guard Descriptor.fill(&span, from: file) == Int(status.size) else {
      throw Failure(reason: "\(path) cannot be read")
    }
    return bytes
  }

  /// Replaces the file. When this returns, the contents are on the disk.
  ///
  /// - Parameters:
  ///   - bytes: the contents.
  ///   - isShared: true where other processes may replace the file at the same time, without ``withLock(_:)``: each
  ///     has a draft of its own. Default: false.
  /// - Throws: `Failure`; the earlier contents remain, or the new ones are not on the disk yet.
  package func replace(with bytes: borrowing Span<UInt8>, isShared: Bool = false) throws(Failure) {
    // Written under another name and renamed, so that a reader never sees a partial file.
    // Threads, and processes of several containers with one number, have drafts of their own, too.
    let draft = isShared ? "\(path).\(UInt64.random(in: .min ... .max)).draft" : path + ".draft"
    if !isShared { _ = unsafe unlink(draft) }
    let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw Failure(reason: "\(draft) cannot be written: \(SystemError.text)") }
    let isSafe = Descriptor.writeAll(bytes, to: file) && fsync(file) == 0
    let reason = SystemError.text
    close(file)
    guard isSafe else {
      _ = unsafe unlink(draft)
      throw Failure(reason: "\(draft) cannot be written: \(reason)")
    }
    guard unsafe rename(draft, path) == 0 else {
      let reason = SystemError.text
      _ = unsafe unlink(draft)
      throw Failure(reason: "\(path) cannot be replaced: \(reason)")
    }
    // The name is the folder's: without this, a power cut could bring the earlier contents back.
    let folder = unsafe open(folderPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw Failure(reason: "\(folderPath) cannot be opened: \(SystemError.text)") }
    defer { close(folder) }
    // Some file systems have nothing to write for a folder.
    guard fsync(folder) == 0 || errno == EINVAL else {
      throw Failure(reason: "\(folderPath) cannot be written to the disk: \(SystemError.text)")
    }
  }

  private var folderPath: String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Removes the file, unless it is absent.
  ///
  /// - Throws: `Failure`.
  package func remove() throws(Failure) {
    guard unsafe unlink(path) == 0 || errno == ENOENT else {
      throw Failure(reason: "\(path) cannot be removed: \(SystemError.text)")
    }
  }

  /// Calls a closure while no other process, and no other part of this one, is inside such a call for this file. A
  /// file beside it, `PATH.lock`, is locked.
  ///
  /// - Parameters:
  ///   - attempts: how often the lock is tried, with ten milliseconds between. A process that is stopped in such a call
  ///     must not stop all others. Default: ten seconds' worth.
  ///   - body: reads and replaces the file. It must be short: others wait.
  /// - Returns: the result of `body`.
  /// - Throws: `Failure`, and the errors of `body`.
  package func withLock<R>(
    attempts: Int = 1_000, _ body: () throws(Failure) -> R
  ) throws(Failure) -> R {
    let lock = try FileLock(path + ".lock", attempts: attempts)
    defer { withExtendedLifetime(lock) {} }
    return try body()
  }
}

/// An exclusive lock on a file. It is released when this object is freed, or when the process ends.
package final class FileLock: Sendable {
  private let descriptor: Int32

  /// Locks a file, which is made if it does not exist, for this user alone.
  ///
  /// - Parameters:
  ///   - path: the file. It stays: a process that removed it could remove the lock of another one.
  ///   - attempts: how often the lock is tried, with ten milliseconds between.
  /// - Throws: `Failure`, also for a symbolic link.
  package init(_ path: String, attempts: Int) throws(PrivateFile.Failure) {
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else {
      throw PrivateFile.Failure(reason: "\(path) cannot be opened: \(SystemError.text)")
    }
    var left = attempts
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EAGAIN || errno == EINTR else {
        throw PrivateFile.Failure(reason: "\(path) cannot be locked: \(SystemError.text)")
      }
      left -= 1
      guard left > 0 else { throw PrivateFile.Failure(reason: "\(path) is locked by another process") }
      usleep(10_000)
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
