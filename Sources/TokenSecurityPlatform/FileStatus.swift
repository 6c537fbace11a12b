/// What the system records of a file.
package struct FileStatus {
  /// True for a regular file, not a folder, pipe or device.
  package let isRegularFile: Bool
  /// The permissions, as `chmod` has them.
  package let permissions: UInt32
  /// The user that it belongs to.
  package let owner: UInt32
  /// The size in bytes.
  package let size: Int64

  /// The status of an open file; nil on failure.
  package init?(_ descriptor: Int32) {
    var details = stat()
    guard unsafe fstat(descriptor, &details) == 0 else { return nil }
    self.init(details)
  }

  /// The status of a path, which is not followed if it is a symbolic link; nil on failure.
  package init?(path: String) {
    var details = stat()
    guard unsafe lstat(path, &details) == 0 else { return nil }
    self.init(details)
  }

  private init(_ details: stat) {
    isRegularFile = details.st_mode & S_IFMT == S_IFREG
    permissions = UInt32(details.st_mode & 0o7777)
    owner = details.st_uid
    size = Int64(details.st_size)
  }
}
