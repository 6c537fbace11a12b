public import Foundation

/// Programs that tests start. No call blocks a thread of Swift's pool: that would make other tests wait.
public enum Program {
  /// The end of a program.
  public struct Result: Sendable {
    /// The bytes of its standard output.
    public let output: Data
    /// The bytes of its standard error.
    public let errors: Data
    /// The exit status, or 128 plus the number of the signal that ended it.
    public let status: Int32

    /// The standard output as text.
    public var text: String { String(decoding: output, as: UTF8.self) }
    /// The standard error as text.
    public var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - arguments: the name of the program, found by the path, and its arguments.
  ///   - folder: the working folder. Default: that of the tests.
  ///   - environment: all its variables. Default: those of the tests.
  ///   - input: the file of its standard input. Default: an empty one.
  /// - Returns: what it printed, and its status.
  /// - Throws: an error of Foundation if it cannot be started.
  public static func run(
    _ arguments: [String], in folder: String? = nil, environment: [String: String]? = nil,
    input: FileHandle = .nullDevice
  ) async throws -> Result {
    // Files instead of pipes: a full pipe would block the program.
    let scratch = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let files = ["output", "errors"].map { scratch.appending(path: $0) }
    for file in files { _ = FileManager.default.createFile(atPath: file.path(), contents: nil) }
    let handles = try files.map { try FileHandle(forWritingTo: $0) }
    let process = Process()
    // `env` finds the program and changes the folder: `Process` would change that of the tests for a moment.
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = (folder.map { ["-C", $0] } ?? []) + arguments
    process.environment = environment
    process.standardInput = input
    process.standardOutput = handles[0]
    process.standardError = handles[1]
    try process.run()
    await process.ended()
    for handle in handles { try handle.close() }
    let (output, errors) = (try Data(contentsOf: files[0]), try Data(contentsOf: files[1]))
    let status =
      process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    return Result(output: output, errors: errors, status: status)
  }
}

extension Process {
  /// Waits for the end of a process that was started, on a thread of its own.
  public func ended() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        self.waitUntilExit()
        continuation.resume()
      }
    }
  }
}
