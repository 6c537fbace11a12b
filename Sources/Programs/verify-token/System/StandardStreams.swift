internal import TokenSecurityBase
internal import TokenSecurityCrypto
internal import TokenSecurityPlatform

enum StandardOutput {
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The width of the terminal, or that of the usual one if it does not know; nil if it is no terminal.
  static var columns: Int? { isTerminal ? Descriptor.columns(STDOUT_FILENO) ?? 80 : nil }

  static func write(_ text: String) { write(Array(text.utf8)) }

  /// Writes `bytes`. If that fails, the program reports it and exits with the status of a usage error.
  static func write(_ bytes: [UInt8]) {
    if !Descriptor.writeAll(bytes.span, to: STDOUT_FILENO) { endProgram(failure) }
  }

  /// Writes `bytes`, for callers that have something to undo.
  ///
  /// - Throws: `UsageError`, or `ExitStatus.usage` if the reader closed the pipe, which needs no message.
  static func attempt(_ bytes: borrowing SecretBytes) throws {
    guard bytes.withBytes({ Descriptor.writeAll($0, to: STDOUT_FILENO) }) else { throw failure }
  }

  /// The last error of writing.
  private static var failure: any Error {
    guard errno != EPIPE else { return ExitStatus.usage }
    return UsageError("standard output: \(SystemError.text)", code: UsageError.outputFailed)
  }

  private static func endProgram(_ error: any Error) -> Never {
    if let error = error as? UsageError { StandardError.write("verify-token: \(error.message)\n") }
    exit(ExitStatus.usage.rawValue)
  }
}

/// Messages and progress.
enum StandardError {
  static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

  static func write(_ text: String) { _ = Descriptor.writeAll(text.utf8.span, to: STDERR_FILENO) }

  /// Writes what is unusual about a file that is used all the same.
  static func warn(_ name: String, _ warning: String) {
    write("verify-token: warning: \(name.visible(upTo: 4_096)): \(warning)\n")
  }
}

enum StandardInput {
  static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }
}
