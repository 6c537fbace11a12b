internal import TokenSecurityEncodings

/// An error that prevents verification: wrong options, unreadable files, keys that cannot be fetched.
///
/// Messages quote paths, names and other values of the command line. Control characters in them are escaped
/// here.
struct UsageError: Error {
  /// One sentence without control characters.
  let message: String

  init(_ message: String) { self.message = message.visible(upTo: 4_096) }

  /// An error with its code.
  init(_ error: any CodedError, in name: String? = nil) {
    self.init((name.map { "\($0): " } ?? "") + "\(error) [\(error.codeText)]")
  }

  /// Escapes the message of the argument parser, which quotes the command line and has several lines.
  ///
  /// - Parameters:
  ///   - text: the parser's message.
  ///   - arguments: the command line. Line breaks in arguments are escaped, too.
  /// - Returns: the message without control characters.
  static func visible(_ text: String, quoting arguments: [String]) -> String {
    var text = text
    for argument in arguments {
      let value = argument.utf8.firstIndex(of: UInt8(ascii: "="))
        .map { String(decoding: argument.utf8[$0...].dropFirst(), as: UTF8.self) }
      for part in [argument, value ?? ""] where !part.isEmpty {
        let shown = part.visible(upTo: .max)
        if shown != part { text = text.replacing(part, with: shown) }
      }
    }
    return text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).visible(upTo: .max) }.joined(separator: "\n")
  }
}
