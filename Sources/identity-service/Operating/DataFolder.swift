internal import CognitoIdentity
internal import CognitoIdentitySQLite
internal import CryptoPrimitives
internal import Foundation

/// The folder that all of a service lies in: one SQLite file, and the master key, each readable by its owner alone.
struct DataFolder {
  let store: SQLiteIdentityStore
  let sealing: SealingKeys

  /// Opens the folder, and makes it and what belongs into it where that is not there.
  init(_ path: String) throws {
    let manager = FileManager.default
    if !manager.fileExists(atPath: path) {
      do {
        try manager.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw OperatingFault("the folder \(path) is not there and cannot be made")
      }
    }
    sealing = try SealingKeys(master: Self.masterKey(path + "/master.key"))
    store = try SQLiteIdentityStore(path: path + "/identities.sqlite")
  }

  private static func masterKey(_ path: String) throws -> SecretBytes {
    // Whoever comes first makes it; a link puts it there whole or not at all.
    if !FileManager.default.fileExists(atPath: path) {
      let draft = path + ".\(getpid()).draft"
      let key = try SecretBytes.random(count: SealingKeys.masterSize)
      let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL, 0o600)
      guard file >= 0 else { throw OperatingFault("the master key cannot be written to \(path)") }
      let written = key.withBytes { bytes in
        unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
      }
      let isSafe = written == key.count && fsync(file) == 0
      close(file)
      defer { unsafe unlink(draft) }
      guard isSafe, unsafe link(draft, path) == 0 || errno == EEXIST else {
        throw OperatingFault("the master key cannot be written to \(path)")
      }
    }
    var details = stat()
    guard unsafe stat(path, &details) == 0, details.st_mode & 0o077 == 0 else {
      throw OperatingFault("the master key \(path) must be readable by its owner alone (mode 600)")
    }
    let file = unsafe open(path, O_RDONLY)
    guard file >= 0 else { throw OperatingFault("the master key \(path) cannot be read") }
    defer { close(file) }
    return try SecretBytes(count: SealingKeys.masterSize) { span in
      let count = unsafe span.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
      guard count == SealingKeys.masterSize, details.st_size == SealingKeys.masterSize else {
        throw OperatingFault("the master key \(path) does not have \(SealingKeys.masterSize) bytes")
      }
    }
  }
}

/// What an operator must put right.
struct OperatingFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
