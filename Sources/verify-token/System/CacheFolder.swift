internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// A folder that only this user can read and change, with one file for each address and set of trust roots.
struct CacheFolder: Sendable {
  private let path: String

  /// Takes the folder, making it where it is not there. Throws `UsageProblem` where others could change
  /// what is in it: they would choose the keys.
  init(_ path: String) throws {
    self.path = path
    if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw UsageProblem("\(path): \(SystemError.text)") }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw UsageProblem("\(path): \(SystemError.text)") }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw UsageProblem("\(path) is not a folder") }
    guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
      throw UsageProblem("\(path) can be changed by others, who would choose the keys")
    }
  }

  /// The entry of `key`, where there is one that only this user can have written.
  func read(_ key: CacheKey, limit: Int, longestLife: Int64) -> CacheEntry? {
    // Without O_NONBLOCK, opening a FIFO would wait for a writer.
    let descriptor = unsafe open(file(key), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
      // Base64 takes four bytes for three, and there is a little around it.
      let contents = try? InputFile.read(descriptor, limit: limit * 2 + 4_096, name: path)
    else { return nil }
    let bytes = contents.withBytes { (span: borrowing Span<UInt8>) -> [UInt8] in [UInt8](unwipedCopy: span) }
    return CacheEntry(bytes, key: key, longestLife: longestLife)
  }

  /// Removes the entry of `key`.
  func remove(_ key: CacheKey) { _ = unsafe unlink(file(key)) }

  /// Writes `entry`, whole or not at all.
  func write(_ entry: CacheEntry) throws(UsageProblem) {
    let target = file(entry.key)
    let draft = target + ".\(getpid())"
    let descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw UsageProblem("\(draft): \(SystemError.text)") }
    let written = Descriptor.writeAll(entry.json.span, to: descriptor) && fsync(descriptor) == 0
    close(descriptor)
    guard written, unsafe rename(draft, target) == 0 else {
      let reason = SystemError.text
      _ = unsafe unlink(draft)
      throw UsageProblem("\(target): \(reason)")
    }
  }

  private func file(_ key: CacheKey) -> String {
    // The name of the roots has no line break in it.
    let text = key.trustRoots + "\n" + key.address
    let digest = (try? DigestAlgorithm.sha256.hash(text.utf8.span)) ?? []
    return path + "/" + Hex.string(digest) + ".json"
  }
}
