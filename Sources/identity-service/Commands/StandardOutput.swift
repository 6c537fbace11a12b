internal import TokenSecurityPlatform

/// Standard output without a buffer.
enum StandardOutput {
  /// Writes all of `text`. Returns false on failure.
  @discardableResult
  static func write(_ text: String) -> Bool {
    Descriptor.writeAll(text.utf8.span, to: STDOUT_FILENO)
  }
}
