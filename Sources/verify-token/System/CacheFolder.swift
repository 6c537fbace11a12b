internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// A folder that only this user can write to, with one file for each URL and set of trust roots.
struct CacheFolder: Sendable {
  private let path: String

  /// Opens or creates the folder.
  ///
  /// - Throws: `UsageError` for a folder that other users can write to: they could replace the keys.
  init(_ path: String) throws {
    self.path = path
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw UsageError(system: path) }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw UsageError(system: path) }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw UsageError("\(path) is not a folder", code: UsageError.fileUnusable)
    }
    guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      throw UsageError(
        "\(path) can be changed by other users, who could replace the keys", code: UsageError.fileUnusable)
    }
  }

  /// The entry for `key`, unless it is missing or other users can access its file.
  func read(_ key: CacheKey, limit: Int, longestLife: Int64) -> CacheEntry? {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    let descriptor = unsafe open(file(key), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
      // Base64 takes four bytes for three; the rest is for the other members.
      let contents = try? InputFile.read(descriptor, limit: limit * 2 + 4_096, name: path)
    else { return nil }
    return CacheEntry(InputFile.unwiped(contents), key: key, longestLife: longestLife)
  }

  func remove(_ key: CacheKey) { _ = unsafe unlink(file(key)) }

  /// Writes `entry` atomically.
  func write(_ entry: CacheEntry) throws(UsageError) {
    let target = file(entry.key)
    let draft = target + ".\(getpid())"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw UsageError(system: draft) }
    let written = Descriptor.writeAll(entry.json.span, to: descriptor) && fsync(descriptor) == 0
    close(descriptor)
    guard written, unsafe rename(draft, target) == 0 else {
      let error = UsageError(system: target)
      _ = unsafe unlink(draft)
      throw error
    }
  }

  private func file(_ key: CacheKey) -> String {
    // Unambiguous, because the name of the roots contains no line break.
    let text = key.trustRoots + "\n" + key.address
    let digest = (try? DigestAlgorithm.sha256.hash(text.utf8.span)) ?? []
    return path + "/" + Hex.string(digest) + ".json"
  }
}
