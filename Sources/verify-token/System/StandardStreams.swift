internal import TokenSecurityCrypto
internal import Glibc

/// The program's output.
enum StandardOutput {
  /// True where a person reads it.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  static func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes `bytes`; where nobody reads any more, the program ends as a refused write ends others.
  static func write(_ bytes: [UInt8]) {
    if !Descriptor.writeAll(bytes, to: STDOUT_FILENO) { exit(ExitStatus.usage.rawValue) }
  }

  /// The same for secret bytes.
  static func write(_ bytes: borrowing SecretBytes) {
    if !Descriptor.writeAll(bytes, to: STDOUT_FILENO) { exit(ExitStatus.usage.rawValue) }
  }
}

/// Where the program talks to the person that started it.
enum StandardError {
  /// True where a person reads it.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static func write(_ text: String) { _ = Descriptor.writeAll(Array(text.utf8), to: STDERR_FILENO) }
}

/// Writing to whatever is open.
enum Descriptor {
  /// Writes all of `bytes`; false where that could not be done.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    unsafe bytes.withUnsafeBytes { unsafe writeAll($0, to: descriptor) }
  }

  /// The same for secret bytes.
  static func writeAll(_ bytes: borrowing SecretBytes, to descriptor: Int32) -> Bool {
    bytes.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe writeAll($0, to: descriptor) } }
  }

  private static func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var written = 0
    while written < buffer.count {
      let count = unsafe Glibc.write(
        descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}

/// The program's environment.
enum Environment {
  static subscript(name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}

/// The program's input.
enum StandardInput {
  /// True where a person types it.
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
