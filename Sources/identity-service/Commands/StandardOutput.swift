internal import Glibc

/// Standard output, written at once: whoever waits for a line gets it.
enum StandardOutput {
  static func write(_ text: String) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.write(1, $0.baseAddress! + start, bytes.count - start)
      }
      guard count > 0 else { return }
      start += count
    }
  }
}
