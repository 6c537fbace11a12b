internal import ArgumentParser
internal import TokenSecurityBase

/// The words that name a command. The argument parser would call an unknown one an unexpected argument.
enum CommandWords {
  /// Checks the words before the first option.
  ///
  /// - Parameters:
  ///   - arguments: the arguments.
  ///   - command: the command that they follow.
  /// - Throws: `OperatingError` for a word that is not a command, with the commands like it.
  static func check(_ arguments: [String], of command: any ParsableCommand.Type) throws {
    let commands = command.configuration.subcommands
    guard !commands.isEmpty, let word = arguments.first, !word.hasPrefix("-") else { return }
    let names = commands.map { $0._commandName }
    if let index = names.firstIndex(where: { $0.utf8.elementsEqual(word.utf8) }) {
      return try check(Array(arguments.dropFirst()), of: commands[index])
    }
    guard !word.utf8.elementsEqual("help".utf8) else { return }
    let hint =
      NearNames.question(NearNames.of(word, among: names))
      ?? "the commands are \(names.joined(separator: ", "))"
    throw OperatingError("there is no command \(word.quoted); \(hint)")
  }
}
