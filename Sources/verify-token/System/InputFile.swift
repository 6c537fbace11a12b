internal import TokenSecurityCrypto
internal import TokenSecurityEncodings
internal import TokenSecurityPlatform

/// Reading files and standard input, bounded, into memory that is wiped.
enum InputFile {
  /// Key files are not larger.
  static let keyFileLimit = 1 << 20

  /// What a path is called in messages.
  static func name(_ path: String) -> String { path == "-" ? "standard input" : path }

  /// The contents of the file at `path`, or of standard input where that is `-`.
  ///
  /// - Throws: `UsageProblem` where the file cannot be read or has more than `limit` bytes.
  static func read(_ path: String, limit: Int = keyFileLimit) throws -> SecretBytes {
    let isStandardInput = path == "-"
    let descriptor = isStandardInput ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw UsageProblem("\(path): \(SystemError.text)") }
    defer { if !isStandardInput { close(descriptor) } }
    guard let contents = try read(descriptor, limit: limit, name: name(path)) else {
      throw UsageProblem("\(name(path)) has more than \(limit) bytes")
    }
    return contents
  }

  /// The contents of the regular file at `path`. Opening anything else, a FIFO for example, does not wait.
  ///
  /// - Throws: `UsageProblem` where there is no regular file, or it has more than `limit` bytes.
  static func readRegular(_ path: String, limit: Int = keyFileLimit) throws -> SecretBytes {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw UsageProblem("\(path): \(SystemError.text)") }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw UsageProblem("\(path) is not a regular file")
    }
    guard let contents = try read(descriptor, limit: limit, name: path) else {
      throw UsageProblem("\(path) has more than \(limit) bytes")
    }
    return contents
  }

  /// What can be read from `descriptor`, or nil where that is more than `limit` bytes.
  static func read(_ descriptor: Int32, limit: Int, name: String) throws -> SecretBytes? {
    let capacity = capacity(descriptor, limit: limit)
    var count = 0
    let buffer = try SecretBytes(count: capacity) { span in
      guard let got = Descriptor.fill(&span, from: descriptor) else {
        throw UsageProblem("\(name): \(SystemError.text)")
      }
      count = got
    }
    guard count < capacity else {
      guard capacity > limit else { throw UsageProblem("\(name) grew while it was read") }
      return nil
    }
    return buffer.withBytes { SecretBytes($0.extracting(first: count)) }
  }

  /// One byte more than there is to read, by which its end is seen: of a file its size, of anything else
  /// the limit. Clearing a megabyte would cost more than verifying a token.
  private static func capacity(_ descriptor: Int32, limit: Int) -> Int {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return limit + 1
    }
    let rest = Int(status.st_size) - max(0, Int(lseek(descriptor, 0, SEEK_CUR)))
    // Files that the kernel makes up as they are read say that they have no size.
    return (rest > 0 ? min(rest, limit) : limit) + 1
  }
}
