internal import Foundation
internal import RecordsSQLite
internal import TokenSecurityBase
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

  /// The folder above a path that ``make(_:)`` finds.
  static func nearest(to path: String) -> String {
    var folder = path
    while FolderLocation.isMissing(folder) {
      let above = PrivateFiles.folder(of: folder)
      guard !above.isIdentical(to: folder) else { break }
      folder = above
    }
    return folder
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
