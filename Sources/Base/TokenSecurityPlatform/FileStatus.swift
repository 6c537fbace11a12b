/// The attributes of a file that the system records.
package struct FileStatus {
  /// True for a regular file, not a folder, pipe or device.
  package let isRegularFile: Bool
  /// The permissions, as `chmod` has them.
  package let permissions: UInt32
  /// The user that it belongs to.
  package let owner: UInt32
  /// The size in bytes.
  package let size: Int64
  private let device: UInt64
  private let inode: UInt64

  /// True for a regular file with a secret: no other user can read it.
  ///
  /// The rule is PostgreSQL's for private keys: a file of root may be readable by its group (mode 640), as secrets of
  /// containers are. Here root may use it, too: an operator does beside the service.
  package var isSecret: Bool {
    guard isRegularFile else { return false }
    if owner == 0 { return permissions & 0o037 == 0 }
    return permissions & 0o077 == 0 && (owner == geteuid() || geteuid() == 0)
  }

  /// The requirement of ``isSecret``, after the file's name in a sentence.
  package static let secretRule =
    "must be a regular file that other users cannot read: this user's with mode 600, or root's with mode 640 at most"

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

  /// True if both are of one file, whatever its names.
  package func isSameFile(as other: FileStatus) -> Bool { device == other.device && inode == other.inode }

  private init(_ details: stat) {
    isRegularFile = details.st_mode & S_IFMT == S_IFREG
    permissions = UInt32(details.st_mode & 0o7777)
    owner = details.st_uid
    size = Int64(details.st_size)
    device = UInt64(details.st_dev)
    inode = UInt64(details.st_ino)
  }
}
