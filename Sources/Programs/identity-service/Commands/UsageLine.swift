internal import TokenSecurityBase

/// The line of usage in help and in refusals. The argument parser puts all options into it, in one line.
enum UsageLine {
  private static let width = 80

  /// Shortens lines of usage that are longer than 80 columns: optional options become `[<options>]`, and what is still longer
  /// goes on in the next line.
  static func shortened(in message: String) -> String {
    message.parts(at: "\n").map { line in
      let isUsage = ["USAGE: ", "Usage: "].contains { line.utf8.starts(with: $0.utf8) }
      return isUsage && line.utf8.count > width ? shortened(line) : line
    }.joined(separator: "\n")
  }

  private static func shortened(_ line: String) -> String {
    var words: [String] = []
    var depth = 0
    var isLeftOut = false
    for word in line.parts(at: " ") {
      if depth == 0 { isLeftOut = word.utf8.starts(with: "[-".utf8) }
      for byte in word.utf8 {
        if byte == UInt8(ascii: "[") { depth += 1 }
        if byte == UInt8(ascii: "]") { depth -= 1 }
      }
      if !isLeftOut { words.append(word) }
    }
    words.append("[<options>]")
    return wrapped(words)
  }

  /// The words, in lines of at most 80 columns. An option and its value stay together.
  private static func wrapped(_ words: [String]) -> String {
    var lines = [""]
    for (index, word) in words.enumerated() {
      let isOption = word.utf8.starts(with: "--".utf8) && index + 1 < words.count
      let needed = word.utf8.count + (isOption ? words[index + 1].utf8.count + 1 : 0)
      let last = lines.count - 1
      if lines[last].isEmpty {
        lines[last] = word
      } else if lines[last].utf8.count + 1 + needed > width {
        lines.append("         " + word)
      } else {
        lines[last] += " " + word
      }
    }
    return lines.joined(separator: "\n")
  }
}
