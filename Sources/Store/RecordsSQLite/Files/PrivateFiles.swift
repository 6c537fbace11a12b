internal import Foundation
internal import Records
internal import TokenSecurityPlatform

/// Files and folders that only their owner can access.
package enum PrivateFiles {
  /// Returns true where a path exists. Symbolic links are not followed.
  package static func exists(_ path: String) -> Bool {
    var details = stat()
    return unsafe lstat(path, &details) == 0
  }

  /// Checks that a file is a regular file of this user that no other user can write. Removes other users'
  /// permission to read it.
  ///
  /// The file is not opened: closing it would release this process's SQLite locks on it.
  ///
  /// - Throws: `fileRefused` with the path and the remedy.
  package static func check(file path: String) throws(RecordStoreError) {
    var details = stat()
    guard unsafe lstat(path, &details) == 0 else { throw .fileRefused("\(path) cannot be read: \(reason())") }
    guard details.st_mode & S_IFMT == S_IFREG else {
      throw .fileRefused("\(path) is not a regular file; symbolic links are not followed")
    }
    guard details.st_uid == geteuid() || geteuid() == 0 else {
      throw .fileRefused("\(path) belongs to user \(details.st_uid), and this program runs as \(geteuid())")
    }
    guard details.st_mode & 0o022 == 0 else {
      throw .fileRefused("other users can write \(path): check what it contains, then chmod 600 \(path)")
    }
    guard details.st_mode & 0o077 != 0 else { return }
    guard unsafe chmod(path, 0o600) == 0 else {
      throw .fileRefused("other users can read \(path), and its mode cannot be changed: \(reason())")
    }
  }

  /// Checks that a folder belongs to this user or to root and that no other user can write to it. With
  /// `isOwn`, for a folder that only this program uses, removes other users' permission to read it.
  ///
  /// - Throws: `fileRefused` with the path and the remedy.
  package static func check(folder path: String, isOwn: Bool = false) throws(RecordStoreError) {
    var details = stat()
    guard unsafe stat(path, &details) == 0 else {
      throw .fileRefused("the folder \(path) cannot be read: \(reason())")
    }
    guard details.st_mode & S_IFMT == S_IFDIR else { throw .fileRefused("\(path) is not a folder") }
    // Also for root: a folder's owner can replace its files.
    guard details.st_uid == geteuid() || details.st_uid == 0 else {
      throw .fileRefused(
        "the folder \(path) belongs to user \(details.st_uid), and this program runs as \(geteuid())")
    }
    guard details.st_mode & 0o022 == 0 else {
      throw .fileRefused(
        "other users can write to the folder \(path): check what it contains, then chmod 700 \(path)")
    }
    guard isOwn, details.st_mode & 0o077 != 0 else { return }
    guard unsafe chmod(path, 0o700) == 0 else {
      throw .fileRefused(
        "other users can read the folder \(path), and its mode cannot be changed: \(reason())")
    }
  }

  /// Returns the folder of a file.
  package static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Writes a folder's entries to the disk.
  package static func synchronise(folder path: String) throws(RecordStoreError) {
    let file = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw .fileRefused("the folder \(path) cannot be opened: \(reason())") }
    defer { close(file) }
    guard fsync(file) == 0 else {
      throw .fileRefused("the folder \(path) cannot be written to the disk: \(reason())")
    }
  }

  /// Writes a file's contents to the disk.
  package static func synchronise(file path: String) throws(RecordStoreError) {
    let file = unsafe open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw .fileRefused("\(path) cannot be opened: \(reason())") }
    defer { close(file) }
    guard fsync(file) == 0 else { throw .fileRefused("\(path) cannot be written to the disk: \(reason())") }
  }

  /// Makes a file of mode 600 with a unique name, which ``publish(_:at:)`` will rename to `path`.
  ///
  /// `write` writes the contents to a file descriptor and returns false on failure.
  package static func makeDraft(
    of path: String, write: (Int32) -> Bool = { _ in true }
  ) throws(RecordStoreError) -> String {
    let draft = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 36)).draft"
    let file = unsafe open(draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .fileRefused("\(path) cannot be made: \(reason())") }
    // The umask may have removed the owner's permissions.
    let isWritten = fchmod(file, 0o600) == 0 && write(file) && fsync(file) == 0
    let why = reason()
    close(file)
    guard isWritten else {
      unsafe unlink(draft)
      throw .fileRefused("\(path) cannot be written: \(why)")
    }
    return draft
  }

  /// Renames a draft to `path`, unless that exists, and writes the folder to the disk.
  ///
  /// With `isShared`, another process may make the same file: the first one's remains.
  package static func publish(
    _ draft: String, at path: String, isShared: Bool = true
  ) throws(RecordStoreError) {
    let isPublished = unsafe link(draft, path) == 0
    let why = reason()
    unsafe unlink(draft)
    // Another process that published first has removed this draft.
    guard isPublished || isShared && exists(path) else {
      throw .fileRefused("\(path) cannot be made: \(why)")
    }
    try synchronise(folder: folder(of: path))
  }

  /// Removes abandoned drafts of `path`. Called once `path` exists, when no process needs a draft.
  package static func removeDrafts(of path: String) {
    let folder = folder(of: path)
    let start =
      Array(
        path.utf8.suffix(
          from: path.utf8.lastIndex(of: UInt8(ascii: "/")).map {
            path.utf8.index(after: $0)
          } ?? path.startIndex)) + [UInt8(ascii: ".")]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let bytes = Array(name.utf8)
      guard bytes.starts(with: start), let end = [".draft", ".draft-journal"].first(where: bytes.ends) else {
        continue
      }
      // Drafts of other files have longer names, such as that of a backup to `records.sqlite.bak`.
      let part = bytes.dropFirst(start.count).dropLast(end.utf8.count)
      guard !part.contains(UInt8(ascii: ".")) else { continue }
      unsafe unlink("\(folder)/\(name)")
    }
  }

  private static func reason() -> String {
    unsafe String(cString: strerror(errno))
  }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
