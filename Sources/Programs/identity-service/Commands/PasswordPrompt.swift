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
    guard unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0 else {
      throw OperatingError("standard input: \(SystemError.text)", code: .fileUnusable)
    }
    StandardError.write(prompt)
    let text = readLine(strippingNewline: true)
    _ = unsafe tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
    StandardError.write("\n")
    // Ctrl-C is a character here.
    guard let text, !text.utf8.contains(3) else { throw OperatingError("no password was given") }
    return text
  }
}
