internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// Reads files and standard input, up to a limit, into memory that is wiped.
enum InputFile {
  /// The limit for key files.
  static let keyFileLimit = 1 << 20

  /// The name of a path in messages.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// Reads the file at `path`, or standard input for `-`.
  ///
  /// - Throws: `UsageError` for a file that cannot be read or has more than `limit` bytes.
  static func read(_ path: String, limit: Int = keyFileLimit) throws -> SecretBytes {
    let isStandardInput = path == "-"
    let descriptor = isStandardInput ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw UsageError(system: path) }
    defer { if !isStandardInput { close(descriptor) } }
    guard let contents = try read(descriptor, limit: limit, name: name(path)) else {
      throw UsageError("\(name(path)) has more than \(limit) bytes", code: UsageError.fileUnusable)
    }
    return contents
  }

  /// Reads a file or standard input that contains no secret.
  static func bytes(_ path: String, limit: Int = keyFileLimit) throws -> [UInt8] {
    unwiped(try read(path, limit: limit))
  }

  /// Reads a file or standard input without the white space at both ends.
  static func trimmed(_ path: String, limit: Int = keyFileLimit) throws -> SecretBytes {
    try read(path, limit: limit).withBytes { (bytes: borrowing Span<UInt8>) -> SecretBytes in
      var (start, end) = (0, bytes.count)
      while start < end, bytes[start].isASCIISpace { start += 1 }
      while end > start, bytes[end - 1].isASCIISpace { end -= 1 }
      return SecretBytes(bytes.extracting(start..<end))
    }
  }

  /// Reads text without the white space at both ends.
  static func text(_ path: String) throws -> String {
    String(decoding: unwiped(try trimmed(path)), as: UTF8.self)
  }

  static func unwiped(_ contents: borrowing SecretBytes) -> [UInt8] {
    contents.withBytes { (bytes: borrowing Span<UInt8>) -> [UInt8] in [UInt8](unwipedCopy: bytes) }
  }

  /// Reads a regular file. Other files, for example a FIFO, are refused without waiting.
  ///
  /// - Throws: `UsageError` for anything else than a regular file of at most `limit` bytes.
  static func readRegular(_ path: String, limit: Int = keyFileLimit) throws -> SecretBytes {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw UsageError(system: path) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw UsageError("\(path) is not a regular file", code: UsageError.fileUnusable)
    }
    guard let contents = try read(descriptor, limit: limit, name: path) else {
      throw UsageError("\(path) has more than \(limit) bytes", code: UsageError.fileUnusable)
    }
    return contents
  }

  /// Reads `descriptor` to its end; nil if there are more than `limit` bytes.
  static func read(_ descriptor: Int32, limit: Int, name: String) throws -> SecretBytes? {
    let capacity = capacity(descriptor, limit: limit)
    var count = 0
    let buffer = try SecretBytes(count: capacity) { span in
      guard let filled = Descriptor.fill(&span, from: descriptor) else { throw UsageError(system: name) }
      count = filled
    }
    guard count < capacity else {
      guard capacity > limit else {
        throw UsageError("\(name) grew while it was read", code: UsageError.fileUnusable)
      }
      return nil
    }
    return buffer.withBytes { SecretBytes($0.extracting(first: count)) }
  }

  /// The rest of a regular file, else the limit, and one byte more to detect the end. The buffer has
  /// just this size because clearing a megabyte takes longer than verifying a token.
  private static func capacity(_ descriptor: Int32, limit: Int) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return limit + 1
    }
    let rest = Int(status.st_size) - max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
    // Files in /proc report a size of 0.
    return (rest > 0 ? min(rest, limit) : limit) + 1
  }
}

extension UsageError {
  /// The operating system's error for a file.
  init(system name: String) { self.init("\(name): \(SystemError.text)", code: Self.fileUnusable) }
}
