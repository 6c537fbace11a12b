internal import Foundation
internal import Testing
internal import TokenSecurityVectorFiles

/// The command, as people use it: each transcript holds command lines, what they print and how they end.
///
///     $ a command line, run by sh in the repository's folder with verify-token in its path
///     a line of standard output
///     ! a line of standard error
///     ? the exit status, where it is not 0
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
  func prints(_ step: Step) throws {
    let result = try run(step.command)
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
          throw VectorFileError("\(name):\(index + 1) stands before any command")
        }
      } else if line.hasPrefix("! ") || line == "!" {
        steps[steps.count - 1].errors.append(String(line.dropFirst(2)))
      } else if line.hasPrefix("? ") {
        steps[steps.count - 1].status = try #require(Int32(line.dropFirst(2)))
      } else if line == "|" || line.hasPrefix("| ") {
        steps[steps.count - 1].output.append(String(line.dropFirst(2)))
      } else if !line.isEmpty {
        throw VectorFileError("\(name):\(index + 1) begins with none of $, |, !, ?, #")
      }
    }
    return steps
  }

  private func run(_ command: String) throws -> (output: String, errors: String, status: Int32) {
    let products = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path()
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(filePath: VectorFile.root)
    process.environment = [
      "PATH": products + ":/usr/local/bin:/usr/bin:/bin", "T": scratch.path(), "SWIFT_BACKTRACE": "enable=no",
    ]
    // Files instead of pipes: neither stream can fill up and block the other.
    let files = try ["output", "errors"].map { name in
      let file = scratch.appending(path: ".\(name)")
      _ = FileManager.default.createFile(atPath: file.path(), contents: nil)
      return (file, try FileHandle(forWritingTo: file))
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = files[0].1
    process.standardError = files[1].1
    try process.run()
    process.waitUntilExit()
    let texts = try files.map {
      String(decoding: try Data(contentsOf: $0.0), as: UTF8.self)
        .replacing(scratch.path(), with: "$T")
    }
    return (texts[0], texts[1], process.terminationStatus)
  }
}
