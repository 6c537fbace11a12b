internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

enum StandardOutput {
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  static func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes `bytes`. If that fails, the program exits with the status of a usage error.
  static func write(_ bytes: [UInt8]) {
    endProgram(unless: Descriptor.writeAll(bytes.span, to: STDOUT_FILENO))
  }

  static func write(_ bytes: borrowing SecretBytes) {
    endProgram(unless: bytes.withBytes { Descriptor.writeAll($0, to: STDOUT_FILENO) })
  }

  private static func endProgram(unless isWritten: Bool) {
    if !isWritten { exit(ExitStatus.usage.rawValue) }
  }
}

/// Messages and progress.
enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static func write(_ text: String) { _ = Descriptor.writeAll(text.utf8.span, to: STDERR_FILENO) }
}

enum StandardInput {
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
