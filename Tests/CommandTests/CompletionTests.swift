internal import Testing
internal import TokenSecurityEncodings

/// What shells offer for the value of an option.
@Suite struct CompletionTests {
  @Test func filesAreOfferedForFiles() throws {
    var count = 0
    for command in try Command.subcommands() {
      for argument in command.arguments where argument["valueName"] == "file" {
        count += 1
        #expect(argument["completionKind"]?.object?["file"] != nil, "\(command.words) \(argument)")
      }
    }
    #expect(count >= 25)
  }

  /// Some help texts list the values by hand, because the parser would list them only for a type that is slow
  /// to parse.
  @Test func theHelpHasTheOfferedValues() throws {
    var count = 0
    for command in try Command.subcommands() {
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
