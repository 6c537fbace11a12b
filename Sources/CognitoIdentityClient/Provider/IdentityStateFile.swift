internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// Stores an identity in a file that only its owner can read.
public struct IdentityStateFile: IdentityStateStore {
  private let path: String

  /// Creates a store.
  ///
  /// - Parameter path: the file, in an existing folder.
  public init(path: String) { self.path = path }

  /// Reads the file.
  ///
  /// - Returns: the stored identity; nil if there is no file.
  /// - Throws: `stateUnavailable`.
  public func load() throws(IdentityClientError) -> StoredIdentity? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw .stateUnavailable("\(path) cannot be opened (error \(errno))")
    }
    defer { close(file) }
    var details = stat()
    guard unsafe fstat(file, &details) == 0, details.st_mode & S_IFMT == S_IFREG,
      details.st_mode & 0o077 == 0, details.st_uid == geteuid()
    else {
      throw .stateUnavailable("\(path) must be a regular file of this user with mode 600")
    }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    var span = bytes.mutableSpan
    guard let count = Descriptor.fill(&span, from: file),
      let object = (try? JSONDocument(Array(bytes.prefix(count))))?.object(),
      let pool = object["identityPoolId"]?.string, let identity = object["identityId"]?.string
    else { throw .stateUnavailable("\(path) is not a stored identity") }
    return StoredIdentity(poolID: pool, identityID: identity)
  }

  /// Replaces the file.
  ///
  /// - Parameter state: the identity; nil removes the file.
  /// - Throws: `stateUnavailable`.
  public func save(_ state: StoredIdentity?) throws(IdentityClientError) {
    guard let state else {
      guard unsafe unlink(path) == 0 || errno == ENOENT else {
        throw .stateUnavailable("\(path) cannot be removed (error \(errno))")
      }
      return
    }
    // Written under another name and renamed, so that a reader never sees a partial file.
    let draft = path + ".draft"
    _ = unsafe unlink(draft)
    let file = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .stateUnavailable("\(draft) cannot be written (error \(errno))") }
    let bytes = JSONWriter.write(
      ["identityPoolId": .string(state.poolID), "identityId": .string(state.identityID)] as JSONObject)
    let isSafe = Descriptor.writeAll(bytes.span, to: file) && fsync(file) == 0
    close(file)
    guard isSafe, unsafe rename(draft, path) == 0 else {
      _ = unsafe unlink(draft)
      throw .stateUnavailable("\(path) cannot be written (error \(errno))")
    }
  }
}
