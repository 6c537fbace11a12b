internal import Testing
internal import TokenSecurityBase

/// Completions that shells offer for the value of an option.
@Suite struct CompletionTests {
  @Test(arguments: Command.names)
  func filesAndFoldersAreOffered(_ program: String) async throws {
    var count = 0
    for command in try await Command.subcommands(of: program) {
      for argument in command.arguments {
        let kind = argument["completionKind"]?.object
        let offered = kind?["file"] != nil ? "file" : kind?["directory"] != nil ? "folder" : nil
        guard let name = argument["valueName"]?.string, name == "file" || name == "folder" || offered != nil
        else { continue }
        count += 1
        #expect(name == offered, "\(command.words) \(argument)")
      }
    }
    #expect(count >= 25)
  }

  @Test(arguments: Command.names, ["bash", "zsh", "fish"])
  func scriptsAreMade(_ program: String, _ shell: String) async throws {
    let result = try await Command.run("\(program) --generate-completion-script \(shell)")
    #expect(result.status == 0 && result.errors.isEmpty && result.output.contains(program))
  }

  /// Some help texts list the values by hand, because the parser would list them only for a type that is slow
  /// to parse.
  @Test(arguments: Command.names)
  func theHelpHasTheOfferedValues(_ program: String) async throws {
    var count = 0
    for command in try await Command.subcommands(of: program) {
      for argument in command.arguments {
        guard let text = argument["abstract"]?.string, text.contains("Values: ") else { continue }
        count += 1
        let values = try #require(argument["completionKind"]?.object?["list"]?.object?["values"]?.strings)
        #expect(text.contains("Values: \(values.joined(separator: ", "))."), "\(command.words) \(text)")
      }
    }
    #expect(count >= 4)
  }
}
