internal import Foundation
internal import Testing
internal import TokenSecurityBase
internal import TokenSecurityTesting
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
  ///   - scratch: an empty folder, which the command line knows as `$T`. `$SERVED` is the data of a service, `$SECRET` a
  ///     copy of `docs/example/secret` that only this user can read, as keys for signing are.
  ///   - environment: more variables.
  /// - Returns: what it printed, with `$T` in place of the scratch folder and `$SECRET` of that file, and its exit status.
  /// - Throws: an error if it cannot be started.
  static func run(
    _ line: String, in folder: String, scratch: URL, environment: [String: String] = [:]
  ) async throws -> Result {
    var defaults = [
      "PATH": path, "T": scratch.path(), "SWIFT_BACKTRACE": "enable=no", "PROGRAMS": products,
    ]
    if line.contains("$SERVED") { defaults["SERVED"] = try await served.value }
    let secret = try secret.get()
    defaults["SECRET"] = secret
    let result = try await Program.run(
      ["/bin/sh", "-c", line], in: folder, environment: defaults.merging(environment) { $1 })
    func text(_ text: String) -> String {
      text.replacing(scratch.path(), with: "$T").replacing(secret, with: "$SECRET")
    }
    return Result(output: text(result.text), errors: text(result.errorText), status: result.status)
  }

  private static let path = products + ":/usr/local/bin:/usr/bin:/bin"

  /// A folder with the data of a service that was started once. Lines copy it, where a start is not what they show.
  private static let served = Task {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    let result = try await Program.run(
      [
        "\(VectorFile.root)/Tests/CommandTests/Scripts/identity-service", "serve", "--data", folder, "--port",
        "0",
      ],
      environment: ["PATH": path, "PROGRAMS": products])
    try #require(result.status == 0, "\(result.errorText)")
    return folder
  }

  private static let secret = Swift.Result {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(contentsOf: URL(filePath: "\(VectorFile.root)/docs/example/secret")).write(to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.path())
    return path.path()
  }

  /// Runs a command line in the repository's folder.
  static func run(_ line: String, environment: [String: String] = [:]) async throws -> Result {
    try await withScratchFolder {
      try await run(line, in: VectorFile.root, scratch: $0, environment: environment)
    }
  }

  static func withScratchFolder<R>(_ body: (URL) async throws -> R) async throws -> R {
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    return try await body(scratch)
  }

  /// A subcommand that has no subcommands, or the root.
  struct Subcommand: Sendable {
    /// The words after the program's name.
    let words: [String]
    let arguments: [JSONObject]
  }

  /// All subcommands of a program, as the argument parser describes them.
  static func subcommands(of program: String) async throws -> [Subcommand] {
    try await #require(described[program]).value
  }

  /// Each program is asked once.
  private static let described = Dictionary(
    uniqueKeysWithValues: names.map { name in (name, Task { try await describe(name) }) })

  private static func describe(_ program: String) async throws -> [Subcommand] {
    let dump = try JSONValue(parsing: await run("\(program) --experimental-dump-help").output)
    func list(_ command: JSONObject, _ words: [String]) -> [Subcommand] {
      let children = (command["subcommands"]?.array ?? []).compactMap(\.object)
      return [Subcommand(words: words, arguments: (command["arguments"]?.array ?? []).compactMap(\.object))]
        + children.filter { $0["commandName"]?.string != "help" }
        .flatMap { list($0, words + [$0["commandName"]?.string ?? ""]) }
    }
    return list(try #require(dump.object?["command"]?.object), [])
  }
}
