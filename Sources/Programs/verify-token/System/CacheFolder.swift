internal import TokenSecurityBase
internal import TokenSecurityCrypto
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
    // Base64 takes four bytes for three; the rest is for the other members.
    guard let contents = try? file(key).read(limit: limit * 2 + 4_096) else { return nil }
    return CacheEntry(contents, key: key, longestLife: longestLife)
  }

  func remove(_ key: CacheKey) { try? file(key).remove() }

  /// Writes `entry` atomically.
  func write(_ entry: CacheEntry) throws(UsageError) {
    do throws(PrivateFile.Failure) {
      try file(entry.key).replace(with: entry.json.span, isShared: true)
    } catch {
      throw UsageError(error.reason, code: UsageError.fileUnusable)
    }
  }

  private func file(_ key: CacheKey) -> PrivateFile {
    // Unambiguous, because the name of the roots contains no line break.
    let text = key.trustRoots + "\n" + key.address
    let digest = (try? DigestAlgorithm.sha256.hash(text.utf8.span)) ?? []
    return PrivateFile(path: path + "/" + Hex.string(digest) + ".json")
  }
}
