internal import ServiceHosting
internal import TokenSecurityBase

/// A text as a word of a shell command.
enum ShellWord {
  /// A path, in quotes if it needs them.
  static func text(_ path: String) -> String {
    let isPlain = path.utf8.allSatisfy { byte in
      HostName.isPlain(byte) || byte == UInt8(ascii: "/")
    }
    guard !isPlain else { return path }
    let parts = path.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
    return "'" + parts.map { String(Substring($0)) }.joined(separator: "'\\''") + "'"
  }
}
