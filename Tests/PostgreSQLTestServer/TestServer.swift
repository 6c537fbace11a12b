internal import Foundation
package import RecordsPostgreSQL
internal import Synchronization
internal import TokenSecurityPlatform
internal import TokenSecurityTesting

/// A PostgreSQL server in a temporary folder, which the tests start and stop. As root it runs as the user
/// `postgres`, since it refuses root.
package actor TestServer {
  /// The server of most tests. It does not wait for the disk: tests that need that have a server of their own.
  package static let shared = TestServer(["-c", "fsync=off"])

  package nonisolated let folder: String
  package nonisolated let port: Int
  private let arguments: [String]
  private var process: Process?
  private var isMade = false
  /// False after a stop, until it has answered again.
  private var hasAnswered = false
  /// The last start. Starts wait for each other: an actor runs others while one of them waits.
  private var lastStart: Task<Void, any Error>?
  private var databases = 0

  /// - Parameters:
  ///   - arguments: arguments of `postgres`.
  ///   - port: the port of TCP, with which `arguments` listen.
  package init(_ arguments: [String] = [], port: Int = 5_432) {
    self.port = port
    folder = FileManager.default.temporaryDirectory.path + "/records-\(UUID().uuidString.prefix(8))"
    self.arguments = arguments
  }

  /// Settings for a database on the Unix socket.
  package nonisolated func settings(_ database: String) throws -> PostgreSQLSettings {
    var settings = try PostgreSQLSettings(
      url: "postgresql:///\(database)?host=\(folder)&port=\(port)&user=service")
    settings.connections = 3
    settings.waitForHours()
    // Tests set the time of each call, and the server is none that limits it.
    settings.clock = "timestamptz '9999-01-01 00:00Z'"
    settings.clockTolerance = .max
    // The longer commits take, the more of them conflict.
    settings.attempts = 1_000
    return settings
  }

  /// Makes an empty database.
  package func makeDatabase() async throws -> String {
    try await start()
    databases += 1
    let name = "d\(databases)"
    _ = try await Self.run(
      "psql",
      ["-h", folder, "-p", "\(port)", "-U", "service", "-d", "postgres", "-qc", "CREATE DATABASE \(name)"])
    return name
  }

  /// Runs SQL and returns what psql prints.
  package nonisolated func sql(_ sql: String, _ database: String) async throws -> String {
    try await Self.run(
      "psql", ["-h", folder, "-p", "\(port)", "-U", "service", "-d", database, "-qAtc", sql])
  }

  /// Starts the server, unless it runs.
  package func start() async throws {
    let earlier = lastStart
    let start = Task {
      _ = await earlier?.result
      try await launchAndAsk()
    }
    lastStart = start
    try await start.value
  }

  private func launchAndAsk() async throws {
    try await make()
    if hasAnswered, process?.isRunning == true { return }
    // After a kill it reads what it had written, which takes long on a slow disk.
    try await eventually {
      if process?.isRunning != true { process = try launch() }
      return (try? await sql("SELECT 1", "postgres")) != nil
    }
    hasAnswered = true
  }

  /// Makes the server's folder, before its first start.
  package func make() async throws {
    if !isMade {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      if getuid() == 0 { _ = try await Self.run("chown", ["postgres", folder]) }
      _ = try await Self.run(
        Self.program("initdb"),
        ["-D", "\(folder)/data", "-U", "service", "--auth=trust", "-E", "UTF8", "--locale=C"],
        asServer: true)
      isMade = true
      TestServers.add(folder)
    }
  }

  /// A server that was killed may leave processes for a moment, while which it does not start again.
  private func launch() throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    // `env` changes the folder: `Process` would change that of the tests for a moment.
    process.arguments =
      ["-C", "/"]
      + Self.command(
        Self.program("postgres"),
        [
          "-D", "\(folder)/data", "-k", folder, "-p", "\(port)", "-c", "max_connections=400", "-c",
          "shared_buffers=64MB",
        ] + (arguments.contains { $0.contains("listen_addresses") } ? [] : ["-c", "listen_addresses="])
          + arguments, asServer: true)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Kills the server without a warning. Its other processes end by themselves when they notice.
  package func kill() async { await stop(SIGKILL) }

  /// Sends a signal to all processes of the server. The first one starts the others: stopped before they are
  /// listed, it starts no more.
  package func signal(_ signal: Int32) async {
    guard let pid = TestServers.pid(folder) else { return }
    TokenSecurityPlatform.kill(pid, signal)
    let children = (try? await Self.run("pgrep", ["-P", "\(pid)"])) ?? ""
    for process in children.split(separator: "\n").compactMap({ Int32($0) }) {
      TokenSecurityPlatform.kill(process, signal)
    }
  }

  /// Stops the server as an operator does who does not wait for its clients.
  package func stop(_ signal: Int32 = SIGINT) async {
    let stopped = process
    (process, hasAnswered) = (nil, false)
    if let pid = TestServers.pid(folder) { TokenSecurityPlatform.kill(pid, signal) }
    await stopped?.ended()
  }

  package struct ServerError: Error {
    package var text: String
  }

  private static func program(_ name: String) -> String {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return versions.sorted().last.map { "/usr/lib/postgresql/\($0)/bin/\(name)" } ?? name
  }

  /// The command as the user of the server, which refuses root.
  private static func command(_ program: String, _ arguments: [String], asServer: Bool) -> [String] {
    let user =
      asServer && getuid() == 0
      ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : []
    return user + [program] + arguments
  }

  package static func run(
    _ program: String, _ arguments: [String], asServer: Bool = false
  ) async throws -> String {
    let result = try await Program.run(command(program, arguments, asServer: asServer), in: "/")
    guard result.status == 0 else { throw ServerError(text: "\(program): \(result.errorText)") }
    return result.text
  }
}

/// The servers that are stopped when the tests end.
package enum TestServers {
  private static let folders = Mutex<[String]>([])

  static func add(_ folder: String) {
    let isFirst = folders.withLock { folders in
      folders.append(folder)
      return folders.count == 1
    }
    guard isFirst else { return }
    atexit {
      for folder in TestServers.folders.withLock({ $0 }) {
        if let pid = TestServers.pid(folder) {
          kill(pid, SIGQUIT)
          for _ in 0..<200 where kill(pid, 0) == 0 { usleep(10_000) }
        }
        try? FileManager.default.removeItem(atPath: folder)
      }
    }
  }

  /// The process id of the server in a folder.
  package static func pid(_ folder: String) -> Int32? {
    let text = try? String(contentsOfFile: "\(folder)/data/postmaster.pid", encoding: .utf8)
    return text?.split(separator: "\n").first.flatMap { Int32($0) }
  }
}
