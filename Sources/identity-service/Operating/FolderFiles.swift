internal import RecordsSQLite
internal import Foundation
internal import TokenSecurityPlatform

/// Folders of this program.
enum FolderFiles {
  /// Makes a folder for this user alone, and the folders above it. When this returns, it is on the disk.
  ///
  /// - Throws: `OperatingError`.
  static func make(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw OperatingError("the folder \(path) cannot be made: \(reason(error))", code: .fileUnusable)
    }
    try PrivateFiles.synchronise(folder: PrivateFiles.folder(of: path))
  }

  /// The names of a folder's entries.
  ///
  /// - Throws: `OperatingError`.
  static func names(in path: String) throws -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: path) } catch {
      throw OperatingError("the folder \(path) cannot be read: \(reason(error))", code: .fileUnusable)
    }
  }

  /// The system's text for an error of Foundation.
  private static func reason(_ error: any Error) -> String {
    let cause = (error as? CocoaError)?.underlying
    return (cause as? POSIXError).map { SystemError.text(of: $0.code.rawValue) } ?? error.localizedDescription
  }

  /// Makes an empty file, whose name says what is going on. When this returns, it is on the disk.
  static func mark(_ path: String) throws {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      throw OperatingError("\(path) cannot be made: \(SystemError.text)", code: .fileUnusable)
    }
    close(file)
    try PrivateFiles.synchronise(folder: PrivateFiles.folder(of: path))
  }

  /// Removes a file, also from the disk, unless it is absent.
  static func remove(_ path: String) throws {
    guard unsafe unlink(path) == 0 else {
      guard errno == ENOENT else {
        throw OperatingError("\(path) cannot be removed: \(SystemError.text)", code: .fileUnusable)
      }
      return
    }
    try PrivateFiles.synchronise(folder: PrivateFiles.folder(of: path))
  }

  /// Copies a file to a new one for this user alone. When this returns, its contents are on the disk.
  ///
  /// - Throws: `OperatingError`, `RecordStoreError`.
  static func copy(_ source: String, to path: String) throws {
    let file = unsafe open(source, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0, FileStatus(file)?.isRegularFile == true else {
      let reason = file < 0 ? SystemError.text : "it is not a regular file"
      if file >= 0 { close(file) }
      throw OperatingError("\(source) cannot be read: \(reason)", code: .fileUnusable)
    }
    defer { close(file) }
    var isRead = true
    var portion = [UInt8](repeating: 0, count: 1 << 20)
    let draft = try PrivateFiles.makeDraft(of: path) { target in
      while true {
        var span = portion.mutableSpan
        guard let count = Descriptor.fill(&span, from: file) else {
          isRead = false
          return false
        }
        guard Descriptor.writeAll(portion.span.extracting(first: count), to: target) else { return false }
        if count < portion.count { return true }
      }
    }
    guard isRead else { throw OperatingError("\(source) cannot be read", code: .fileUnusable) }
    try PrivateFiles.publish(draft, at: path, isShared: false)
  }
}

/// A folder whose files are being made. Until ``finish()`` it has a file that says so: a process that is killed
/// leaves no folder that looks like a service's data.
struct UnfinishedFolder {
  let paths: DataPaths
  private let isMade: Bool
  private let lock: FolderLock

  /// Makes the folder, or takes an empty one.
  ///
  /// - Throws: `OperatingError` if it has files or cannot be made.
  init(_ path: String) throws {
    paths = DataPaths(path)
    isMade = !PrivateFiles.exists(path)
    if isMade { try FolderFiles.make(path) }
    try PrivateFiles.check(folder: path, isOwn: true)
    try Self.checkEmpty(paths)
    lock = try FolderLock(path, .exclusive)
    // Another process may have begun to use it.
    try Self.checkEmpty(paths)
    try FolderFiles.mark(paths.unfinishedCopy)
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
