internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Standard output without a buffer.
enum StandardOutput {
  static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// Writes all of `text`. Returns false on failure.
  @discardableResult
  static func write(_ text: String) -> Bool {
    Descriptor.writeAll(text.utf8.span, to: STDOUT_FILENO)
  }

  /// Writes an object as one line of JSON. Returns false on failure.
  @discardableResult
  static func write(_ object: JSONObject) -> Bool {
    Descriptor.writeAll((JSONWriter.write(object) + [UInt8(ascii: "\n")]).span, to: STDOUT_FILENO)
  }

  /// Writes the result of a command.
  ///
  /// - Throws: `OperatingError` on failure.
  static func print(_ text: String) throws { try check(write(text)) }

  /// Writes the result of a command as one line of JSON.
  ///
  /// - Throws: `OperatingError` on failure.
  static func print(_ object: JSONObject) throws { try check(write(object)) }

  /// - Throws: `OperatingError` if `isWritten` is false.
  static func check(_ isWritten: Bool) throws {
    guard isWritten else {
      throw OperatingError("standard output: \(SystemError.text)", code: .outputFailed)
    }
  }
}

/// Messages and progress.
enum StandardError {
  static func write(_ text: String) { _ = Descriptor.writeAll(text.utf8.span, to: STDERR_FILENO) }
}
