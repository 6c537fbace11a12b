internal import ArgumentParser
internal import TokenSecurityBase
internal import TokenSecurityPlatform

/// Recognises a word instead of a subcommand. The default commands would take it for a token or a file.
enum UnknownSubcommand {
  /// The sentence that helps, for a command line that failed; nil if its first words are subcommands, or are
  /// no words.
  static func error(in arguments: [String]) -> UsageError? {
    var command: any ParsableCommand.Type = VerifyToken.self
    var path: [String] = []
    for argument in arguments {
      let subcommands = command.configuration.subcommands
      if let next = subcommands.first(where: { $0._commandName == argument }) {
        command = next
        path.append(argument)
        continue
      }
      guard !subcommands.isEmpty, isWord(argument), argument != "help" else { return nil }
      let names = subcommands.map { $0._commandName }
      let hint =
        NearNames.question(NearNames.of(argument, among: names))
        ?? "the subcommands are \(names.joined(separator: ", "))"
      let kinds = path.isEmpty ? "subcommand nor a token" : "subcommand of \(path[0]) nor a file"
      return UsageError(
        "\(argument.quoted) is neither a \(kinds); \(hint)",
        code: UsageError.optionsWrong)
    }
    return nil
  }

  /// True for lower-case letters and hyphens that are not the name of a file.
  private static func isWord(_ text: String) -> Bool {
    guard (1...32).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "-"),
      text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") })
    else { return false }
    return unsafe access(text, F_OK) != 0
  }
}
