internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// The command in the shell: each transcript has command lines, their output and their exit status.
///
///     $ a command line, run by sh in the repository's folder with verify-token in its path
///     a line of standard output
///     ! a line of standard error
///     ? the exit status, unless it is 0
@Suite struct TranscriptTests {
  static let folder = "\(VectorFile.root)/Tests/CommandTests/Transcripts"

  struct Step: Sendable, CustomTestStringConvertible {
    let file: String
    let line: Int
    var command: String
    var output: [String] = []
    var errors: [String] = []
    var status: Int32 = 0
    var testDescription: String { "\(file):\(line)" }
  }

  static let steps = Result {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted().flatMap { name in
      try parse(name, String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
    }
  }

  @Test(arguments: try steps.get())
  func prints(_ step: Step) async throws {
    let result = try await Command.run(step.command)
    #expect(result.output == step.output.map { $0 + "\n" }.joined())
    #expect(result.errors == step.errors.map { $0 + "\n" }.joined())
    #expect(result.status == step.status)
  }

  @Test func thereAreTranscripts() throws {
    #expect(try Self.steps.get().count >= 40)
  }

  private static func parse(_ name: String, _ text: String) throws -> [Step] {
    var steps: [Step] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("$ ") {
        steps.append(Step(file: name, line: index + 1, command: String(line.dropFirst(2))))
      } else if line.hasPrefix("#") || steps.isEmpty {
        guard line.isEmpty || line.hasPrefix("#") else {
          throw VectorFileError("\(name):\(index + 1) is before the first command")
        }
      } else if line.hasPrefix("! ") || line == "!" {
        steps[steps.count - 1].errors.append(String(line.dropFirst(2)))
      } else if line.hasPrefix("? ") {
        steps[steps.count - 1].status = try #require(Int32(line.dropFirst(2)))
      } else if line == "|" || line.hasPrefix("| ") {
        steps[steps.count - 1].output.append(String(line.dropFirst(2)))
      } else if !line.isEmpty {
        throw VectorFileError("\(name):\(index + 1) does not begin with $, |, !, ? or #")
      }
    }
    return steps
  }
}
