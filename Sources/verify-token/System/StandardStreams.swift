internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

/// The program's output.
enum StandardOutput {
  /// True where a person reads it.
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  static func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes `bytes`; where nobody reads any more, the program ends as a refused write ends others.
  static func write(_ bytes: [UInt8]) {
    end(unless: Descriptor.writeAll(bytes.span, to: STDOUT_FILENO))
  }

  /// The same for secret bytes.
  static func write(_ bytes: borrowing SecretBytes) {
    end(unless: bytes.withBytes { Descriptor.writeAll($0, to: STDOUT_FILENO) })
  }

  private static func end(unless isWritten: Bool) {
    if !isWritten { exit(ExitStatus.usage.rawValue) }
  }
}

/// Where the program talks to the person that started it.
enum StandardError {
  /// True where a person reads it.
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static func write(_ text: String) { _ = Descriptor.writeAll(text.utf8.span, to: STDERR_FILENO) }
}

/// The program's input.
enum StandardInput {
  /// True where a person types it.
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
