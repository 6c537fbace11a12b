internal import TokenSecurityEncodings

/// What keeps the command from judging at all.
///
/// Messages quote paths, names and other values of the command line. Whatever in them a terminal would obey or hide is
/// escaped here, so that no message needs to remember it.
struct UsageProblem: Error {
  /// One sentence for people, without control characters.
  let message: String

  init(_ message: String) { self.message = message.visible(upTo: 4_096) }

  /// The text of the argument parser, which quotes the command line as it was given, on several lines.
  ///
  /// - Parameters:
  ///   - text: the parser's message.
  ///   - arguments: the command line: a line break in one of them must not begin a line of the message.
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
