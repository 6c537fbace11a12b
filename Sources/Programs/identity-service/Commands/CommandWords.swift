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
    let near = names.filter { distance(word, $0) <= 2 }
    throw OperatingError(
      near.isEmpty
        ? "there is no command \(word.quoted); the commands are \(names.joined(separator: ", "))"
        : "there is no command \(word.quoted); did you mean \(near.joined(separator: " or "))?")
  }

  /// The least number of bytes to insert, remove or replace to make one text from the other (Levenshtein). A
  /// text that is much longer than commands is far from all.
  private static func distance(_ first: String, _ second: String) -> Int {
    guard first.utf8.count <= 32 else { return .max }
    var row = Array(0...second.utf8.count)
    for (line, byte) in first.utf8.enumerated() {
      var diagonal = row[0]
      row[0] = line + 1
      for (column, other) in second.utf8.enumerated() {
        let value = min(row[column] + 1, row[column + 1] + 1, diagonal + (byte == other ? 0 : 1))
        diagonal = row[column + 1]
        row[column + 1] = value
      }
    }
    return row[second.utf8.count]
  }
}
