internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Asks for a password on a terminal.
enum PasswordPrompt {
  /// True where a person can be asked.
  static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks twice, without echo.
  ///
  /// - Parameter name: whose password it is.
  /// - Returns: the password.
  /// - Throws: `OperatingError` for two different ones, and where the person ends the command.
  static func ask(for name: String) throws -> String {
    let shown = name.visible(upTo: 128)
    let password = try line("Password for \(shown): ")
    guard try line("The same password again: ").isIdentical(to: password) else {
      throw OperatingError("the two passwords differ")
    }
    return password
  }

  /// Reads a line without echo. The terminal sends no signals meanwhile, which would leave it without echo.
  private static func line(_ prompt: String) throws -> String {
    var before = termios()
    guard unsafe tcgetattr(STDIN_FILENO, &before) == 0 else {
      throw OperatingError("standard input: \(SystemError.text)", code: .fileUnusable)
    }
    var silent = before
    silent.c_lflag &= ~tcflag_t(ECHO | ISIG)
    // Ctrl-C ends the line at once.
    unsafe withUnsafeMutableBytes(of: &silent.c_cc) { unsafe $0[Int(VEOL)] = 3 }
    guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
      throw OperatingError("standard input: \(SystemError.text)", code: .fileUnusable)
    }
    StandardError.write(prompt)
    // A terminal hands over a line at a time.
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe bytes.withUnsafeMutableBytes { unsafe Descriptor.read(STDIN_FILENO, into: $0) }
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    StandardError.write("\n")
    var line = bytes[..<(count ?? 0)]
    guard let end = line.popLast(), end != 3 else { throw OperatingError("no password was given") }
    guard end == UInt8(ascii: "\n"), let text = String(validating: line, as: UTF8.self),
      line.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { throw OperatingError("a password is a line of UTF-8 text without control characters") }
    return text
  }
}
