/// Where a folder is, by device and inode: a path can have symbolic links.
package enum FolderLocation {
  /// Compares a folder, and each folder above it, with another one.
  ///
  /// - Parameters:
  ///   - path: a folder.
  ///   - outer: the other folder.
  /// - Returns: true for the other folder itself, and for one below it; nil if a folder cannot be opened: `errno` has the
  ///   reason.
  package static func isInside(_ path: String, _ outer: String) -> Bool? {
    let other = unsafe open(outer, flags)
    guard other >= 0 else { return nil }
    defer { close(other) }
    let folder = unsafe open(path, flags)
    guard folder >= 0 else { return nil }
    defer { close(folder) }
    guard let status = FileStatus(other) else { return nil }
    return isInside(folder, status)
  }

  /// True where a path, whose symbolic links are followed, has nothing.
  package static func isMissing(_ path: String) -> Bool { unsafe access(path, F_OK) != 0 && errno == ENOENT }

  private static func isInside(_ folder: Int32, _ outer: FileStatus) -> Bool? {
    guard let status = FileStatus(folder) else { return nil }
    guard !status.isSameFile(as: outer) else { return true }
    let parent = unsafe openat(folder, "..", flags)
    guard parent >= 0 else { return nil }
    defer { close(parent) }
    guard let above = FileStatus(parent) else { return nil }
    // The root is its own parent.
    return above.isSameFile(as: status) ? false : isInside(parent, outer)
  }

  /// A folder above another one need not be readable.
  private static var flags: Int32 { Descriptor.pathOnly | O_DIRECTORY | O_CLOEXEC }
}
