internal import RecordsSQLite
internal import TokenSecurityPlatform

/// A folder whose files are being made. Until ``finish()`` it has a file that says so: a process that is killed
/// leaves no folder that looks like a service's data.
struct UnfinishedFolder {
  let paths: DataPaths
  private let isMade: Bool
  private let lock: FolderLock

  /// Makes the folder, or takes an empty one.
  ///
  /// - Parameters:
  ///   - path: the folder.
  ///   - other: a folder that it must not be in, through a symbolic link either.
  ///   - refusal: the message where it is.
  /// - Throws: `OperatingError` if it has files, cannot be made, or is in the other folder.
  init(_ path: String, outside other: String, refusal: String) throws {
    paths = DataPaths(path)
    isMade = !PrivateFiles.exists(path)
    if isMade {
      guard FolderLocation.isInside(FolderFiles.nearest(to: path), other) != true else {
        throw OperatingError(refusal, code: .fileUnusable)
      }
      try FolderFiles.make(path)
    }
    try PrivateFiles.check(folder: path, isOwn: true)
    try Self.checkEmpty(paths)
    do { try Self.check(path, isOutside: other, refusal) } catch {
      // It had no location until it was made: `..` after a folder that was missing, too.
      if isMade { _ = unsafe rmdir(path) }
      throw error
    }
    lock = try FolderLock(path, .exclusive)
    // Another process may have begun to use it.
    try Self.checkEmpty(paths)
    try FolderFiles.mark(paths.unfinishedCopy)
  }

  private static func check(
    _ folder: String, isOutside other: String, _ refusal: String
  ) throws(OperatingError) {
    guard let isInside = FolderLocation.isInside(folder, other) else {
      throw OperatingError(
        "the folders above \(folder) cannot be read: \(SystemError.text)", code: .fileUnusable)
    }
    guard !isInside else { throw OperatingError(refusal, code: .fileUnusable) }
  }

  private static func checkEmpty(_ paths: DataPaths) throws {
    guard try !FolderFiles.names(in: paths.folder).isEmpty else { return }
    let isLeft = PrivateFiles.exists(paths.unfinishedCopy)
    throw OperatingError(
      "the folder \(paths.folder) is not empty"
        + (isLeft ? ": a backup or restore did not end there; remove its files and repeat it" : ""),
      code: .fileUnusable)
  }

  /// Says that the folder is complete. When this returns, it is so on the disk.
  func finish() throws { try FolderFiles.remove(paths.unfinishedCopy) }

  /// Removes the files after an error, the one that says that they are not complete last.
  func discard() {
    guard let names = try? FolderFiles.names(in: paths.folder) else { return }
    for name in names where "\(paths.folder)/\(name)" != paths.unfinishedCopy {
      _ = unsafe unlink("\(paths.folder)/\(name)")
    }
    _ = unsafe unlink(paths.unfinishedCopy)
    if isMade { _ = unsafe rmdir(paths.folder) }
  }
}
