internal import Glibc

/// Standard output, written at once: whoever waits for a line gets it.
enum StandardOutput {
  /// Writes all of `text`. False where that is not possible.
  @discardableResult
  static func write(_ text: String) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(1, $0.baseAddress, $0.count) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
