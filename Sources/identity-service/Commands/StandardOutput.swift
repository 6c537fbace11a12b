internal import TokenSecurityPlatform

/// Standard output, written at once: whoever waits for a line gets it.
enum StandardOutput {
  /// Writes all of `text`. False where that is not possible.
  @discardableResult
  static func write(_ text: String) -> Bool {
    Descriptor.writeAll(text.utf8.span, to: STDOUT_FILENO)
  }
}
