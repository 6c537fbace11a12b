internal import Foundation
internal import Testing
internal import TokenSecurityEncodings
internal import TokenSecurityVectorFiles

/// The built programs.
enum Command {
  /// The folder with the programs: that of `TOKEN_SECURITY_PROGRAMS`, or that of the tests.
  static let products =
    ProcessInfo.processInfo.environment["TOKEN_SECURITY_PROGRAMS"].map { "\($0)/" }
    ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path()

  struct Result {
    let output: String
    let errors: String
    let status: Int32
  }

  /// The programs with subcommands.
  static let names = ["verify-token", "identity-service"]

  /// Runs a command line in `sh`, with the programs in its path.
  ///
  /// - Parameters:
  ///   - line: the command line.
  ///   - folder: the working folder.
  ///   - scratch: an empty folder, which the command line knows as `$T`.
  ///   - environment: more variables.
  /// - Returns: what it printed, with `$T` in place of the scratch folder, and its exit status.
  /// - Throws: an error if it cannot be started.
  static func run(
    _ line: String, in folder: String, scratch: URL, environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    // `env` changes the folder: `Process` would change that of the tests for a moment.
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["-C", folder, "/bin/sh", "-c", line]
    let defaults = [
      "PATH": products + ":/usr/local/bin:/usr/bin:/bin", "T": scratch.path(), "SWIFT_BACKTRACE": "enable=no",
      "PROGRAMS": products,
    ]
    process.environment = defaults.merging(environment) { $1 }
    // Files instead of pipes: a full pipe would block the command.
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
      String(decoding: try Data(contentsOf: $0.0), as: UTF8.self).replacing(scratch.path(), with: "$T")
    }
    return Result(output: texts[0], errors: texts[1], status: process.terminationStatus)
  }

  /// Runs a command line in the repository's folder.
  static func run(_ line: String, environment: [String: String] = [:]) throws -> Result {
    try withScratchFolder { try run(line, in: VectorFile.root, scratch: $0, environment: environment) }
  }

  static func withScratchFolder<R>(_ body: (URL) throws -> R) throws -> R {
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    return try body(scratch)
  }

  /// A subcommand that has no subcommands, or the root.
  struct Subcommand: Sendable {
    /// The words after the program's name.
    let words: [String]
    let arguments: [JSONObject]
  }

  /// All subcommands of a program, as the argument parser describes them.
  static func subcommands(of program: String) throws -> [Subcommand] {
    let dump = try JSONValue(parsing: run("\(program) --experimental-dump-help").output)
    func list(_ command: JSONObject, _ words: [String]) -> [Subcommand] {
      let children = (command["subcommands"]?.array ?? []).compactMap(\.object)
      return [Subcommand(words: words, arguments: (command["arguments"]?.array ?? []).compactMap(\.object))]
        + children.filter { $0["commandName"]?.string != "help" }
        .flatMap { list($0, words + [$0["commandName"]?.string ?? ""]) }
    }
    return list(try #require(dump.object?["command"]?.object), [])
  }
}
